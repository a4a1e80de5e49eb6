// Look-ahead: the division that lets the sum of all levels fall soonest. Algorithm 1 sees only what the next
// epoch brings; to it an iteration that takes longer, or a slope behind a plateau, is worth nothing.
#pragma once

#include "scheduler/policy/policy.h"

namespace slaq::scheduler {

class LookAhead : public Policy {
 public:
  std::string_view name() const override { return "LookAhead"; }

  // Allocates by a price (scheduler/allocation/price_allocation.h). What a change costs is a part of the
  // utility of each size.
  Division divide(const AllocationProblem& problem) const override;
  std::string explain(const ExplainedJob& job) const override;

  bool decidesOnEvents() const override { return true; }
  bool normalizesByRange() const override { return true; }
  bool decidesForNewcomers() const override { return true; }

  // Half of the cores for a forecast whose back-test missed by more than a tenth of the range. One that had
  // no back-test yet may move six tenths where the next epoch can take them back for nothing: the beginning
  // is when cores buy most. After two losses it is three tenths: how it goes on is a guess, and the third
  // will tell.
  double trustedShare(const ForecastQuality& quality, const ResizePrice& price) const override;

 protected:
  // The demand with gains in the currency of the policy, as `divide` takes it.
  virtual Demand valued(const Demand& demand) const { return demand; }
};

// What look-ahead counts as the utility of a size.
UtilityRule lookAheadUtility(Seconds epoch, const ResizePrice& price);

}  // namespace slaq::scheduler
