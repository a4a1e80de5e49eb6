// The actions that lead to the targets. Some can be done now; others must wait until cores are really free.
#pragma once

#include "scheduler/lifecycle/decision_context.h"

namespace slaq::scheduler {

// The actions towards the targets of `plans`. Actions that give cores back come first and are always done. A
// start or a growth uses only cores whose pods are gone. The member `awaited` of a plan shows the cores that
// it has to wait for.
std::vector<Action> sequence(const DecisionContext& context, const std::vector<std::size_t>& admitted,
                             std::vector<JobPlan>& plans);

// A job with a target may take no part in a decision. It then holds what its pods hold on the nodes. With a
// fixed capacity it holds the cores of its ready workers and of the object's other ready pods. It holds at
// most `left`, since a target of any size must not keep other jobs from running.
Cores heldWithoutPart(const JobView& view, Cores left);

// The cores that an object of fixed size takes of what is left: for all its pods if they fit, else for its
// ready ones.
Cores heldByFixed(const JobView& view, Cores left);

// The cores of pods of a target that the object no longer counts: they are stopping, and still hold their
// nodes' cores.
Cores heldUncounted(const JobView& view);

}  // namespace slaq::scheduler
