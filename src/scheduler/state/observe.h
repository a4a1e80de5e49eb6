// The results of each look at a job's pods, for its history: the cores that they held, how fast they can have
// worked, and how the changes of their number go.
#pragma once

#include "scheduler/state/history.h"

namespace slaq::scheduler {

// Takes in the pods of the job as they are now.
void observe(JobHistory& history, const JobView& view, Time now);

}  // namespace slaq::scheduler
