// The division of the capacity among the jobs that may run: the policy with all that surrounds it.
#pragma once

#include "schedule/plan.h"

namespace slaq {

// Fills in target, predictedReduction, gainPerCore and reason of the admitted jobs. The targets' cores with
// the drivers' are within the capacity. REQUIRES: the admitted jobs' minimums fit.
void divide(const Snapshot& snapshot, const Settings& settings, const std::vector<std::size_t>& admitted,
            std::vector<JobPlan>& plans);

}  // namespace slaq
