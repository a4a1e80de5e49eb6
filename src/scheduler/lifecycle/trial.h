// A job that never had fewer workers than now tries fewer of them once. Nothing else shows whether all of
// them make it faster.
#pragma once

#include <cstddef>
#include <vector>

#include "scheduler/lifecycle/decision_context.h"

namespace slaq::scheduler {

// Puts jobs on trial that a forecast would decide, if all admitted jobs could have their maximum at once.
// Where jobs compete, they change often enough, and other jobs use what one does not. Only policies that
// learn from other jobs make trials. The target of a job on trial is the number of workers to try.
void beginTrials(const DecisionContext& context, const std::vector<std::size_t>& admitted,
                 std::vector<JobPlan>& plans);

}  // namespace slaq::scheduler
