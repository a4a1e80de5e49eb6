// The reasons of policies that go by gains: each figure is one that decided.
#pragma once

#include "scheduler/policy/policy.h"

namespace slaq::scheduler {

// A clause such as "a fifth worker would gain 0.0021, under the price 0.0043"; gains and prices are weighted
// normalized loss per core-second. REQUIRES: the division has the gains of all demands.
std::string explainByGain(const ExplainedJob& job);

}  // namespace slaq::scheduler
