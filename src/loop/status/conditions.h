// The conditions of a TrainingJob's status: what holds for the job now, each with a reason and a sentence.
#pragma once

#include "job/status.h"
#include "scheduler/state/plan.h"

namespace slaq::loop {

// Reasons that also lead to an event.
inline constexpr const char* kTargetReached = "TargetReached";
inline constexpr const char* kCannotStart = "CannotStart";
inline constexpr const char* kGrowthGivenBack = "GrowthGivenBack";
inline constexpr const char* kResizeUnsupported = "InPlaceResizeUnsupported";

// Sets the conditions of one job in `status`, whose state is already decided. A condition that did not change
// keeps its transition time.
void setConditions(JobStatus& status, const scheduler::JobSnapshot& job, const scheduler::JobPlan& plan,
                   const scheduler::Snapshot& snapshot, const scheduler::Settings& settings);

}  // namespace slaq::loop
