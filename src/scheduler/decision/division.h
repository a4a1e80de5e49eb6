// The division of the capacity among the jobs that may run: what the policy decides, and what surrounds it.
#pragma once

#include <optional>
#include <vector>

#include "scheduler/lifecycle/decision_context.h"

namespace slaq::scheduler {

// Fills in target, predictedReduction, gainPerCore, forecast and reason of the admitted jobs. The targets'
// cores with the drivers' are within the capacity and the limits. The result is the price of a core, where
// the policy has one. REQUIRES: the admitted jobs' minimums fit.
std::optional<double> divide(const DecisionContext& context, const std::vector<std::size_t>& admitted,
                             std::vector<JobPlan>& plans);

}  // namespace slaq::scheduler
