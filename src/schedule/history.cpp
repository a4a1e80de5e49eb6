#include "schedule/history.h"

#include <algorithm>
#include <cmath>

#include "schedule/resize_watch.h"

namespace slaq {

namespace {

// Forecasts of the final loss agree within this share of the range.
constexpr double kAgree = 0.05;

// A job teaches the population from here on.
constexpr Iterations kFirstLesson{16};

void judgeReduction(JobHistory& history, const StopSpec& stop) {
  const auto percent = reducedPercent(history);
  Agreement& reduced = history.reduced;
  if (!stop.lossReductionPercent || !percent || *percent < *stop.lossReductionPercent) {
    reduced = {};
    return;
  }
  const double final = history.model->forecastFinal(history.series.lastIteration().value());
  const double range = history.series.first().value() - final;
  const bool agrees = reduced.epochs > 0 && std::abs(final - reduced.final) <= kAgree * range;
  reduced = {agrees ? reduced.epochs + 1 : 1, final};
}

}  // namespace

void observe(JobHistory& history, const JobView& view, Time now) {
  const auto& workers = view.workers;
  if (history.known == Time()) {
    history.known = now;
    history.adopted = runs(workers);
    // What happened before this process came cannot be held against the job.
    history.forgivenFailures = chiefFailuresOf(view);
  }
  watchResize(history, view, now);
  history.running = *history.settledCpu * workers.ready;
  history.runtime.running(now, history.running);

  if (workers.ready == Workers(0)) {
    history.readySince.reset();
  } else if (!history.readySince) {
    history.readySince = now;
  }
}

void learn(JobHistory& history, Time time, Iterations iteration, Loss loss, std::optional<Loss> initial,
           int chiefFailures) {
  if (history.lastSample && time <= *history.lastSample) return;
  history.lastSample = time;
  history.lastWasFinite = std::isfinite(loss.value());
  history.runtime.sample(time, iteration);
  if (history.series.empty() && initial && iteration > Iterations(0))
    history.series.add(Iterations(0), *initial);
  const bool advanced = !history.series.empty() && iteration > history.furthest;
  history.furthest = std::max(history.furthest, iteration);
  history.series.add(iteration, loss);
  if (advanced) history.forgivenFailures = chiefFailures;
}

void refit(JobHistory& history, const LossSpec& loss, const StopSpec& stop, const Predictor& predictor) {
  if (history.fitted == history.series.revision()) return;
  history.model = predictor.forecast(history.series, {loss.convergence, loss.target}, history.ensemble);
  history.fitted = history.series.revision();
  judgeReduction(history, stop);
}

void expect(JobHistory& history, const Predictor& predictor) {
  history.expectedCost = predictor.population.typicalCost();
  if (history.series.empty()) history.model = predictor.forecast(history.series, {}, history.ensemble);
}

void teach(Population& population, JobHistory& history) {
  if (!ownModel(history) || history.series.iterations().front() > 1) return;
  const Iterations last = history.series.lastIteration();
  if (last < std::max(kFirstLesson, history.taught * 2)) return;
  history.taught = last;
  population.learn(history.series, *history.model);
  if (const auto cost = history.runtime.coreSecondsPerIteration()) population.learnCost(*cost);
}

const ConvergenceModel* ownModel(const JobHistory& history) {
  return history.model && history.series.size() >= kFewestPairs ? &*history.model : nullptr;
}

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
  const auto last = history.series.lastIteration();
  const auto cost = history.runtime.coreSecondsPerIteration();
  if (!cost || !(*cost > 0) || !history.lastSample) return last;
  const double elapsed = std::clamp((now - *history.lastSample).count(), 0.0, most.count());
  return last + Iterations(elapsed * inCores(history.running) / *cost);
}

int chiefFailuresOf(const JobView& view) {
  return view.job.spec.driver ? view.driver.failures : view.workers.failures;
}

}  // namespace slaq
