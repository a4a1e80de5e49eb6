#include "curve/population.h"

#include <algorithm>
#include <cmath>

namespace slaq {
namespace {

// Iterations at which the mean level is known, and what it is among the recorded trainings.
constexpr std::array kMarkIterations = {1.,  2.,  3.,  4.,  6.,  8.,   12., 16.,
                                        24., 32., 48., 64., 96., 128., 192.};
constexpr std::array kRecordedLevels = {.72, .61, .55, .50, .42,  .37,  .30, .25,
                                        .20, .16, .12, .09, .062, .045, .026};

constexpr double kRecordedWeight = 4;    // the recorded trainings count as so many jobs
constexpr double kRemembered = 100;      // and so many jobs are remembered
constexpr double kForecastWeight = 0.2;  // of a level that a job has not reached but is forecast to

// Between two iterations levels and losses are straight over the logarithm, counted from one before the
// first.
double stretch(double from, double to) { return std::log((1 + to) / (1 + from)); }

double markBefore(std::size_t mark) { return mark == 0 ? 0 : kMarkIterations[mark - 1]; }

const auto kStretches = [] {
  std::array<double, kMarkIterations.size()> stretches;
  for (std::size_t i = 0; i < stretches.size(); ++i) {
    stretches[i] = stretch(markBefore(i), kMarkIterations[i]);
  }
  return stretches;
}();

double between(double low, double high, double share) { return low + (high - low) * share; }

// The range of a job's losses from its start to its end, after so few pairs: as their fall so far says, but
// not so much that it would end below its floor. Before any fall it is as large as what is above the floor.
double rangeFrom(double seen, double fallen, double level, double aboveFloor) {
  const double most = aboveFloor / level;
  if (!(fallen > 0 && seen > 0)) return most > 0 ? most : 1;
  return most > 0 ? std::min(seen / fallen, most) : seen / fallen;
}

// The series' loss after so many iterations. A straight line between its pairs would teach that losses fall
// late, for pairs are far apart where a job runs fast.
double lossAt(const LossSeries& series, double iteration) {
  const auto iterations = series.iterations();
  const auto losses = series.losses();
  const auto after =
      static_cast<std::size_t>(std::ranges::lower_bound(iterations, iteration) - iterations.begin());
  if (after == 0) return losses.front();
  if (after == iterations.size()) return losses.back();
  const double from = iterations[after - 1];
  return between(losses[after - 1], losses[after],
                 stretch(from, iteration) / stretch(from, iterations[after]));
}

}  // namespace

Population::Population() {
  for (std::size_t i = 0; i < kMarks; ++i) {
    weights_[i] = kRecordedWeight;
    sums_[i] = kRecordedWeight * kRecordedLevels[i];
  }
  smooth();
}

double Population::level(double iteration) const {
  if (!(iteration > 0)) return 1;
  const auto mark = static_cast<std::size_t>(std::ranges::lower_bound(kMarkIterations, iteration) -
                                             kMarkIterations.begin());
  if (mark == kMarks) return levels_.back() * (1 + kMarkIterations.back()) / (1 + iteration);
  const double before = mark == 0 ? 1 : levels_[mark - 1];
  return between(before, levels_[mark], stretch(markBefore(mark), iteration) / kStretches[mark]);
}

std::array<Fall, 2> Population::fallsAhead(const LossSeries& series) const {
  const double last = series.lastIteration().value();
  const double now = level(last);
  const double fallen = level(series.iterations().front()) - now;
  const double range = fallen > 0 ? (series.highest() - series.lowest()) / fallen : 0;
  const auto within = [&](double ahead) { return Fall{ahead, range * (now - level(last + ahead))}; };
  return {within(kNearAhead), within(farAhead(last))};
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

void Population::learn(const LossSeries& series, const ConvergenceModel& model) {
  const double last = series.lastIteration().value();
  const double first = series.losses().front();
  const double final = model.forecastFinal(last);
  const double done = 1 - levelOf(series.last().value(), first, final);
  if (!(first > final)) return;
  for (std::size_t i = 0; i < kMarks; ++i) {
    const bool reached = kMarkIterations[i] <= last;
    const double loss = reached ? lossAt(series, kMarkIterations[i]) : model.curve.at(kMarkIterations[i]);
    learnAt(i, levelOf(loss, first, final), done * done * (reached ? 1 : kForecastWeight));
  }
  smooth();
}

void Population::learnAt(std::size_t mark, double level, double weight) {
  if (!std::isfinite(level) || !std::isfinite(weight)) return;
  const double kept = 1 - weight / kRemembered;
  sums_[mark] = kept * sums_[mark] + weight * level;
  weights_[mark] = kept * weights_[mark] + weight;
}

void Population::smooth() {
  double least = 1;
  for (std::size_t i = 0; i < kMarks; ++i) least = levels_[i] = std::min(least, sums_[i] / weights_[i]);
}

void Population::learnCost(double coreSeconds) {
  if (!(coreSeconds > 0) || !std::isfinite(coreSeconds)) return;
  const double kept = 1 - 1 / kRemembered;
  costSum_ = kept * costSum_ + std::log(coreSeconds);
  costWeight_ = kept * costWeight_ + 1;
}

std::optional<double> Population::typicalCost() const {
  if (!(costWeight_ > 0)) return std::nullopt;
  return std::exp(costSum_ / costWeight_);
}

}  // namespace slaq
