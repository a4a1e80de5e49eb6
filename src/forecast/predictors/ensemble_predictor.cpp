#include "forecast/predictors/ensemble_predictor.h"

#include <algorithm>

#include "forecast/ensemble/ensemble.h"

namespace slaq::forecast {
namespace {

// What other jobs of its kind did counts this much in a job's own forecast, less before so many of them were
// seen, and nothing where they are no guide to what it did so far: by this share of the range of its losses.
constexpr double kTrustInKind = 0.5;
constexpr double kJobsOfAKind = 3;
constexpr double kMostMissed = 0.03;

// With less than this part of another job its kind is not known.
constexpr double kFewestJobsOfAKind = 0.1;

// Of a kind's own curve: how many jobs the recorded trainings count as.
constexpr double kRecordedJobs = 0.5;

// A kind, as one of its jobs sees it.
struct Kin {
  const Population* population = nullptr;  // null where it is not known
  double others = 0;                       // how many other jobs it was updated by
};

double trustIn(const Kin& kin, const LossSeries& series) {
  if (!kin.population) return 0;
  const double guides = std::max(0.0, 1 - kin.population->missed(series) / kMostMissed);
  return kTrustInKind * guides * std::min(1.0, kin.others / kJobsOfAKind);
}

// What to decide by in the place of the curve: partly what jobs of its kind did next, and never less than a
// share of what all jobs did. Empty where that is the curve.
std::optional<Curve> curveToDecideBy(const Curve& curve, const LossSeries& series, const Population& all,
                                     const Kin& kin) {
  const double k = series.lastIteration().value();
  const auto least = all.fallsAhead(series);
  auto falls = kin.population ? kin.population->fallsAhead(series) : least;
  const double trust = trustIn(kin, series);
  bool isCurve = true;
  for (std::size_t i = 0; i < falls.size(); ++i) {
    const double own = curve.reduction(k, falls[i].ahead);
    const double expected = own + trust * (falls[i].reduction - own);
    falls[i].reduction = std::max(expected, kOptimism * least[i].reduction);
    isCurve &= falls[i].reduction == own;
  }
  if (isCurve) return std::nullopt;
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
  Kin kin{.population = kinds_.find(std::string(hints.kind))};
  if (kin.population) kin.others = kin.population->jobs() - hints.countedForKind;
  if (kin.others < kFewestJobsOfAKind) kin.population = nullptr;
  const Population& likely = kin.population ? *kin.population : population_;
  if (series.empty()) return ConvergenceModel{likely.curveFor(series, {}), {}, {}};
  const auto target = targetBelow(series, hints.target);
  if (series.size() < kFewestPairs) {
    const auto floor = target ? target : series.lowest() > 0 ? std::optional(0.0) : std::nullopt;
    return ConvergenceModel{likely.curveFor(series, floor), {}, target};
  }
  Ensemble& ensemble = ensembleIn(memory, constants_.experts);
  ensemble.follow(series, target);
  const Curve& curve = ensemble.curve();
  return ConvergenceModel{curve, ensemble.backTestError(), target,
                          curveToDecideBy(curve, series, population_, kin)};
}

double EnsemblePredictor::update(const JobRecord& job) {
  if (job.countsForAll) population_.update(job.series, job.model);
  if (job.kind.empty()) return 0;
  const auto make = [&] { return Population(constants_.firstCurve, kRecordedJobs); };
  return kinds_.change(std::string(job.kind), make).update(job.series, job.model, job.countedForKind);
}

}  // namespace slaq::forecast
