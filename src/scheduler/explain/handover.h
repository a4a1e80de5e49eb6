// Names the job that gets the cores which another one gives in a decision, and the job that gives them.
#pragma once

#include <vector>

#include "scheduler/lifecycle/decision_context.h"

namespace slaq::scheduler {

// Fills in `handover` of the admitted jobs that change their size while others change in the other direction.
// Cores are alike, so the one is named that gives or gets most of them. REQUIRES: their targets are decided.
void nameHandovers(const DecisionContext& context, const std::vector<std::size_t>& admitted,
                   std::vector<JobPlan>& plans);

}  // namespace slaq::scheduler
