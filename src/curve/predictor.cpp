#include "curve/predictor.h"

#include <algorithm>
#include <array>

namespace slaq {
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

ConvergenceModel byEnsemble(const LossSeries& series, std::optional<double> target, Ensemble& ensemble,
                            const Population& population) {
  if (series.empty()) return {population.curveFor(series, {}), {}, {}};
  target = targetBelow(series, target);
  if (series.size() < kFewestPairs) {
    const auto floor = target ? target : series.lowest() > 0 ? std::optional(0.0) : std::nullopt;
    return {population.curveFor(series, floor), {}, target};
  }
  ensemble.follow(series, target);
  const Curve& curve = ensemble.curve();
  return {curve, ensemble.backTestError(), target, raised(curve, series, population)};
}

}  // namespace

void Predictor::prepare(std::span<const Asked> jobs, PrefetchQueue& ahead) const {
  if (name != PredictorName::Ensemble) return;
  std::array<Ensemble::Followed, kTogether> followed;
  std::size_t count = 0;
  for (const auto& [series, hints, ensemble] : jobs) {
    if (series->size() < kFewestPairs) continue;
    followed[count++] = {ensemble, series, targetBelow(*series, hints.target)};
  }
  Ensemble::follow(std::span(followed).first(count), ahead);
}

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
