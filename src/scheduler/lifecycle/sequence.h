// The actions that lead to the targets. Some can be done now; others must wait until cores are really free.
#pragma once

#include "scheduler/lifecycle/decision_context.h"

namespace slaq::scheduler {

// The actions towards the targets of `plans`. Actions that give cores back come first and are always done. A
// start or a growth uses only cores whose pods are gone. The member `awaited` of a plan shows the cores that
// it has to wait for.
std::vector<Action> sequence(const DecisionContext& context, const std::vector<std::size_t>& admitted,
                             std::vector<JobPlan>& plans);

// The cores that the workers of an object hold which slaq did not create, while its job takes no part: those
// of ready workers, but no more than are left, so that nobody can take other jobs' cores by an object of any
// size.
Cores heldWithoutPart(const JobView& view, Cores left);

}  // namespace slaq::scheduler
