// A job that never had fewer workers than now tries fewer of them once. Nothing else shows whether all of
// them make it faster.
#pragma once

#include <optional>

#include "scheduler/lifecycle/decision_context.h"

namespace slaq::scheduler {

// The workers with which the job is to be measured now. Empty where the job or its kind was measured with
// fewer workers already, and where the job would be faster with more. Empty also where a trial would cost
// more than a twentieth of the time since the job's last change.
std::optional<Workers> trialOf(const JobSnapshot& job, Time now, const Settings& settings);

// Puts jobs on trial that a forecast would decide, if all admitted jobs could have their maximum at once.
// Where jobs compete, they change often enough, and other jobs use what one does not. Only policies that
// learn from other jobs make trials.
void beginTrials(const DecisionContext& context, const std::vector<std::size_t>& admitted,
                 std::vector<JobPlan>& plans);

}  // namespace slaq::scheduler
