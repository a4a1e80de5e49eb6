// The forecast of one job: which family of curves its loss follows and the curve itself (section 4.2.2).
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <vector>

#include "forecast/curves/curve.h"
#include "forecast/series/loss_series.h"
#include "job/job.h"

namespace slaq::forecast {

// A forecast from a job's own losses needs this number of pairs.
inline constexpr std::size_t kFewestPairs = 3;

// After that many iterations more a training is taken to be over: ten times those done so far in all, at
// least a hundred more.
inline double aheadToFinal(double iteration) { return std::max(100.0, 9 * iteration); }

struct ConvergenceModel {
  Curve curve;
  // The root mean square error of a forecast of the newest quarter of the pairs from the others, as a
  // share of the loss's range seen. Empty while there are too few pairs to hold any back.
  std::optional<double> backTestError;
  // The owner's hint of the final loss, as long as no loss seen was lower.
  std::optional<double> target = {};
  // The forecast to decide by, if earlier trainings of the kind change it; null: the curve itself. Not empty,
  // the losses from the newest iteration to the final one.
  std::shared_ptr<const std::vector<CurvePoint>> withKind = {};

  // Valid while the model lives.
  Curve curveToDecideBy() const;

  // The loss that the training tends to, as far as it matters: the target, or else that after aheadToFinal.
  double forecastFinal(double iteration) const;
  // The same by the curve to decide by.
  double finalToDecideBy(double iteration) const;
};

// The target, or nothing where a loss of the series is below it already. REQUIRES: series is not empty.
std::optional<double> targetBelow(const LossSeries& series, std::optional<double> target);

// Empty with fewer than kFewestPairs pairs. Auto: the family that forecast the newest quarter better.
// `target` is a hint of the final loss (section 7); it is ignored where the loss is below it already.
std::optional<ConvergenceModel> fitConvergence(const LossSeries& series, Convergence wanted,
                                               std::optional<double> target = {});

// The last change goes on, at the same pace: the strawman of section 4.2.2. Empty with fewer than
// kFewestPairs pairs.
std::optional<ConvergenceModel> fitLastChange(const LossSeries& series, std::optional<double> target = {});

// Where the newest loss of the series stands, by levelOf. Empty where the loss has not fallen, by more than
// its noise explains, or is not forecast to stay below its first one: it has no reduction then of which to
// tell a part.
std::optional<double> levelNow(const LossSeries& series, const ConvergenceModel& model);

// (loss - final) / (first - final), held in 0..1: 1 at the start, 0 when nothing is left to gain.
double levelOf(double loss, double first, double final);

// Iterations from `iteration` until the forecast is down to `level`; empty if that is not in sight.
std::optional<double> iterationsToLevel(const ConvergenceModel& model, double first, double iteration,
                                        double level);

}  // namespace slaq::forecast
