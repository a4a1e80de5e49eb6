// The actions that lead to the targets. Some can be done now; others must wait until cores are really free.
#pragma once

#include "scheduler/lifecycle/decision_context.h"

namespace slaq::scheduler {

// The actions towards the targets of `plans`. Actions that give cores back come first and are always done. A
// start or a growth uses only cores whose pods are gone. The member `awaited` of a plan shows the cores that
// it has to wait for.
std::vector<Action> sequence(const DecisionContext& context, const std::vector<std::size_t>& admitted,
                             std::vector<JobPlan>& plans);

// The cores that a job with a target holds while it takes no part in the decision: those of its ready
// workers, but at most `left`. Without this bound a target of any size would keep other jobs from running.
Cores heldWithoutPart(const JobView& view, Cores left);

}  // namespace slaq::scheduler
