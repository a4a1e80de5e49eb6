#include "scheduler/state/history.h"

#include <algorithm>
#include <cmath>

#include "scheduler/state/resize_watch.h"

namespace slaq {

namespace {

// Forecasts of the final loss agree within this share of the range.
constexpr double kAgree = 0.05;

// A job teaches the population from here on.
constexpr Iterations kFirstLesson{16};

void judgeReduction(JobHistory& history, std::optional<double> wanted) {
  const auto percent = wanted ? reducedPercent(history) : std::nullopt;
  Agreement& reduced = history.reduced;
  if (!percent || *percent < *wanted) {
    reduced = {};
    return;
  }
  const double final = history.model->forecastFinal(history.series.lastIteration().value());
  const double range = history.series.first().value() - final;
  const bool agrees = reduced.forecasts > 0 && std::abs(final - reduced.final) <= kAgree * range;
  reduced = {agrees ? reduced.forecasts + 1 : 1, final};
}

// What was told to the cluster at the last look has been so ever since then, if it is done already; what came
// about in between may have come at any time.
Time effectiveSince(const JobHistory& history, const JobView& view, Time now) {
  if (history.observed == Time()) return now;
  const bool wasTold = heldSizeOf(view) != history.asked;
  return wasTold ? history.observed : history.observed + 0.5 * (now - history.observed);
}

// A change that was told at the last look, of a job that ran and runs on.
void noteResize(JobHistory& history, const JobView& view) {
  const Size asked = heldSizeOf(view);
  const Size before = history.asked;
  const bool runsOn = before.workers > Workers(0) && asked.workers > Workers(0);
  const auto position = history.runtime.iterationAt(history.observed, Seconds(0));
  if (!runsOn || asked == before || asked.cpu != before.cpu || !position) return;
  history.pauses.resized(history.observed, *position, coresOf(view.job.spec, asked),
                         asked.workers > before.workers);
}

void countService(JobHistory& history, const JobView& view, Time now) {
  if (history.observed != Time())
    history.attained += inCores(history.inUse) * (now - history.observed).count();
  history.observed = now;
  history.inUse = coresInUse(view);
}

bool isTimed(const JobHistory& history) { return history.runtime.coreSecondsPerIteration().value_or(0) > 0; }

}  // namespace

void observe(JobHistory& history, const JobView& view, Time now) {
  const auto& workers = view.workers;
  if (history.known == Time()) {
    history.known = now;
    history.adopted = runs(workers);
    // What happened before this process came cannot be held against the job.
    history.forgivenFailures = chiefFailuresOf(view);
  }
  const Time since = effectiveSince(history, view, now);
  noteResize(history, view);
  countService(history, view, now);
  watchResize(history, view, now);
  history.running = *history.settledCpu * workers.ready;
  history.runtime.running(since, history.running);

  if (workers.ready == Workers(0)) {
    history.readySince.reset();
  } else if (!history.readySince) {
    history.readySince = now;
  }
}

void learn(JobHistory& history, Time time, Iterations iteration, Loss loss, std::optional<Loss> initial,
           int chiefFailures) {
  if (history.lastSample && time <= *history.lastSample) return;
  const bool isFirst = !history.lastSample;
  history.lastSample = time;
  history.lastWasFinite = std::isfinite(loss.value());
  history.runtime.sample(time, iteration);
  history.pauses.sample(time, iteration, history.runtime);
  if (history.series.empty() && initial && iteration > Iterations(0))
    history.series.add(Iterations(0), *initial);
  const bool advanced = !history.series.empty() && iteration > history.furthest;
  history.furthest = std::max(history.furthest, iteration);
  const bool beganAnew = history.series.add(iteration, loss) == LossSeries::Verdict::Restarted;
  if (isFirst || beganAnew) history.begun = {time, iteration, history.attained};
  if (advanced) history.forgivenFailures = chiefFailures;
}

Wishes wishesOf(const JobSpec& spec) {
  return {{spec.loss.convergence, spec.loss.target}, spec.stop.lossReductionPercent};
}

void refit(JobHistory& history, const Wishes& wishes, const Predictor& predictor) {
  if (history.fitted == history.series.revision()) return;
  history.model = predictor.forecast(history.uid, history.series, wishes.loss, history.memory);
  history.fitted = history.series.revision();
  judgeReduction(history, wishes.reductionPercent);
}

void expect(JobHistory& history, const Predictor& predictor) {
  history.expectedCost = predictor.typicalCost();
  if (history.series.empty())
    history.model = predictor.forecast(history.uid, history.series, {}, history.memory);
}

bool hasToTeach(const JobHistory& history) {
  if (!ownModel(history) || history.series.iterations().front() > 1) return false;
  return history.series.lastIteration() >= std::max(kFirstLesson, history.taught * 2);
}

void teach(Predictor& predictor, JobHistory& history) {
  history.taught = history.series.lastIteration();
  predictor.update({history.series, *history.model, history.runtime.coreSecondsPerIteration()});
}

const ConvergenceModel* ownModel(const JobHistory& history) {
  return history.model && history.series.size() >= kFewestPairs ? &*history.model : nullptr;
}

std::optional<double> likelyCostOf(const JobHistory& history) {
  return isTimed(history) ? history.runtime.coreSecondsPerIteration() : history.expectedCost;
}

bool isShown(const JobHistory& history) { return ownModel(history) && isTimed(history); }

std::optional<double> reducedPercent(const JobHistory& history) {
  if (!ownModel(history)) return std::nullopt;
  const double iteration = history.series.lastIteration().value();
  const double first = history.series.first().value();
  // A single low sample is no proof: the fitted curve must have come as far.
  const double loss = std::max(history.series.last().value(), history.model->curve.at(iteration));
  const double final = history.model->forecastFinal(iteration);
  if (!(first > final)) return std::nullopt;
  return 100 * (1 - levelOf(loss, first, final));
}

Iterations iterationAt(const JobHistory& history, Time now, Seconds most) {
  return history.runtime.iterationAt(now, most).value_or(history.series.lastIteration());
}

int chiefFailuresOf(const JobView& view) {
  return view.job.spec.driver ? view.driver.failures : view.workers.failures;
}

}  // namespace slaq
