// The reasons of policies that go by gains: each figure is one that decided.
#pragma once

#include <functional>

#include "scheduler/policy/policy.h"

namespace slaq::scheduler {

// What the policy's own rules did to a job, beside the comparison of its gain with the price.
struct AppliedRules {
  std::string whyNotGrown = {};  // of a growth that fits and would gain more than the price; may be empty
  bool isKept = false;           // by the demand's minimum from giving units
};

// A clause such as "a fifth worker would gain 0.0021, under the price 0.0043"; gains and prices are weighted
// normalized loss per core-second. REQUIRES: the division has the gains of all demands.
std::string explainByGain(const ExplainedJob& job, const AppliedRules& rules);

// The job has as little as a rule allows, and its owner would allow less.
bool isAtFloor(const ExplainedJob& job);

// What a core-second gains on the mean between two sizes of the job. REQUIRES: from < to.
using GainBetween = std::function<double(std::int32_t from, std::int32_t to)>;

// It is at its floor, and would give the units above some smaller size for the price of them.
bool wouldGiveUnits(const ExplainedJob& job, const GainBetween& gain);

}  // namespace slaq::scheduler
