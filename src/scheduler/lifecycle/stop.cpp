#include "scheduler/lifecycle/stop.h"

#include <algorithm>

#include "scheduler/constants.h"

namespace slaq::scheduler {
namespace {

std::string whole(double value) { return std::to_string(static_cast<std::int64_t>(value)); }

// A training that is known to go on for longer may fall again after a plateau, as with a schedule of learning
// rates. So the plateau must have lasted for the number of iterations that it took to reach it.
bool mayFallAgain(const JobHistory& history, const StopSpec& stop) {
  std::optional<double> length = history.expected.length;
  if (stop.maxIterations) length = static_cast<double>(*stop.maxIterations);
  const double last = history.losses.series.lastIteration().value();
  return length && last < std::min(*length, 2 * history.losses.reduced.since.value());
}

std::optional<EarlyStop> byReduction(const JobHistory& history, LossMode mode, const StopSpec& stop) {
  if (!stop.lossReductionPercent) return std::nullopt;
  const bool enough =
      history.losses.series.size() >= kFewestForStop && history.losses.reduced.forecasts >= kAgreeingForStop;
  const auto reduced = reducedPercent(history);
  if (!enough || !reduced || mayFallAgain(history, stop)) return std::nullopt;
  return EarlyStop{"LossReduced",
                   (mode == LossMode::Maximize ? "the metric rose from " : "the loss fell from ") +
                       toDecimal(oriented(mode, history.losses.series.first()).value(), 3) + " to " +
                       toDecimal(oriented(mode, history.losses.series.last()).value(), 3) + ", " +
                       toDecimal(*reduced, 3) +
                       "% of the predicted total; spec.stop.lossReductionPercent is " +
                       toDecimal(*stop.lossReductionPercent)};
}

std::optional<EarlyStop> byPatience(const LossHistory& losses, LossMode mode, const StopSpec& stop) {
  if (!stop.patience || losses.series.empty()) return std::nullopt;
  const Iterations best = losses.series.lowestAt();
  // A training that goes on from a checkpoint counts from there on, and one absurdly high sample does not
  // count.
  const double since = (std::min(losses.furthest, losses.newest) - best).value();
  if (since < static_cast<double>(*stop.patience)) return std::nullopt;
  return EarlyStop{"NoImprovement",
                   std::string("the ") +
                       (mode == LossMode::Maximize ? "metric was highest" : "loss was lowest") +
                       " at iteration " + whole(best.value()) + ", " + whole(since) +
                       " iterations ago; spec.stop.patience is " + std::to_string(*stop.patience)};
}

// No worker was ever ready, as far as the job's status and this process can tell. The status reports a
// missing loss only for a job whose workers were ready.
bool neverRan(const JobView& view, const JobHistory& history) {
  const auto* metrics = find(view.status.conditions, ConditionType::MetricsAvailable);
  const bool lacksLoss = metrics && metrics->status == Truth::False;
  return !history.pods.hasRun && !lacksLoss && view.status.state != JobState::Running &&
         !view.status.progress && view.workers.ready == Workers(0);
}

EarlyStop byDeadline(const JobSnapshot& job, Seconds since, Seconds deadline) {
  const JobView& view = *job.view;
  const std::string figures =
      whole(since.count()) + " s; spec.stop.activeDeadlineSeconds is " + whole(deadline.count());
  if (!neverRan(view, *job.history)) return {"DeadlineReached", "the training ran for " + figures};
  const auto* ready = find(view.status.conditions, ConditionType::Ready);
  const std::string cause = ready && !ready->message.empty() ? " (" + ready->message + ")" : "";
  return {"DeadlineReached", "no worker became ready" + cause + " within " + figures, JobState::Failed};
}

}  // namespace

std::optional<EarlyStop> earlyStopOf(const JobSnapshot& job, Time now) {
  const StopSpec& stop = job.view->job.spec.stop;
  const auto& started = job.view->status.started;
  const double done = job.history->losses.furthest.value();
  if (stop.maxIterations && done >= static_cast<double>(*stop.maxIterations)) {
    return EarlyStop{"MaxIterations", "the training did " + whole(done) +
                                          " iterations; spec.stop.maxIterations is " +
                                          std::to_string(*stop.maxIterations)};
  }
  if (stop.activeDeadline && started && now - *started >= *stop.activeDeadline)
    return byDeadline(job, now - *started, *stop.activeDeadline);
  const LossMode mode = job.view->job.spec.loss.mode;
  if (auto due = byPatience(job.history->losses, mode, stop)) return due;
  return byReduction(*job.history, mode, stop);
}

bool hasOutlived(const JobView& view, Time now) {
  const auto& ttl = view.job.spec.ttlAfterFinished;
  return ttl && finished(view.status.state) && view.status.completed && now - *view.status.completed >= *ttl;
}

}  // namespace slaq::scheduler
