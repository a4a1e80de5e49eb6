#include "forecast/predictors/ensemble_predictor.h"

#include <algorithm>

#include "forecast/ensemble/ensemble.h"

namespace slaq::forecast {
namespace {

// Empty where the curve expects as much by itself.
std::optional<Curve> raised(const Curve& curve, const LossSeries& series, const Population& population) {
  const double k = series.lastIteration().value();
  auto falls = population.fallsAhead(series);
  bool isMore = false;
  for (auto& fall : falls) {
    const double own = curve.reduction(k, fall.ahead);
    fall.reduction = std::max(own, kOptimism * fall.reduction);
    isMore |= fall.reduction > own;
  }
  if (!isMore) return std::nullopt;
  return hyperbolaThrough(k, curve.at(k), falls[0], falls[1]);
}

Ensemble& ensembleIn(ForecastMemory& memory, const Experts& experts) {
  if (!memory.has_value()) memory.emplace<Ensemble>(experts);
  return *std::any_cast<Ensemble>(&memory);
}

}  // namespace

EnsemblePredictor::EnsemblePredictor(const FittedConstants& constants)
    : constants_(constants), population_(constants.firstCurve) {}

std::optional<ConvergenceModel> EnsemblePredictor::forecast(std::string_view, const LossSeries& series,
                                                            const LossHints& hints,
                                                            ForecastMemory& memory) const {
  if (series.empty()) return ConvergenceModel{population_.curveFor(series, {}), {}, {}};
  const auto target = targetBelow(series, hints.target);
  if (series.size() < kFewestPairs) {
    const auto floor = target ? target : series.lowest() > 0 ? std::optional(0.0) : std::nullopt;
    return ConvergenceModel{population_.curveFor(series, floor), {}, target};
  }
  Ensemble& ensemble = ensembleIn(memory, constants_.experts);
  ensemble.follow(series, target);
  const Curve& curve = ensemble.curve();
  return ConvergenceModel{curve, ensemble.backTestError(), target, raised(curve, series, population_)};
}

void EnsemblePredictor::update(const JobRecord& job) { population_.update(job.series, job.model); }

}  // namespace slaq::forecast
