#include "curve/predictor.h"

#include <algorithm>

namespace slaq {
namespace {

// Empty where the curve expects as much by itself.
std::optional<Curve> raised(const Curve& curve, const LossSeries& series, const Population& population,
                            double seen) {
  const double k = series.lastIteration().value();
  const auto fall = [&](double ahead) {
    return Fall{ahead,
                std::max(curve.reduction(k, ahead), kOptimism * population.fallAhead(series, seen, ahead))};
  };
  const Fall near = fall(kNearAhead);
  const Fall far = fall(farAhead(k));
  if (near.reduction <= curve.reduction(k, near.ahead) && far.reduction <= curve.reduction(k, far.ahead)) {
    return std::nullopt;
  }
  return hyperbolaThrough(k, curve.at(k), near, far);
}

ConvergenceModel byEnsemble(const LossSeries& series, std::optional<double> target, Ensemble& ensemble,
                            const Population& population) {
  if (series.empty()) return {population.curveFor(series, {}), {}, {}};
  ensemble.prefetch();
  const auto [lowest, highest] = std::ranges::minmax(series.losses());
  target = targetBelow(series, target);
  if (series.size() < kFewestPairs) {
    const auto floor = target ? target : lowest > 0 ? std::optional(0.0) : std::nullopt;
    return {population.curveFor(series, floor), {}, target};
  }
  ensemble.follow(series, target);
  const Curve& curve = ensemble.curve();
  return {curve, ensemble.backTestError(), target, raised(curve, series, population, highest - lowest)};
}

}  // namespace

std::optional<ConvergenceModel> Predictor::forecast(const LossSeries& series, const LossHints& hints,
                                                    Ensemble& ensemble) const {
  switch (name) {
    case PredictorName::Strawman:
      return fitLastChange(series, hints.target);
    case PredictorName::Ensemble:
      return byEnsemble(series, hints.target, ensemble, population);
    case PredictorName::Published:
      break;
  }
  return fitConvergence(series, hints.convergence, hints.target);
}

}  // namespace slaq
