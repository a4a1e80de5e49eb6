// The utility of a size for a job: the expected loss reduction over a horizon, with the pause of a change
// counted. It may have any shape over the sizes.
#pragma once

#include "scheduler/allocation/reduction_envelope.h"

namespace slaq::scheduler {

// The rule by which utilities are computed, the same for all jobs of a decision.
struct UtilityRule {
  double horizon = 3;  // seconds, the shortest of any job whose workers come and go
  // In seconds, the shortest of any job whose CPU changes in place. A job gains nothing while its program
  // starts. So its horizon is at least twice the time of its start with one core, since most of a start is
  // the work of one thread.
  double horizonInPlace = 3;
  // It is not known how long a size will be kept. So the reduction is the mean over this number of quantiles
  // of an exponential distribution whose mean is the horizon. With 1 it is the reduction at the horizon.
  int moments = 1;
  // The bonus for keeping the size that was decided last, as a share of its utility (hysteresis). A smaller
  // advantage of another size means nothing, because forecasts are inexact.
  double keepingBonus = 0;
  // A change in place by a smaller share of what the job has is not worth the trouble.
  double leastChangeInPlace = 0;
  // The number of seconds for which idle cores are expected to stay idle.
  double idleHorizon = 0;
};

class Utility {
 public:
  // REQUIRES: the demand outlives it.
  Utility(const Demand& demand, const UtilityRule& rule);

  // The weighted normalized loss reduction per second, a mean over the job's horizon. It is -infinity for a
  // size that the job cannot have, or that is not worth the change. `units` is from min to max.
  double at(std::int32_t units) const;

  // The mean gain of one more core-second between two sizes. REQUIRES: from < to.
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
