// Draws the Theil-Sen line through the recent half of the training: through the losses or, where the target
// is known, through the logarithm of their distance from it.
#include "forecast/curves/trend_fit.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "forecast/constants.h"
#include "forecast/series/weighted_pairs.h"

namespace slaq::forecast {
namespace {

struct Line {
  double slope = 0;
  double atEnd = 0;  // its value at the newest iteration
};

// REQUIRES: not empty.
double median(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

Line lineThrough(std::span<const double> x, std::span<const double> y) {
  std::vector<double> slopes;
  slopes.reserve(x.size() * x.size() / 2);
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = i + 1; j < x.size(); ++j) slopes.push_back((y[j] - y[i]) / (x[j] - x[i]));
  }
  Line line{.slope = median(slopes)};
  std::vector<double> ends;
  for (std::size_t i = 0; i < x.size(); ++i) ends.push_back(y[i] + line.slope * (x.back() - x[i]));
  line.atEnd = median(ends);
  return line;
}

// The index where the recent half begins: half of the iterations, but with some pairs and not too many.
std::size_t recentFrom(std::span<const double> iterations) {
  const double middle = 0.5 * (iterations.front() + iterations.back());
  const auto begin = std::ranges::lower_bound(iterations, middle) - iterations.begin();
  const std::size_t most = iterations.size() - std::min(iterations.size(), kFewestRecent);
  const std::size_t least = iterations.size() - std::min(iterations.size(), WeightedPairs::kMost);
  return std::clamp(static_cast<std::size_t>(begin), least, most);
}

}  // namespace

Curve fitTrend(std::span<const double> iterations, std::span<const double> losses,
               std::optional<double> target) {
  const std::size_t from = recentFrom(iterations);
  const double span = iterations.back() - iterations.front();
  std::vector<double> y(losses.begin(), losses.end());
  if (target) std::ranges::transform(y, y.begin(), [&](double loss) { return std::log(loss - *target); });

  const Line recent = lineThrough(iterations.subspan(from), std::span(y).subspan(from));
  const double overall = (y.front() - recent.atEnd) / span;
  const double rate = std::max({-recent.slope, kLeastOfOverallRate * overall, 0.0});
  Curve curve{.family = CurveFamily::Trend, .origin = iterations.back()};
  curve.amplitude = target ? std::exp(recent.atEnd) : rate * span;
  curve.floor = target ? *target : recent.atEnd - curve.amplitude;
  curve.rate = target ? rate : 1 / span;
  return curve;
}

}  // namespace slaq::forecast
