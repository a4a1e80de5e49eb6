// Maximize the minimum quality (section 4.3): no job falls behind.
#pragma once

#include "scheduler/policy/policy.h"

namespace slaq::scheduler {

// Each job gets its minimum. Then one unit at a time goes to the job that will be worst, the one with the
// largest level. The paper writes arg min of the loss, but its text means the largest. A job that one more
// unit would not help comes after all others. REQUIRES: the minimums fit.
Allocation minQuality(std::span<const Demand> demands, const Budget& budget, Seconds horizon);

// A growth pays if it takes the job further in spite of its pause, and if the job is clearly worse off than
// all giving jobs are afterwards. One value for each demand, in their order.
std::vector<bool> growthsThatHelpTheWorst(std::span<const Demand> demands, const Allocation& wanted,
                                          const ResizePrice& price);

class MinQuality : public Policy {
 public:
  std::string_view name() const override { return "MinQuality"; }

  // A resize binds for the horizon of its price, so the levels at the end of the horizon are compared. The
  // levels at the next epoch would send all cores to one job after the other.
  Division divide(const AllocationProblem& problem) const override;
  std::string explain(const ExplainedJob& job) const override;
};

}  // namespace slaq::scheduler
