#include "scheduler/state/history.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "forecast/constants.h"
#include "scheduler/constants.h"

namespace slaq::scheduler {
namespace {

// A counter beyond the range in which a double counts one by one is no valid counter.
constexpr Iterations kMostIterations{9007199254740992};

void judgeReduction(JobHistory& history, std::optional<double> wanted) {
  const auto percent = wanted ? reducedPercent(history) : std::nullopt;
  Agreement& reduced = history.losses.reduced;
  if (!percent || *percent < *wanted) {
    reduced = {};
    return;
  }
  const double final = history.losses.model->forecastFinal(history.losses.series.lastIteration().value());
  const double range = history.losses.series.first().value() - final;
  const bool agrees = reduced.forecasts > 0 && std::abs(final - reduced.final) <= kAgreementRange * range;
  const Iterations last = history.losses.series.lastIteration();
  reduced = {agrees ? reduced.forecasts + 1 : 1, final, agrees ? reduced.since : last};
}

// For its kind a job counts from its first iteration on, because trainings of some kinds have few iterations.
void updatePredictor(JobHistory& history, forecast::Predictor& predictor) {
  const forecast::LossSeries& series = history.losses.series;
  if (!history.losses.model || series.size() < 2 || series.iterations().front() > 1) return;
  const Iterations last = series.lastIteration();
  const bool forAll =
      ownModel(history) && last >= std::max(kFirstPredictorUpdate, history.shared.curveToAll * 2);
  const bool forKind =
      !history.kind.empty() && last >= Iterations(1) && last >= history.shared.curveToKind * 2;
  if (!forAll && !forKind) return;
  if (forAll) history.shared.curveToAll = last;
  history.shared.curveToKind = last;
  predictor.update({series, *history.losses.model, history.uid, history.kind, forAll});
}

// A job updates the speeds when it was measured at one more size, and when it has done twice the iterations.
void updateSpeeds(JobHistory& history, forecast::SpeedPopulation& speeds) {
  const auto measured = history.runtime.measured();
  const double seen = history.runtime.iterationsSeen();
  const bool isDue = measured.size() > history.shared.sizes || seen >= 2 * history.shared.speeds;
  if (measured.empty() || !isDue) return;
  const bool isNew = history.shared.sizes == 0;
  history.shared.sizes = measured.size();
  history.shared.speeds = std::max(seen, 1.0);
  speeds.update(history.kind, measured, history.runtime.unit(), isNew);
}

// Shares with other jobs the CPU time that this job had used when its first loss was seen.
void updateStarts(JobHistory& history, StartWork& starts) {
  if (history.losses.series.empty() || history.shared.start || history.pods.adopted) return;
  const auto used = history.pods.cpuReadings.usedAt(history.losses.begun);
  if (!used) return;
  history.shared.start = true;
  starts.add(history.kind, *used);
}

bool isCount(Iterations iteration) { return iteration >= Iterations(0) && iteration <= kMostIterations; }

}  // namespace

std::optional<std::string> whyUnusable(Iterations iteration, Loss loss) {
  if (!isCount(iteration)) return "the trainer exports a number of iterations that is none";
  if (!std::isfinite(loss.value())) return "the trainer exports a loss that is not a finite number";
  return std::nullopt;
}

void learn(JobHistory& history, Time time, Iterations iteration, Loss loss, std::optional<Loss> initial) {
  if (history.losses.lastSample && time <= *history.losses.lastSample) return;
  const bool isFirst = !history.losses.lastSample;
  // Only spacings while the job ran count: no sample comes while nothing runs, and a history that is read
  // afterwards has fewer samples than were taken.
  const bool ranBetween =
      !isFirst && history.pods.readySince && *history.losses.lastSample >= *history.pods.readySince;
  if (ranBetween) history.losses.sampleTimes.add(time - *history.losses.lastSample);
  history.losses.lastSample = time;
  // A gauge that the program has not set yet is 0.
  if (iteration == Iterations(0) && loss == Loss(0) && initial.value_or(Loss(0)) == Loss(0)) return;
  history.losses.unusable = whyUnusable(iteration, loss);
  if (!isCount(iteration)) return;
  history.runtime.sample(time, iteration);
  history.pauses.sample(time, iteration, history.runtime);
  if (history.losses.series.empty() && initial && iteration > Iterations(0))
    history.losses.series.add(Iterations(0), *initial);
  const Iterations reached = std::min(iteration, std::exchange(history.losses.newest, iteration));
  const bool advanced = history.losses.furthest >= Iterations(0) && reached > history.losses.furthest;
  history.losses.furthest = std::max(history.losses.furthest, reached);
  const bool restarted =
      history.losses.series.add(iteration, loss) == forecast::LossSeries::Verdict::Restarted;
  if (isFirst || restarted || history.losses.begun == Time()) history.losses.begun = time;
  if (!advanced) return;
  history.failures.forgiven = history.failures.before;
  history.resizes.inVain = 0;
}

bool hasIterated(const JobHistory& history) {
  return history.losses.newest > Iterations(0) || !history.losses.series.empty();
}

void forgiveUnseen(JobHistory& history) {
  auto& failures = history.failures;
  const int news = std::max(0, failures.seen - failures.before);
  if (hasIterated(history)) failures.forgiven = std::min(failures.seen, failures.forgiven + news);
}

Wishes wishesOf(const JobSpec& spec) {
  const auto& target = spec.loss.target;
  return {{spec.loss.convergence,
           target ? std::optional(oriented(spec.loss.mode, Loss(*target)).value()) : std::nullopt},
          spec.stop.lossReductionPercent};
}

void refit(JobHistory& history, const Wishes& wishes, const forecast::Predictor& predictor) {
  if (history.losses.fitted == history.losses.series.revision()) return;
  forecast::LossHints hints = wishes.loss;
  hints.kind = history.kind;
  history.losses.model = predictor.forecast(history.uid, history.losses.series, hints, history.losses.memory);
  history.losses.fitted = history.losses.series.revision();
  judgeReduction(history, wishes.reductionPercent);
}

void expect(JobHistory& history, const JobSpec& spec, const forecast::Predictor& predictor,
            const Peers& peers) {
  const Cores unit = sizesOf(spec).coresAt(1);
  if (unit > Cores()) history.runtime.expect(peers.speeds.expected(history.kind, inCores(unit)), unit);
  history.expected.oldestSample = peers.oldestSamples.median();
  history.expected.pauses = peers.pauses.expected(history.kind);
  history.expected.start = peers.starts.expected(history.kind);
  const Iterations done =
      history.losses.series.empty() ? Iterations(0) : history.losses.series.lastIteration();
  history.expected.trainingsOfKind = peers.records.count(history.kind);
  history.expected.length = peers.lengths.expected(history.kind, done.value());
  if (history.losses.series.empty())
    history.losses.model =
        predictor.forecast(history.uid, history.losses.series, {.kind = history.kind}, history.losses.memory);
}

void updatePeers(JobHistory& history, forecast::Predictor& predictor, Peers& peers) {
  updatePredictor(history, predictor);
  updateSpeeds(history, peers.speeds);
  const auto oldest = history.losses.sampleTimes.oldest();
  if (oldest && !history.shared.sampleTimes) peers.oldestSamples.add(*oldest);
  history.shared.sampleTimes = oldest.has_value();
  updateStarts(history, peers.starts);
  for (const auto& cost : history.pauses.takeNew()) peers.pauses.update(history.kind, cost);
}

const forecast::ConvergenceModel* ownModel(const JobHistory& history) {
  return history.losses.model && history.losses.series.size() >= forecast::kFewestPairs
             ? &*history.losses.model
             : nullptr;
}

bool isShown(const JobHistory& history) { return ownModel(history) && history.runtime.isMeasured(); }

std::optional<Seconds> oldestSample(const JobHistory& history) {
  const auto own = history.losses.sampleTimes.oldest();
  return own ? own : history.expected.oldestSample;
}

bool isStarting(const JobHistory& history) {
  return history.pods.startingSince && history.losses.series.empty();
}

std::optional<double> backTestErrorOf(const JobHistory& history) {
  return history.losses.model ? history.losses.model->backTestError : std::nullopt;
}

std::optional<double> reducedPercent(const JobHistory& history) {
  if (!ownModel(history)) return std::nullopt;
  const double iteration = history.losses.series.lastIteration().value();
  const double first = history.losses.series.first().value();
  // A single low sample is no proof: the fitted curve must have fallen as far.
  const double loss =
      std::max(history.losses.series.last().value(), history.losses.model->curve.at(iteration));
  const double final = history.losses.model->forecastFinal(iteration);
  if (!levelNow(history.losses.series, *history.losses.model)) return std::nullopt;
  return 100 * (1 - forecast::levelOf(loss, first, final));
}

Iterations iterationAt(const JobHistory& history, Time now, Seconds most) {
  return history.runtime.iterationAt(now, most).value_or(history.losses.series.lastIteration());
}

const std::string& lastFailureOf(const JobView& view) {
  return view.job.spec.driver ? view.driver.lastFailure : view.workers.lastFailure;
}

int chiefFailuresOf(const JobView& view) {
  return view.job.spec.driver ? view.driver.failures : view.workers.failures;
}

}  // namespace slaq::scheduler
