// The division of the capacity among the jobs that may run: the policy with all that surrounds it.
#pragma once

#include "schedule/workspace.h"

namespace slaq {

// Fills in target, predictedReduction, gainPerCore, forecast and reason of the admitted jobs. The targets'
// cores with the drivers' are within the capacity and the limits. The result is the price of a core, where a
// policy by gain asked for it. REQUIRES: the admitted jobs' minimums fit.
std::optional<double> divide(const Terms& terms, const std::vector<std::size_t>& admitted,
                             std::vector<JobPlan>& plans, Workspace& workspace);

}  // namespace slaq
