// Tells a queue that chooses whom to evict what the eviction of a job would cost: Kueue adds the boost to the
// job's priority.
#pragma once

#include "scheduler/state/plan.h"

namespace slaq::scheduler {

// The most that a priority is raised by.
inline constexpr int kMostPriorityBoost = 9;

// Returns 0 to kMostPriorityBoost. Each step stands for ten times the loss that a core of the job takes off
// in a second. The cost of one core counts, since Kueue evicts until enough cores are free. `told` is what
// the queue was last told. It is returned while the forecast says nothing else, or hardly anything else.
int priorityBoostOf(const JobView& view, const JobPlan& plan, Seconds epoch, int told);

}  // namespace slaq::scheduler
