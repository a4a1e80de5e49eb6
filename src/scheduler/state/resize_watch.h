// How the changes of a job's size go: under way, arrived, or never to come.
#pragma once

#include "scheduler/state/history.h"

namespace slaq::scheduler {

// Notes in the history since when a change is under way and in which direction the last ones went, what the
// workers really run with, and a growth or a start that does not come and is to be given back; forgets the
// latter once a larger size has come.
void watchResize(JobHistory& history, const JobView& view, Time now);

// Tells other jobs how long its last growth took, and learns from theirs how long to wait for the next one.
void shareGrowthTime(JobHistory& history, GrowthTimes& growths, Time now);

// Beyond this size a job does not grow at the moment: a growth that never arrived was given back.
std::optional<Size> growsUpTo(const JobHistory& history, Time now);

// The start that never arrived and was given back, as long as it is too early for the next try; null
// otherwise. It lives as long as the history is not changed.
const GivenBack* startGivenBack(const JobHistory& history, Time now);

}  // namespace slaq::scheduler
