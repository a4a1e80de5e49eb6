#include "loop/status.h"

#include <algorithm>
#include <array>

#include "curve/convergence_model.h"
#include "schedule/lifecycle.h"

namespace slaq {
namespace {

// A job whose workers have been ready for so long ought to have exported a loss.
constexpr Seconds kFirstLossWithin{30};
// The training counts as nearly done at this level; the time left is counted to there.
constexpr double kDoneLevel = 0.01;

struct Finding {
  Truth status;
  std::string reason;
  std::string message;
};

Finding readiness(const JobPlan& plan, const JobView& view) {
  switch (plan.standing) {
    case Standing::Refused:
      return {Truth::False, "Refused", plan.reason};
    case Standing::Over:
      return {Truth::False, std::string(name(plan.state)), plan.reason};
    case Standing::Suspended:
      return {Truth::False, "Suspended", "spec.suspend is true"};
    case Standing::Waiting:
      return {Truth::False, "Waiting", "its minimum of cores is not free yet"};
    default:
      break;
  }
  if (view.workers.ready > Workers(0)) return {Truth::True, "Running", "workers are running"};
  return {Truth::False, "Starting", "no worker is ready yet"};
}

Finding metrics(const JobSnapshot& job, const Snapshot& snapshot, const Settings& settings) {
  const JobHistory& history = *job.history;
  if (snapshot.lossSourceDown)
    return {Truth::Unknown, "LossSourceDown", "the source of the loss does not answer"};
  if (!history.lastWasFinite) {
    return {Truth::False, "LossNotFinite", "the trainer exports a loss that is not a finite number"};
  }
  if (history.lastSample) {
    if (snapshot.now - *history.lastSample <= staleAfter(settings)) {
      return {Truth::True, "LossReported", "the loss is read"};
    }
    if (history.readySince) {
      return {Truth::False, "LossStale", history.problem.value_or("no new sample of the loss came")};
    }
  }
  if (history.readySince && snapshot.now - *history.readySince > kFirstLossWithin) {
    return {Truth::False, "NoLoss",
            history.problem.value_or("no sample of " + job.view->job.spec.loss.metric + " was found")};
  }
  return {Truth::Unknown, "Starting", "no loss was read yet"};
}

Finding fitting(const JobHistory& history) {
  if (!history.model) {
    return {Truth::False, "TooFewLosses", "a forecast needs " + std::to_string(kFewestPairs) + " losses"};
  }
  return {Truth::True, "Fitted", "the loss is forecast by a curve"};
}

Finding resizing(const JobSnapshot& job) {
  if (!job.history->resizingSince) return {Truth::False, "Settled", "the pods are those that were asked for"};
  const auto& workers = job.view->workers;
  return workers.ready < workers.desired
             ? Finding{Truth::True, "Growing", "waits for workers to become ready"}
             : Finding{Truth::True, "Shrinking", "waits for workers to end"};
}

Progress progressOf(const JobHistory& history, const JobView& view) {
  Progress progress{.iteration = history.series.lastIteration(), .loss = history.series.last()};
  if (!history.model) return progress;
  const double iteration = progress.iteration.value();
  const double first = history.series.first().value();
  progress.level = levelOf(progress.loss.value(), first, history.model->forecastFinal(iteration));
  progress.convergence = name(history.model->curve.family);
  const auto ahead = iterationsToLevel(*history.model, first, iteration, kDoneLevel);
  const auto cost = history.runtime.coreSecondsPerIteration();
  const double cores = inCores(coresOf(view.job.spec.workers.pod) * view.workers.ready);
  if (ahead && cost && cores > 0) progress.remaining = Seconds(*ahead * *cost / cores);
  return progress;
}

Decision decisionOf(const JobPlan& plan, const JobView& view, Time now) {
  const auto& before = view.status.decision;
  const bool same = before && before->workers == plan.target;
  return {.workers = plan.target,
          .cores = coresOf(view.job.spec.workers.pod) * plan.target,
          .predictedReduction = plan.predictedReduction,
          .gainPerCore = plan.gainPerCore,
          .reason = plan.reason,
          .since = same ? before->since : now};
}

void setConditions(JobStatus& status, const JobSnapshot& job, const JobPlan& plan, const Snapshot& snapshot,
                   const Settings& settings) {
  const auto put = [&](ConditionType type, Finding finding) {
    set(status.conditions, {type, finding.status, std::move(finding.reason), std::move(finding.message),
                            snapshot.now, job.view->job.generation});
  };
  put(ConditionType::Ready, readiness(plan, *job.view));
  const bool over = plan.standing == Standing::Over;
  if (!over) {
    put(ConditionType::MetricsAvailable, metrics(job, snapshot, settings));
    put(ConditionType::ModelFitted, fitting(*job.history));
    put(ConditionType::Resizing, resizing(job));
  } else {
    put(ConditionType::Resizing, {Truth::False, "Over", "the job is over"});
  }
  const bool suspended = plan.standing == Standing::Suspended;
  if (suspended || find(status.conditions, ConditionType::Suspended)) {
    put(ConditionType::Suspended, suspended ? Finding{Truth::True, "Suspended", "spec.suspend is true"}
                                            : Finding{Truth::False, "Resumed", "spec.suspend is false"});
  }
  if (plan.state == JobState::Complete)
    put(ConditionType::Complete, {Truth::True, "TrainingOver", plan.reason});
  if (plan.state == JobState::Failed)
    put(ConditionType::Failed, {Truth::True, "TrainingFailed", plan.reason});
}

// The numbers of a status as its readers see them.
std::array<std::string, 4> figuresOf(const JobStatus& status) {
  if (!status.progress) return {};
  const auto& progress = *status.progress;
  return {toDecimal(progress.iteration.value(), 3), toDecimal(progress.loss.value(), 3),
          progress.level ? toDecimal(*progress.level, 3) : "",
          progress.remaining ? toDecimal(progress.remaining->count(), 2) : ""};
}

}  // namespace

JobStatus statusOf(const JobSnapshot& job, const JobPlan& plan, const Snapshot& snapshot,
                   const Settings& settings) {
  const JobView& view = *job.view;
  JobStatus status = view.status;
  status.state = plan.state;
  status.observedGeneration = view.job.generation;
  status.replicas = view.workers.active;
  status.ready = view.workers.ready;
  status.desired = plan.target;
  if (!status.started && view.workers.ready > Workers(0)) status.started = snapshot.now;
  if (finished(plan.state) && !status.completed) status.completed = snapshot.now;
  if (!job.history->series.empty()) status.progress = progressOf(*job.history, view);
  status.decision.reset();
  if (!finished(plan.state)) status.decision = decisionOf(plan, view, snapshot.now);
  setConditions(status, job, plan, snapshot, settings);
  return status;
}

Urgency urgencyOf(const JobStatus& written, const JobStatus& next) {
  const auto workersOf = [](const JobStatus& status) {
    return status.decision ? status.decision->workers : Workers(0);
  };
  const bool news = written.state != next.state || written.conditions != next.conditions ||
                    written.observedGeneration != next.observedGeneration ||
                    written.started != next.started || written.completed != next.completed ||
                    written.replicas != next.replicas || written.ready != next.ready ||
                    written.desired != next.desired || workersOf(written) != workersOf(next);
  if (news) return Urgency::News;
  return figuresOf(written) != figuresOf(next) ? Urgency::Drift : Urgency::None;
}

std::vector<Event> eventsBetween(const JobStatus& written, const JobStatus& next) {
  std::vector<Event> events;
  const auto reason = next.decision ? next.decision->reason : std::string();
  if (written.state != next.state) {
    switch (next.state) {
      case JobState::Running:
        events.push_back({false, "Running", "the first workers are ready"});
        break;
      case JobState::Waiting:
        events.push_back({false, "Waiting", reason});
        break;
      case JobState::Suspended:
        events.push_back({false, "Suspended", "spec.suspend is true"});
        break;
      case JobState::Complete:
        events.push_back({false, "Complete", "the training is over"});
        break;
      case JobState::Failed:
        events.push_back({true, "Failed", find(next.conditions, ConditionType::Failed)->message});
        break;
      case JobState::Pending:
        break;
    }
  }
  const auto* before = find(written.conditions, ConditionType::MetricsAvailable);
  const auto* after = find(next.conditions, ConditionType::MetricsAvailable);
  const bool lost = after && after->status == Truth::False && (!before || before->status != Truth::False);
  if (lost) events.push_back({true, "MetricsUnavailable", after->message});
  return events;
}

}  // namespace slaq
