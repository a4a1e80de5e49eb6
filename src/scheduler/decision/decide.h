// One decision: what every job is to have, and why, and the actions that lead there.
#pragma once

#include "scheduler/state/plan.h"

namespace slaq::scheduler {

// A pure function: the same snapshot gives the same plan.
Plan decide(const Snapshot& snapshot, const Settings& settings);

}  // namespace slaq::scheduler
