// What each look at a job's pods adds to its history: what they held, how fast they can have worked, and how
// the changes of their number go.
#pragma once

#include "scheduler/state/history.h"

namespace slaq::scheduler {

// What its pods have used so far. It is counted once for each moment.
void noteCpuUse(JobHistory& history, const CpuUse& use);

// The pods of the job as they are now.
void observe(JobHistory& history, const JobView& view, Time now);

}  // namespace slaq::scheduler
