#include "forecast/predictors/ensemble_predictor.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "forecast/constants.h"
#include "forecast/ensemble/ensemble.h"

namespace slaq::forecast {
namespace {

// The losses to decide by: the mean of what the job's own curve and what past ones say. Null without past
// ones.
std::shared_ptr<const std::vector<CurvePoint>> mean(const Curve& own, double iteration,
                                                    const std::optional<PastForecast>& past,
                                                    std::optional<double> floor) {
  if (!past) return nullptr;
  const double share = past->weight / (past->weight + kOwnWeight);
  if (!std::isfinite(share)) return nullptr;  // beyond the precision of a double
  auto points = std::make_shared<std::vector<CurvePoint>>();
  const double most = floor ? own.at(iteration) - *floor : std::numeric_limits<double>::infinity();
  double fall = 0;
  for (const auto& [ahead, reduction] : past->falls) {
    const double ownReduction = own.reduction(iteration, ahead);
    fall = std::max(fall, ownReduction + share * (std::min(reduction, most) - ownReduction));
    points->push_back({iteration + ahead, own.at(iteration) - fall});
  }
  return std::isfinite(points->back().loss) ? points : nullptr;
}

Ensemble& ensembleIn(ForecastMemory& memory, const Experts& experts) {
  if (!memory.has_value()) memory.emplace<Ensemble>(experts);
  return *std::any_cast<Ensemble>(&memory);
}

// The known floor of the loss: the target, or 0 as long as all losses are positive.
std::optional<double> floorOf(const LossSeries& series, std::optional<double> target) {
  if (target || series.empty()) return target;
  return series.lowest() > 0 ? std::optional(0.0) : std::nullopt;
}

}  // namespace

EnsemblePredictor::EnsemblePredictor(const FittedConstants& constants)
    : constants_(constants), population_(constants.firstCurve) {}

std::optional<ConvergenceModel> EnsemblePredictor::forecast(std::string_view uid, const LossSeries& series,
                                                            const LossHints& hints,
                                                            ForecastMemory& memory) const {
  ConvergenceModel model;
  if (!series.empty()) model.target = targetBelow(series, hints.target);
  if (series.size() < kFewestPairs) {
    model.curve = population_.curveFor(series, floorOf(series, model.target));
  } else {
    Ensemble& ensemble = ensembleIn(memory, constants_.experts);
    ensemble.follow(series, model.target);
    model.curve = ensemble.curve();
    model.backTestError = ensemble.backTestError();
  }
  if (const PastCurves* pasts = hints.kind.empty() ? nullptr : kinds_.find(std::string(hints.kind))) {
    const double now = series.empty() ? 0 : series.lastIteration().value();
    const double error = model.backTestError.value_or(kDoubtfulError);
    model.withKind =
        mean(model.curve, now, pasts->forecast(uid, series, error), floorOf(series, model.target));
  }
  return model;
}

void EnsemblePredictor::update(const JobRecord& job) {
  if (job.countsForAll) population_.update(job.series, job.model);
  if (job.kind.empty()) return;
  kinds_.change(std::string(job.kind), [] { return PastCurves(); }).record(job.uid, job.series, job.model);
}

}  // namespace slaq::forecast
