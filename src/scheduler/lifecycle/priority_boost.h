// The cost of the eviction of a job, as Kueue is told, which chooses whom to evict: it adds the boost to the
// job's priority.
#pragma once

#include "scheduler/state/plan.h"

namespace slaq::scheduler {

// The most that a priority is raised by.
inline constexpr int kMostPriorityBoost = 9;
// The boost of a job of which no forecast is known yet: the middle of the others.
inline constexpr int kUnknownPriorityBoost = 5;

// Returns 1 to kMostPriorityBoost. Each step stands for ten times the loss that a core of the job takes off
// in a second. The cost of one core counts, since Kueue evicts until enough cores are free. What was decided
// last stays while the forecast says nothing else, or hardly anything else. Empty where no queue is to be
// told.
std::optional<int> priorityBoostOf(const JobSnapshot& job, const JobPlan& plan, Seconds epoch);

}  // namespace slaq::scheduler
