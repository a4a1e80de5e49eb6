#include "curve/predictor.h"

#include <algorithm>

namespace slaq {
namespace {

std::optional<ConvergenceModel> byEnsemble(const LossSeries& series, std::optional<double> target,
                                           Ensemble& ensemble) {
  if (series.size() < kFewestPairs) return std::nullopt;
  if (target && !(*target < std::ranges::min(series.losses()))) target.reset();
  ensemble.follow(series, target);
  return ConvergenceModel{
      .curve = ensemble.curve(), .backTestError = ensemble.backTestError(), .target = target};
}

}  // namespace

std::optional<ConvergenceModel> forecastBy(PredictorName predictor, const LossSeries& series,
                                           const LossHints& hints, Ensemble& ensemble) {
  switch (predictor) {
    case PredictorName::Strawman:
      return fitLastChange(series, hints.target);
    case PredictorName::Ensemble:
      return byEnsemble(series, hints.target, ensemble);
    case PredictorName::Published:
      break;
  }
  return fitConvergence(series, hints.convergence, hints.target);
}

}  // namespace slaq
