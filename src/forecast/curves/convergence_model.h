// The forecast of one job: the family of curves that its loss follows, and the curve itself (section 4.2.2).
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <vector>

#include "forecast/curves/curve.h"
#include "forecast/series/loss_series.h"
#include "job/job.h"

namespace slaq::forecast {

// A training counts as over after this many more iterations: ten times those done so far in all, and at least
// a hundred more.
inline double aheadToFinal(double iteration) { return std::max(100.0, 9 * iteration); }

// Forecasts are evaluated after each of the first iterations ahead. Beyond them, each distance ahead is this
// multiple of the one before.
inline constexpr double kEachAhead = 64;
inline constexpr double kAheadStride = 1.1;
inline double nextAhead(double ahead) {
  return ahead < kEachAhead ? ahead + 1 : std::ceil(ahead * kAheadStride);
}

struct ConvergenceModel {
  Curve curve;
  // The root mean square error of a forecast of the newest quarter of the pairs from the others, as a share
  // of the loss's range seen. Empty while there are too few pairs to hold any back.
  std::optional<double> backTestError;
  // The owner's hint of the final loss, while all losses seen are above it.
  std::optional<double> target = {};
  // The forecast to decide by, if earlier trainings of the kind change it; null: the curve itself. Not empty,
  // the losses from the newest iteration to the final one.
  std::shared_ptr<const std::vector<CurvePoint>> withKind = {};

  // Valid while the model lives.
  Curve curveToDecideBy() const;

  // The loss that the training tends to, as far as it matters: the target or, without one, the loss after
  // aheadToFinal more iterations.
  double forecastFinal(double iteration) const;
  // The same by the curve to decide by.
  double finalToDecideBy(double iteration) const;
};

// The target. Empty if a loss of the series has reached it. REQUIRES: series is not empty.
std::optional<double> targetBelow(const LossSeries& series, std::optional<double> target);

// Empty with fewer than kFewestPairs pairs. Auto chooses the family that forecast the newest quarter better.
// `target` is a hint of the final loss (section 7); it is ignored once a loss has reached it.
std::optional<ConvergenceModel> fitConvergence(const LossSeries& series, Convergence wanted,
                                               std::optional<double> target = {});

// Continues the last change at the same pace: the strawman of section 4.2.2. Empty with fewer than
// kFewestPairs pairs.
std::optional<ConvergenceModel> fitLastChange(const LossSeries& series, std::optional<double> target = {});

// The level of the newest loss of the series, by levelOf. Empty where the loss has not fallen by more than
// its noise explains, or is not forecast to stay below its first one. Then there is no reduction of which to
// tell a part.
std::optional<double> levelNow(const LossSeries& series, const ConvergenceModel& model);

// (loss - final) / (first - final), clamped to 0..1: 1 at the start, 0 when nothing is left to gain.
double levelOf(double loss, double first, double final);

// Iterations from `iteration` until the forecast is down to `level`. Empty if that is not in sight.
std::optional<double> iterationsToLevel(const ConvergenceModel& model, double first, double iteration,
                                        double level);

}  // namespace slaq::forecast
