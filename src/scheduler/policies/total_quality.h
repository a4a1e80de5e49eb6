// Algorithm 1: maximize the total normalized loss reduction until the next epoch (section 4.3).
#pragma once

#include "scheduler/policy/policy.h"

namespace slaq::scheduler {

// Every job gets its minimum; then unit by unit goes to the job with the largest predicted gain per core.
// Where a unit is a core this is the paper's Algorithm 1 to the letter. REQUIRES: the minimums fit.
Allocation totalQuality(std::span<const Demand> demands, const Budget& budget, Seconds epoch);

// A growth pays if it gains more, over the horizon of the price, than its pause costs and than those jobs
// lose that give it their cores. In the order of the demands.
std::vector<bool> growthsThatGain(std::span<const Demand> demands, const Allocation& wanted,
                                  const ResizePrice& price);

class TotalQuality : public Policy {
 public:
  std::string_view name() const override { return "TotalQuality"; }
  Division divide(const AllocationProblem& problem) const override;
  std::string explain(const ExplainedJob& job) const override;
};

}  // namespace slaq::scheduler
