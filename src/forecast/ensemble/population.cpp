#include "forecast/ensemble/population.h"

#include <algorithm>
#include <cmath>

#include "forecast/constants.h"
#include "forecast/curves/hyperbola.h"

namespace slaq::forecast {
namespace {

// Levels and losses are interpolated linearly over the logarithm of the iteration, counted from one before
// the first.
double logStretch(double from, double to) { return std::log((1 + to) / (1 + from)); }

double iterationBefore(std::size_t mark) { return mark == 0 ? 0 : kLevelIterations[mark - 1]; }

double between(double low, double high, double share) { return low + (high - low) * share; }

// The range of a job's losses from its start to its end, estimated from a few pairs. `seen` is how much they
// fell, and `fallen` the share of its range that the population falls in that time. The range is limited, so
// that the job does not end below its floor. Before any fall, the range is what lies above the floor.
double rangeFrom(double seen, double fallen, double level, double aboveFloor) {
  const double most = aboveFloor / level;
  if (!(fallen > 0 && seen > 0)) return most > 0 ? most : 1;
  return most > 0 ? std::min(seen / fallen, most) : seen / fallen;
}

}  // namespace

Population::Population(const MeanLevels& recorded) {
  for (std::size_t i = 0; i < recorded.size(); ++i) {
    weights_[i] = kRecordedJobs;
    sums_[i] = kRecordedJobs * recorded[i];
  }
  makeLevelsFall();
}

double Population::level(double iteration) const {
  if (!(iteration > 0)) return 1;
  const auto mark = static_cast<std::size_t>(std::ranges::lower_bound(kLevelIterations, iteration) -
                                             kLevelIterations.begin());
  if (mark == levels_.size()) return levels_.back() * (1 + kLevelIterations.back()) / (1 + iteration);
  const double before = mark == 0 ? 1 : levels_[mark - 1];
  const double from = iterationBefore(mark);
  return between(before, levels_[mark],
                 logStretch(from, iteration) / logStretch(from, kLevelIterations[mark]));
}

Curve Population::curveFor(const LossSeries& series, std::optional<double> floor) const {
  double k = 0, loss = 1, range = 1;
  if (!series.empty()) {
    k = series.lastIteration().value();
    loss = series.last().value();
    const double fallen = level(series.iterations().front()) - level(k);
    const double seen = series.losses().front() - loss;
    const double aboveFloor = floor ? loss - *floor : seen > 0 ? 0 : std::abs(loss);
    range = rangeFrom(seen, fallen, level(k), aboveFloor);
  }
  const auto fall = [&](double ahead) { return Fall{ahead, range * (level(k) - level(k + ahead))}; };
  return hyperbolaThrough(k, loss, fall(kNearAhead), fall(farAhead(k)));
}

void Population::update(const LossSeries& series, const ConvergenceModel& model) {
  const double last = series.lastIteration().value();
  const double first = series.losses().front();
  const double final = model.forecastFinal(last);
  const double done = 1 - levelOf(series.last().value(), first, final);
  const double weight = done * done;
  if (!(first > final) || !(weight > 0)) return;
  for (std::size_t i = 0; i < levels_.size() && kLevelIterations[i] <= last; ++i) {
    const double loss = interpolatedLoss(series.iterations(), series.losses(), kLevelIterations[i]);
    updateAt(i, levelOf(loss, first, final), weight);
  }
  makeLevelsFall();
}

void Population::updateAt(std::size_t mark, double level, double weight) {
  if (!std::isfinite(level) || !std::isfinite(weight)) return;
  const double kept = 1 - weight / kRememberedJobs;
  sums_[mark] = kept * sums_[mark] + weight * level;
  weights_[mark] = kept * weights_[mark] + weight;
}

void Population::makeLevelsFall() {
  double least = 1;
  for (std::size_t i = 0; i < levels_.size(); ++i)
    least = levels_[i] = std::min(least, sums_[i] / weights_[i]);
}

}  // namespace slaq::forecast
