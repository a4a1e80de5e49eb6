#include "forecast/speed/speed_population.h"

#include <algorithm>
#include <cmath>

#include "forecast/constants.h"
#include "forecast/speed/speed_estimate.h"

namespace slaq::forecast {
namespace {

// The weighted mean of how much longer iterations take than by the curve, as a logarithm.
double offsetFrom(const SpeedCurve& curve, std::span<const TimedSize> measured) {
  double sum = 0;
  double weights = 0;
  for (const TimedSize& each : measured) {
    sum += each.weight * std::log(each.seconds * curve.at(each.size));
    weights += each.weight;
  }
  return sum / weights;
}

// All jobs together have too many sizes, so each is rounded to the nearest of 1, 1.4, 2, 2.8 and so on.
double nearestMark(double size) { return std::exp2(std::round(2 * std::log2(size)) / 2); }

std::shared_ptr<const std::vector<SpeedPoint>> pointsOf(const MeasuredSizes& sizes,
                                                        const SpeedCurve& expected) {
  return std::make_shared<const std::vector<SpeedPoint>>(
      estimateSpeed(sizes.sizes(), expected, 2 * sizes.largest()));
}

}  // namespace

SpeedCurve ExpectedSpeed::curve() const {
  return (points ? SpeedCurve::through(*points) : SpeedCurve()).slowedBy(slowness);
}

SpeedCurve SpeedPopulation::shape() const { return shape_ ? SpeedCurve::through(*shape_) : SpeedCurve(); }

ExpectedSpeed SpeedPopulation::expected(const std::string& kind, double unit) const {
  if (const Kind* known = kinds_.find({kind, unit}); known && known->points)
    return {.points = known->points,
            .isTimed = true,
            .smallest = known->sizes.smallest(),
            .largest = known->sizes.largest()};
  ExpectedSpeed expected{.points = shape_};
  const bool areAlike =
      !sizes_.empty() && compared_ >= kFewestCompared && differences_ < kAlike * kAlike * compared_;
  if (areAlike) {
    expected.smallest = sizes_.smallest();
    expected.largest = sizes_.largest();
  }
  if (!(count_ > 0)) return expected;
  expected.isTimed = true;
  expected.slowness = std::exp(costs_ / count_) / unit * shape().at(1);
  expected.spread = std::min(kPriorSpread, std::sqrt((kPriorSpread * kPriorSpread + deviations_) / jobs_));
  return expected;
}

void SpeedPopulation::update(const std::string& kind, std::span<const TimedSize> measured, double unit,
                             bool isNew) {
  updateCost(unit * std::exp(offsetFrom(shape(), measured)) / shape().at(1), isNew);
  if (measured.size() > 1) updateShape(measured);
  if (kind.empty()) return;
  Kind& known = kinds_.change({kind, unit}, [] { return Kind(); });
  for (const TimedSize& each : measured)
    known.sizes.add(each.size, each.seconds, 1, std::min(each.weight, kMostWeightOfAJob));
  if (!known.sizes.empty()) known.points = pointsOf(known.sizes, shape());
}

void SpeedPopulation::updateCost(double coreSeconds, bool isNew) {
  if (!std::isfinite(coreSeconds) || !(coreSeconds > 0)) return;
  const double kept = 1 - 1 / kRememberedJobs;
  if (isNew) {
    const double difference = count_ > 0 ? std::log(coreSeconds) - costs_ / count_ : 0;
    deviations_ = kept * deviations_ + difference * difference;
    jobs_ = kept * jobs_ + 1;
  }
  costs_ = kept * costs_ + std::log(coreSeconds);
  count_ = kept * count_ + 1;
}

void SpeedPopulation::updateShape(std::span<const TimedSize> measured) {
  const double offset = offsetFrom(shape(), measured);
  double squares = 0;
  double weights = 0;
  for (const TimedSize& each : measured) {
    const double difference = std::log(each.seconds * shape().at(each.size)) - offset;
    squares += each.weight * difference * difference;
    weights += each.weight;
  }
  const double kept = 1 - 1 / kRememberedJobs;
  differences_ = kept * differences_ + squares / weights;
  compared_ = kept * compared_ + 1;
  for (const TimedSize& each : measured) {
    const double size = nearestMark(each.size);
    const double seconds = each.seconds * shape().at(each.size) / shape().at(size);
    sizes_.add(size, seconds / std::exp(offset), 1, std::min(each.weight, kMostWeightOfAJob));
  }
  if (!sizes_.empty()) shape_ = pointsOf(sizes_, SpeedCurve());
}

}  // namespace slaq::forecast
