// The division of the capacity among the jobs that may run: the policy's division and the steps around it.
#pragma once

#include <optional>
#include <vector>

#include "scheduler/lifecycle/decision_context.h"

namespace slaq::scheduler {

// Fills in target, predictedReduction, gainPerCore, forecast and reason of the admitted jobs. The cores of
// the targets and of the drivers are within the capacity and the limits. Returns the price of a core, where
// the policy has one. REQUIRES: the admitted jobs' minimums fit.
std::optional<double> divide(const DecisionContext& context, const std::vector<std::size_t>& admitted,
                             std::vector<JobPlan>& plans);

}  // namespace slaq::scheduler
