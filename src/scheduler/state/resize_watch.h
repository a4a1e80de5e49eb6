// The progress of changes of a job's size: under way, arrived, or never to arrive.
#pragma once

#include <map>

#include "scheduler/state/history.h"

namespace slaq::scheduler {

// Notes in the history since when a change is under way, the direction of the last changes, and what the
// workers really run with. Notes also a growth or a start that does not arrive and is to be given back, and
// forgets it once a larger size has arrived.
void watchResize(JobHistory& history, const JobView& view, Time now);

// Shares the time of the job's last growth with other jobs, and learns from theirs how long to wait for the
// next one.
void shareGrowthTime(JobHistory& history, GrowthTimes& growths, Time now);

// Two jobs that start may each hold a half of the pods that the other one needs. So if several starts have
// waited for too long, the one that has waited longest waits once more while watchResize gives back the
// others. REQUIRES: called before watchResize, with the same time.
void keepFirstStart(std::map<JobKey, JobHistory>& histories, Time now);

// The size beyond which a job does not grow for now, because a growth never arrived and was given back.
std::optional<Size> growsUpTo(const JobHistory& history, Time now);

// The start that never arrived and was given back, as long as it is too early for the next try; null
// otherwise. It is valid as long as the history is not changed.
const GivenBack* startGivenBack(const JobHistory& history, Time now);

}  // namespace slaq::scheduler
