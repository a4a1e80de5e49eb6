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

struct Point {
  double iteration;
  double value;
};

// Between two points as a straight line over the logarithm of iterations counted from one before the first.
double alongLogarithm(const Point& from, const Point& to, double iteration) {
  const double share =
      std::log((1 + iteration) / (1 + from.iteration)) / std::log((1 + to.iteration) / (1 + from.iteration));
  return from.value + (to.value - from.value) * share;
}

// The range of a job's losses from its start to its end, after so few pairs: as their fall so far says, but
// not so much that it would end below its floor. Before any fall it is as large as what is above the floor.
double rangeFrom(double seen, double fallen, double level, double aboveFloor) {
  const double most = aboveFloor / level;
  if (!(fallen > 0 && seen > 0)) return most > 0 ? most : 1;
  return most > 0 ? std::min(seen / fallen, most) : seen / fallen;
}

// The series' loss after so many iterations: between its pairs along the logarithm. A straight line would
// teach that losses fall late, for pairs are far apart where a job runs fast.
double lossAt(const LossSeries& series, double iteration) {
  const auto iterations = series.iterations();
  const auto losses = series.losses();
  const auto after =
      static_cast<std::size_t>(std::ranges::lower_bound(iterations, iteration) - iterations.begin());
  if (after == 0) return losses.front();
  if (after == iterations.size()) return losses.back();
  return alongLogarithm({iterations[after - 1], losses[after - 1]}, {iterations[after], losses[after]},
                        iteration);
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
  const Point before = mark == 0 ? Point{0, 1} : Point{kMarkIterations[mark - 1], levels_[mark - 1]};
  return alongLogarithm(before, {kMarkIterations[mark], levels_[mark]}, iteration);
}

double Population::fallAhead(const LossSeries& series, double seen, double ahead) const {
  const double last = series.lastIteration().value();
  const double now = level(last);
  const double fallen = level(series.iterations().front()) - now;
  return fallen > 0 ? seen / fallen * (now - level(last + ahead)) : 0;
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
