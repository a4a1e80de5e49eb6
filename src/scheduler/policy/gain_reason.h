// The reasons of policies that go by gains. Each figure is one that decided.
#pragma once

#include <functional>

#include "scheduler/policy/policy.h"

namespace slaq::scheduler {

// The effects of the policy's own rules on a job, beside the comparison of its gain with the price.
struct AppliedRules {
  std::string whyNotGrown = {};  // for a growth that fits and would gain more than the price; may be empty
  bool isKept = false;           // the demand's minimum keeps it from giving units
};

// A clause such as "a fifth worker would gain 0.0021, under the price 0.0043". Gains and prices are in
// weighted normalized loss per core-second. REQUIRES: the division has the gains of all demands.
std::string explainByGain(const ExplainedJob& job, const AppliedRules& rules);

// The job has the fewest units that a rule allows, and its owner would allow fewer.
bool isAtFloor(const ExplainedJob& job);

// The mean gain of a core-second between two sizes of the job. REQUIRES: from < to.
using GainBetween = std::function<double(std::int32_t from, std::int32_t to)>;

// True if the job is at its floor, and would otherwise give the units above some smaller size because they
// gain less than the price.
bool wouldGiveUnits(const ExplainedJob& job, const GainBetween& gain);

}  // namespace slaq::scheduler
