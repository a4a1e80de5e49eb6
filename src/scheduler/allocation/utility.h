// What a job gains by a size: the loss reduction that it can be expected to make over a horizon, with the
// pause of a change counted. The shape over the sizes may be any.
#pragma once

#include "scheduler/allocation/reduction_envelope.h"

namespace slaq::scheduler {

// What a utility counts, the same for all jobs of a decision.
struct UtilityRule {
  double horizon = 3;  // seconds, the least of any job
  // How long a size will be kept is not known. The reduction is the mean over this number of quantiles of an
  // exponential distribution whose mean is the horizon. With a single one it is that at the horizon.
  int moments = 1;
  // Forecasts are not so good that a smaller advantage over the size that was decided last were one: a share
  // of the utility of keeping to it (hysteresis).
  double keepingBonus = 0;
  // A change in place by a smaller share of what the job has is not worth the trouble.
  double leastChangeInPlace = 0;
  // For so many seconds idle cores are expected to stay idle.
  double idleHorizon = 0;
};

class Utility {
 public:
  // REQUIRES: the demand outlives it.
  Utility(const Demand& demand, const UtilityRule& rule);

  // The weighted normalized loss reduction a second, a mean over the job's horizon; -infinity of a size that
  // it cannot have, or that is not worth the change. `units` is from min to max.
  double at(std::int32_t units) const;

  // What one core-second more gains on the mean between two sizes. REQUIRES: from < to.
  double gainPerCoreSecond(std::int32_t from, std::int32_t to) const;

 private:
  double momentOf(int number) const;
  double expectedReduction(std::int32_t units) const;
  bool isTooSmallAChange(std::int32_t units) const;

  const Demand* demand_;
  UtilityRule rule_;
  double horizon_;  // seconds
  ReductionEnvelope envelope_;
};

}  // namespace slaq::scheduler
