// Algorithm 1: maximize the total normalized loss reduction until the next epoch (section 4.3).
#pragma once

#include "scheduler/policy/policy.h"

namespace slaq::scheduler {

// Each job gets its minimum. Then one unit at a time goes to the job with the largest predicted gain per
// core. Where a unit is a core, this is exactly the paper's Algorithm 1. REQUIRES: the minimums fit.
Allocation totalQuality(std::span<const Demand> demands, const Budget& budget, Seconds epoch);

// A growth pays if its gain over the horizon of the price exceeds the cost of its pause and the loss of the
// jobs that give the cores. One value for each demand, in their order.
std::vector<bool> growthsThatGain(std::span<const Demand> demands, const Allocation& wanted,
                                  const ResizePrice& price);

class TotalQuality : public Policy {
 public:
  std::string_view name() const override { return "TotalQuality"; }
  Division divide(const AllocationProblem& problem) const override;
  std::string explain(const ExplainedJob& job) const override;
};

}  // namespace slaq::scheduler
