// Look-ahead: the division that lets the sum of all levels fall soonest. Algorithm 1 sees only the next
// epoch. It gives no value to an iteration that takes longer, or to a slope behind a plateau.
#pragma once

#include "scheduler/policy/policy.h"

namespace slaq::scheduler {

class LookAhead : public Policy {
 public:
  std::string_view name() const override { return "LookAhead"; }

  // Allocates by a price (scheduler/allocation/price_allocation.h). The cost of a change is a part of the
  // utility of each size.
  Division divide(const AllocationProblem& problem) const override;
  std::string explain(const ExplainedJob& job) const override;

  bool decidesOnEvents() const override { return true; }
  bool normalizesByRange() const override { return true; }
  bool decidesForNewcomers() const override { return true; }

  // A forecast may move half of the cores if its back-test missed by more than a tenth of the range, or if it
  // had no back-test yet.
  double trustedShare(std::optional<double> backTestError) const override;

 protected:
  // The demand with its gains in the policy's own unit, as `divide` uses it.
  virtual Demand valued(const Demand& demand) const { return demand; }
};

// The rule for the utility of a size in look-ahead.
UtilityRule lookAheadUtility(Seconds epoch, const ResizePrice& price);

}  // namespace slaq::scheduler
