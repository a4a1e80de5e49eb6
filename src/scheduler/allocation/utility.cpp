#include "scheduler/allocation/utility.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "scheduler/constants.h"

namespace slaq::scheduler {

namespace {

// The equally likely values of slowness, or a single one where all are equal.
std::span<const double> likelySlowness(const Demand& demand) {
  const std::span<const double> all = demand.slowness;
  return all.front() == all.back() ? all.first(1) : all;
}

double least(const std::array<double, 3>& slowness) { return *std::ranges::min_element(slowness); }

// The mean of the exponential distribution, in seconds.
double horizonOf(const Demand& demand, const UtilityRule& rule) {
  if (!demand.inPlace) return std::max(rule.horizon, demand.horizon);
  const double cores = std::min(1.0, inCores(demand.cores(demand.max)));
  return std::max(rule.horizonInPlace, kStartsInHorizon * demand.startWork / cores);
}

}  // namespace

// The time at the middle of one of `moments` equal parts of the probability.
double Utility::momentOf(int number) const {
  if (rule_.moments == 1) return horizon_;
  return -horizon_ * std::log1p(-(number - 0.5) / rule_.moments);
}

Utility::Utility(const Demand& demand, const UtilityRule& rule)
    : demand_(&demand),
      rule_(rule),
      horizon_(horizonOf(demand, rule)),
      envelope_(demand, demand.speed.fastest(inCores(demand.cores(demand.max))) * momentOf(rule.moments) /
                            least(demand.slowness)) {}

double Utility::at(std::int32_t units) const {
  if (!demand_->allows(units)) return -std::numeric_limits<double>::infinity();
  const bool keeps = demand_->runs() && units == demand_->decided() && !demand_->starting;
  if (keeps) return (1 + rule_.keepingBonus) * expectedReduction(units);
  if (isTooSmallAChange(units)) return -std::numeric_limits<double>::infinity();
  return expectedReduction(units);
}

double Utility::gainPerCoreSecond(std::int32_t from, std::int32_t to) const {
  return (at(to) - at(from)) / inCores(demand_->perUnit * (to - from));
}

double Utility::expectedReduction(std::int32_t units) const {
  const bool changes = demand_->runs() && units != demand_->held;
  const double pause = demand_->startTime(units) + (!changes                ? 0
                                                    : units > demand_->held ? demand_->growPause
                                                                            : demand_->shrinkPause);
  const double speed = demand_->speed.at(inCores(demand_->cores(units)));
  const double lost = changes ? demand_->lost * demand_->speed.at(inCores(demand_->cores(demand_->held))) : 0;
  double sum = 0;
  for (const double slowness : likelySlowness(*demand_)) {
    for (int moment = 1; moment <= rule_.moments; ++moment) {
      const double done = speed / slowness * std::max(0.0, momentOf(moment) - pause) - lost;
      sum += std::copysign(envelope_.at(std::abs(done)), done);
    }
  }
  return sum / (likelySlowness(*demand_).size() * rule_.moments * horizon_);
}

// The minimum is always allowed, because the minimums of all jobs have to fit.
bool Utility::isTooSmallAChange(std::int32_t units) const {
  if (!demand_->inPlace || !demand_->runs() || units == demand_->min || units == demand_->held) return false;
  const double change = std::abs(inCores(demand_->perUnit * (units - demand_->held)));
  return change < rule_.leastChangeInPlace * inCores(demand_->cores(demand_->held));
}

}  // namespace slaq::scheduler
