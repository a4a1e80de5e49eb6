// One decision: the target of every job with its reason, and the actions that lead to the targets.
#pragma once

#include "scheduler/state/plan.h"

namespace slaq::scheduler {

// A pure function: the same snapshot gives the same plan.
Plan decide(const Snapshot& snapshot, const Settings& settings);

}  // namespace slaq::scheduler
