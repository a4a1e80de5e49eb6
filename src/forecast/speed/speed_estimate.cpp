#include "forecast/speed/speed_estimate.h"

#include <algorithm>
#include <cmath>

#include "forecast/constants.h"

namespace slaq::forecast {
namespace {

// The certain part of the difference between the mean at one size and the formula: the logarithm of their
// ratio, less what may be chance.
double certainDifference(const TimedSize& measured, double formula) {
  const double difference = std::log(measured.seconds / formula);
  const double chance = kCertain * kIterationNoise / std::sqrt(measured.weight);
  return std::copysign(std::max(0.0, std::abs(difference) - chance), difference);
}

// The sizes 1, 2, 4 and so on, up to `most`.
std::vector<double> doublings(double most) {
  std::vector<double> sizes;
  for (int i = 0; std::exp2(i) <= most; ++i) sizes.push_back(std::exp2(i));
  return sizes;
}

// The sizes 1, 2, 3, 4, 6, 8, 12 and so on, the measured ones, and the last.
std::vector<double> sizesOfPoints(std::span<const TimedSize> measured, double most) {
  std::vector<double> sizes = {most};
  for (const double size : doublings(most)) {
    sizes.push_back(size);
    if (size >= 2 && 1.5 * size < most) sizes.push_back(1.5 * size);
  }
  for (const TimedSize& each : measured) {
    if (each.size < most) sizes.push_back(each.size);
  }
  std::ranges::sort(sizes);
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

class Estimate {
 public:
  Estimate(std::span<const TimedSize> measured, const SpeedCurve& expected, double most)
      : measured_(measured), expected_(expected), most_(most), scale_(scaleOfExpected()) {
    if (measured_.size() > 1) fitFormula();
    for (const TimedSize& each : measured_)
      differences_.push_back(certainDifference(each, formulaAt(each.size)));
  }

  std::vector<SpeedPoint> points() const {
    std::vector<SpeedPoint> points;
    for (const double size : sizesOfPoints(measured_, most_)) points.push_back({size, 1 / secondsAt(size)});
    return points;
  }

 private:
  // Below all measured sizes the formula may say anything. But a smaller size is not believed to lose less
  // speed than was expected before the measurements (scheduler/lifecycle/trial.h).
  double secondsAt(double size) const {
    if (measured_.empty() || size >= measured_.front().size) return corrected(size);
    const double smallest = measured_.front().size;
    return std::max(corrected(size), corrected(smallest) * expected_.at(smallest) / expected_.at(size));
  }
  double corrected(double size) const { return formulaAt(size) * std::exp(differenceAt(size)); }

  // How much longer iterations take than expected, on average over what was measured.
  double scaleOfExpected() const {
    double sum = 0;
    double weights = 0;
    for (const TimedSize& each : measured_) {
      sum += each.weight * std::log(each.seconds * expected_.at(each.size));
      weights += each.weight;
    }
    return weights > 0 ? std::exp(sum / weights) : 1;
  }

  double expectedAt(double size) const { return scale_ / expected_.at(size); }

  void fitFormula() {
    std::vector<TimedSize> all(measured_.begin(), measured_.end());
    for (const double size : doublings(most_)) all.push_back({size, expectedAt(size), kExpectedWeight});
    formula_ = fitIterationTime(all);
    isFitted_ = true;
  }

  double formulaAt(double size) const { return isFitted_ ? formula_.at(size) : expectedAt(size); }

  // Between two measured sizes, the difference is a straight line over the logarithm of the size. Above them
  // it halves with each doubling of the size, and below them with each halving.
  double differenceAt(double size) const {
    if (!isFitted_) return 0;
    const auto after = std::ranges::lower_bound(measured_, size, {}, &TimedSize::size);
    const auto place = static_cast<std::size_t>(after - measured_.begin());
    if (place == 0) return differences_.front() * size / measured_.front().size;
    if (after == measured_.end()) return differences_.back() * measured_.back().size / size;
    const double from = std::log((after - 1)->size);
    const double share = (std::log(size) - from) / (std::log(after->size) - from);
    return differences_[place - 1] + share * (differences_[place] - differences_[place - 1]);
  }

  std::span<const TimedSize> measured_;
  const SpeedCurve& expected_;
  double most_;
  double scale_;
  IterationTime formula_;
  bool isFitted_ = false;
  std::vector<double> differences_;  // one for each measured size
};

}  // namespace

std::vector<SpeedPoint> estimateSpeed(std::span<const TimedSize> measured, const SpeedCurve& expected,
                                      double most) {
  return Estimate(measured, expected, most).points();
}

}  // namespace slaq::forecast
