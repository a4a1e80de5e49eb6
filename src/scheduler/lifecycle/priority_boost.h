// What the eviction of a job would cost, as a queue that chooses whom to evict is told: Kueue adds it to the
// job's priority.
#pragma once

#include "scheduler/state/plan.h"

namespace slaq::scheduler {

// The most that a priority is raised by.
inline constexpr int kMostPriorityBoost = 9;

// 0 to kMostPriorityBoost, where each step stands for ten times the loss that the job's cores take off: Kueue
// evicts until enough cores are free, so what counts is the cost for each core. `told` is what the queue was
// last told. It is kept while the forecast says nothing else, or hardly anything else.
int priorityBoostOf(const JobView& view, const JobPlan& plan, Seconds epoch, int told);

}  // namespace slaq::scheduler
