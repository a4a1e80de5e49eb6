#include "loop/status.h"

#include <algorithm>

#include "curve/convergence_model.h"
#include "schedule/lifecycle.h"

namespace slaq {
namespace {

// A job whose workers have been ready for so long ought to have exported a loss.
constexpr Seconds kFirstLossWithin{30};
// The training counts as nearly done at this level; the time left is counted to there.
constexpr double kDoneLevel = 0.01;

// Reasons that an event goes with.
constexpr const char* kTargetReached = "TargetReached";
constexpr const char* kGrowthGivenBack = "GrowthGivenBack";
constexpr const char* kResizeUnsupported = "InPlaceResizeUnsupported";

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

// Such a job is divided its cores whatever its loss is: without one it lacks nothing.
bool needsLoss(const JobSpec& spec) { return spec.scheduling == Scheduling::Quality; }

Finding metrics(const JobSnapshot& job, const Snapshot& snapshot, const Settings& settings) {
  const JobHistory& history = *job.history;
  if (!needsLoss(job.view->job.spec) && history.series.empty()) {
    return {Truth::Unknown, "NotNeeded", "no loss was read; none is needed to schedule the job"};
  }
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

// Reached once, it stays reached: the loss may well go up and down after that.
bool reachedTarget(const JobSnapshot& job) {
  const auto& target = job.view->job.spec.loss.target;
  const auto* before = find(job.view->status.conditions, ConditionType::ModelFitted);
  if (!target) return false;
  return (before && before->reason == kTargetReached) ||
         std::ranges::any_of(job.history->series.losses(), [&](double loss) { return loss <= *target; });
}

Finding fitting(const JobSnapshot& job) {
  if (reachedTarget(job)) {
    return {Truth::True, kTargetReached,
            "the loss came down to its target, " + toDecimal(*job.view->job.spec.loss.target)};
  }
  if (job.history->model) return {Truth::True, "Fitted", "the loss is forecast by a curve"};
  if (!needsLoss(job.view->job.spec) && job.history->series.empty()) {
    return {Truth::Unknown, "NotNeeded", "no forecast is needed to schedule the job"};
  }
  return {Truth::False, "TooFewLosses", "a forecast needs " + std::to_string(kFewestPairs) + " losses"};
}

Finding growing(const WorkersView& workers) {
  if (workers.ready < workers.desired || !workers.cpu) {
    return {Truth::True, "Growing", workers.obstacle.value_or("waits for workers to become ready")};
  }
  return {Truth::True, "Growing", workers.cpu->obstacle.value_or("waits for workers to get their cores")};
}

Finding resizing(const JobSnapshot& job, Time now) {
  const auto& workers = job.view->workers;
  const JobHistory& history = *job.history;
  if (workers.cpu && workers.cpu->impossible) {
    return {Truth::False, kResizeUnsupported, *workers.cpu->impossible};
  }
  if (growsUpTo(history, now)) return {Truth::False, kGrowthGivenBack, history.givenBack->why};
  if (!history.resizingSince) return {Truth::False, "Settled", "the pods are those that were asked for"};
  const bool cpuIsComing = workers.cpu && !workers.cpu->settled && workers.terminating == Workers(0);
  if (workers.ready < workers.desired || cpuIsComing) return growing(workers);
  return {Truth::True, "Shrinking", "waits for workers to end"};
}

Progress progressOf(const JobHistory& history) {
  Progress progress{.iteration = history.series.lastIteration(), .loss = history.series.last()};
  if (!history.model) return progress;
  const double iteration = progress.iteration.value();
  const double first = history.series.first().value();
  const double final = history.model->forecastFinal(iteration);
  progress.forecastFinal = Loss(final);
  progress.level = levelOf(progress.loss.value(), first, final);
  progress.convergence = name(history.model->curve.family);
  const auto ahead = iterationsToLevel(*history.model, first, iteration, kDoneLevel);
  const auto cost = history.runtime.coreSecondsPerIteration();
  const double cores = inCores(history.running);
  if (ahead && cost && cores > 0) progress.remaining = Seconds(*ahead * *cost / cores);
  return progress;
}

Decision decisionOf(const JobPlan& plan, const JobView& view, Time now) {
  const auto& before = view.status.decision;
  const bool same = before && before->workers == plan.target && before->workerCpu == plan.targetCpu;
  return {.workers = plan.target,
          .cores = coresOf(view.job.spec, {plan.target, plan.targetCpu}),
          .predictedReduction = plan.predictedReduction,
          .gainPerCore = plan.gainPerCore,
          .reason = plan.reason,
          .since = same ? before->since : now,
          .price = {},
          .forecast = plan.forecast,
          .workerCpu = plan.targetCpu};
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
    put(ConditionType::ModelFitted, fitting(job));
    put(ConditionType::Resizing, resizing(job, snapshot.now));
  } else {
    put(ConditionType::Resizing, {Truth::False, "Over", "the job is over"});
  }
  const bool suspended = plan.standing == Standing::Suspended;
  if (suspended || find(status.conditions, ConditionType::Suspended)) {
    put(ConditionType::Suspended, suspended ? Finding{Truth::True, "Suspended", "spec.suspend is true"}
                                            : Finding{Truth::False, "Resumed", "spec.suspend is false"});
  }
  if (plan.state == JobState::Complete) {
    put(ConditionType::Complete, {Truth::True, plan.endReason, plan.reason});
  }
  if (plan.state == JobState::Failed) put(ConditionType::Failed, {Truth::True, plan.endReason, plan.reason});
}

// The numbers of a status as its readers see them.
std::vector<std::string> figuresOf(const JobStatus& status) {
  std::vector<std::string> figures;
  const auto add = [&](std::optional<double> value, int digits) {
    figures.push_back(value ? toDecimal(*value, digits) : "");
  };
  const auto lossOf = [](const std::optional<Loss>& loss) {
    return loss ? std::optional(loss->value()) : std::nullopt;
  };
  if (const auto& progress = status.progress) {
    add(progress->iteration.value(), 3);
    add(progress->loss.value(), 3);
    add(progress->level, 3);
    add(progress->remaining ? std::optional(progress->remaining->count()) : std::nullopt, 2);
    add(lossOf(progress->forecastFinal), 3);
  }
  if (const auto& decision = status.decision) {
    add(decision->price, 1);
    add(lossOf(decision->forecast), 3);
    figures.push_back(decision->workerCpu ? toString(*decision->workerCpu) : "");
  }
  return figures;
}

// The reason of a condition, where it was not there before.
const Condition* newReason(const JobStatus& written, const JobStatus& next, ConditionType type,
                           std::string_view reason) {
  const auto* before = find(written.conditions, type);
  const auto* after = find(next.conditions, type);
  return after && after->reason == reason && !(before && before->reason == reason) ? after : nullptr;
}

// Where the state changed.
std::optional<Event> eventOf(const JobStatus& next) {
  switch (next.state) {
    case JobState::Running:
      return Event{false, "Running", "the first workers are ready"};
    case JobState::Waiting:
      return Event{false, "Waiting", next.decision ? next.decision->reason : ""};
    case JobState::Suspended:
      return Event{false, "Suspended", "spec.suspend is true"};
    case JobState::Complete:
      return Event{false, "Complete", find(next.conditions, ConditionType::Complete)->message};
    case JobState::Failed:
      return Event{true, "Failed", find(next.conditions, ConditionType::Failed)->message};
    case JobState::Pending:
      break;
  }
  return std::nullopt;
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
  // A deadline counts from the start anew after a suspension, as Kubernetes has it for Jobs.
  if (plan.standing == Standing::Suspended) status.started.reset();
  const bool starts = runs(view.workers) && view.workers.ready > Workers(0);
  if (!status.started && starts && !finished(plan.state)) status.started = snapshot.now;
  if (finished(plan.state) && !status.completed) status.completed = snapshot.now;
  if (!job.history->series.empty()) status.progress = progressOf(*job.history);
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
  if (written.state != next.state) {
    if (auto event = eventOf(next)) events.push_back(std::move(*event));
  }
  const auto* before = find(written.conditions, ConditionType::MetricsAvailable);
  const auto* after = find(next.conditions, ConditionType::MetricsAvailable);
  const bool lost = after && after->status == Truth::False && (!before || before->status != Truth::False);
  if (lost) events.push_back({true, "MetricsUnavailable", after->message});
  if (const auto* reached = newReason(written, next, ConditionType::ModelFitted, kTargetReached)) {
    events.push_back({false, kTargetReached, reached->message});
  }
  for (const char* reason : {kGrowthGivenBack, kResizeUnsupported}) {
    if (const auto* limited = newReason(written, next, ConditionType::Resizing, reason)) {
      events.push_back({true, reason, limited->message});
    }
  }
  return events;
}

}  // namespace slaq
