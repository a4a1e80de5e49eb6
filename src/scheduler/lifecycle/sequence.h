// From targets to actions: what may be done now and what must wait until cores are really free.
#pragma once

#include "scheduler/lifecycle/decision_context.h"

namespace slaq::scheduler {

// The actions towards the targets of `plans`. Those that give cores back come first and are always done; a
// start or a growth goes only into cores whose pods are gone. What has to wait says so in its reason.
std::vector<Action> sequence(const DecisionContext& context, const std::vector<std::size_t>& admitted,
                             std::vector<JobPlan>& plans);

}  // namespace slaq::scheduler
