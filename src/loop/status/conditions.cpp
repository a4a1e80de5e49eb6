#include "loop/status/conditions.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "forecast/constants.h"
#include "forecast/curves/convergence_model.h"
#include "scheduler/constants.h"
#include "scheduler/lifecycle/lifecycle.h"
#include "scheduler/state/resize_watch.h"

namespace slaq::loop {
namespace {

// A job whose workers have been ready for this long should have exported a loss.
constexpr Seconds kFirstLossWithin{30};

struct Finding {
  Truth status;
  std::string reason;
  std::string message;
};

// Why a job that takes no part is not ready, although it is not over.
Finding inactivity(const scheduler::JobPlan& plan, const scheduler::JobSnapshot& job, Time now) {
  if (isRefused(plan, *job.view)) return {Truth::False, "Refused", plan.reason};
  if (isClosing(plan, *job.view)) return {Truth::False, "Closing", plan.reason};
  if (plan.state == JobState::Suspended) return {Truth::False, "Suspended", plan.reason};
  if (!isAdmitted(*job.view)) return {Truth::False, "Queued", plan.reason};
  if (startGivenBack(*job.history, now)) return {Truth::False, kCannotStart, plan.reason};
  return {Truth::False, "Waiting", "its minimum of cores is not free yet"};
}

Finding readiness(const scheduler::JobPlan& plan, const scheduler::JobSnapshot& job, Time now) {
  const JobView& view = *job.view;
  // A complete job counts as ready, so that programs that wait for Ready stop waiting.
  if (isOver(plan, view))
    return {plan.state == JobState::Complete ? Truth::True : Truth::False, std::string(name(plan.state)),
            plan.reason};
  if (plan.phase == scheduler::Phase::Inactive) return inactivity(plan, job, now);
  if (plan.phase == scheduler::Phase::Observed)
    return {view.workers.ready > Workers(0) ? Truth::True : Truth::False, "Observed",
            "spec.mode is Observe: slaq leaves its size alone"};
  if (view.driver.obstacle) return {Truth::False, kCannotStart, *view.driver.obstacle};
  if (view.workers.ready > Workers(0)) return {Truth::True, "Running", "workers are running"};
  if (view.workers.obstacle) return {Truth::False, kCannotStart, *view.workers.obstacle};
  return {Truth::False, "Starting", view.workers.fault.value_or("no worker is ready yet")};
}

// A job that is not scheduled by quality gets its cores whatever its loss is, so a missing loss is no fault.
bool needsLoss(const JobSpec& spec) { return spec.scheduling == Scheduling::Quality; }

// Rounded to five seconds, so that the figure does not change with every reading.
std::string inFives(Seconds time) {
  return std::to_string(5 * static_cast<int>(std::round(time.count() / 5))) + " s";
}

// A note for jobs whose samples come less often, or later, than decisions. Empty for other jobs.
std::string howSeldom(const scheduler::LossHistory& losses, const scheduler::Settings& settings) {
  const auto& times = losses.sampleTimes;
  const auto oldest = times.oldest();
  if (!oldest || *oldest <= scheduler::staleAfter(settings)) return "";
  return "; its samples come " + inFives(*times.spacing()) + " apart and " + inFives(times.delay()) + " late";
}

Finding metrics(const scheduler::JobSnapshot& job, const scheduler::Snapshot& snapshot,
                const scheduler::Settings& settings) {
  const scheduler::JobHistory& history = *job.history;
  if (!needsLoss(job.view->job.spec) && history.losses.series.empty()) {
    return {Truth::Unknown, "NotNeeded", "no loss was read; none is needed to schedule the job"};
  }
  if (isSourceDown(job, snapshot))
    return {Truth::Unknown, "LossSourceDown", "the source of the loss does not answer"};
  if (history.losses.unusable) return {Truth::False, "LossNotFinite", *history.losses.unusable};
  if (history.losses.lastSample) {
    if (!isSilent(history, snapshot.now, settings)) {
      if (history.losses.notice)
        return {Truth::True, kSeveralSeries, "the loss is read, but " + *history.losses.notice};
      return {Truth::True, "LossReported", "the loss is read" + howSeldom(history.losses, settings)};
    }
    // After a pause, the samples from before it say nothing about now.
    const bool isDue =
        history.pods.readySince && snapshot.now - *history.pods.readySince > silentAfter(history, settings);
    if (!isDue) return {Truth::Unknown, "Starting", "no loss was read yet since its workers are ready"};
    return {Truth::False, "LossStale", history.losses.problem.value_or("no new sample of the loss came")};
  }
  const Seconds within = std::max(kFirstLossWithin, history.expected.oldestSample.value_or(Seconds(0)));
  if (history.pods.readySince && snapshot.now - *history.pods.readySince >= within) {
    return {Truth::False, "NoLoss",
            history.losses.problem.value_or("no sample of " + job.view->job.spec.loss.metric + " was found")};
  }
  return {Truth::Unknown, "Starting", "no loss was read yet"};
}

// Once reached, the target stays reached: the loss may well go up and down afterwards.
bool reachedTarget(const scheduler::JobSnapshot& job) {
  const auto* before = find(job.view->status.conditions, ConditionType::ModelFitted);
  const auto target = scheduler::wishesOf(job.view->job.spec).loss.target;
  if (!target) return false;
  const bool wasReached = before && before->reason == kTargetReached &&
                          before->message.ends_with(", " + toDecimal(*job.view->job.spec.loss.target));
  return wasReached || std::ranges::any_of(job.history->losses.series.losses(),
                                           [&](double loss) { return loss <= *target; });
}

// A loss that has not fallen is news only once a stop by reduction could be judged.
bool hasNotFallen(const scheduler::JobHistory& history) {
  return ownModel(history) && history.losses.series.size() >= scheduler::kFewestForStop &&
         history.losses.series.change() != forecast::LossSeries::Change::Fallen;
}

// True if the iterations go on and the loss stays the same.
bool repeatsItsLoss(const scheduler::LossHistory& losses) {
  return !losses.series.empty() && losses.newest > losses.series.lastIteration();
}

// True if samples came for as long as a first loss may take, and hardly any new iteration with them.
bool standsStill(const scheduler::JobSnapshot& job, Time now) {
  const scheduler::JobHistory& history = *job.history;
  // The cluster shows a loss with the iteration at which it came, which stands until the next loss.
  const bool isShown = job.view->shownLoss && job.view->shownLoss->sample;
  return !isShown && !ownModel(history) && !history.losses.series.empty() &&
         !repeatsItsLoss(history.losses) && history.pods.readySince &&
         now - *history.pods.readySince >= kFirstLossWithin;
}

// The sentence changes only a few times as samples come. The iterations count as falling only if the trainer
// began again at a smaller number more often than failures and changes explain.
std::string whyStill(const scheduler::JobSnapshot& job) {
  const scheduler::JobHistory& history = *job.history;
  const int explained = scheduler::chiefFailuresOf(*job.view) + history.resizes.inVain + 1;
  const bool isFalling = history.losses.series.size() == 1 &&
                         history.losses.series.restarts() > static_cast<std::uint32_t>(explained);
  return job.view->job.spec.loss.iterationMetric +
         (isFalling ? " goes down; it must count the iterations that are done, not those that are left"
                    : " stands at " + toDecimal(history.losses.newest.value()) +
                          "; it must grow by 1 with each iteration that is done");
}

Finding fitting(const scheduler::JobSnapshot& job, Time now) {
  const LossSpec& loss = job.view->job.spec.loss;
  const scheduler::JobHistory& history = *job.history;
  if (reachedTarget(job)) {
    return {Truth::True, kTargetReached,
            (loss.mode == LossMode::Maximize ? "the metric came up to its target, "
                                             : "the loss came down to its target, ") +
                toDecimal(*loss.target)};
  }
  if (hasNotFallen(history)) {
    const bool rose = history.losses.series.change() == forecast::LossSeries::Change::Risen;
    const std::string text =
        notImprovedText(loss.mode, oriented(loss.mode, history.losses.series.first()), rose);
    if (rose) return {Truth::False, kLossRose, text};
    return {Truth::True, kNotFallen, text};
  }
  if (ownModel(history)) return {Truth::True, "Fitted", "the loss is forecast by a curve"};
  if (!needsLoss(job.view->job.spec) && history.losses.series.empty()) {
    return {Truth::Unknown, "NotNeeded", "no forecast is needed to schedule the job"};
  }
  if (standsStill(job, now)) {
    return {Truth::False, kNoIterations, whyStill(job)};
  }
  return {Truth::False, "TooFewLosses",
          "a forecast needs " + std::to_string(forecast::kFewestPairs) + " losses" +
              (repeatsItsLoss(history.losses)
                   ? ", and that of iteration " + toDecimal(history.losses.series.lastIteration().value()) +
                         " is exported again and again"
                   : "")};
}

using Findings = std::vector<std::pair<ConditionType, Finding>>;

// The conditions of a job that ended before any of its losses was read: those from its run are no longer
// true. They are set once, since a restart of the controller loses the history that says why.
Findings lossAtEnd(const JobStatus& status, const scheduler::JobSnapshot& job,
                   const scheduler::Snapshot& snapshot) {
  if (finished(job.view->status.state) || status.progress) return {};
  const JobSpec& spec = job.view->job.spec;
  if (!needsLoss(spec)) {
    const Finding unneeded{Truth::Unknown, "NotNeeded", "it ended, and no loss was read; none was needed"};
    return {{ConditionType::MetricsAvailable, unneeded}, {ConditionType::ModelFitted, unneeded}};
  }
  const std::string why =
      isSourceDown(job, snapshot) ? "the source of the loss did not answer"
      : job.history->losses.unusable
          ? *job.history->losses.unusable
          : job.history->losses.problem.value_or("no sample of " + spec.loss.metric + " was found");
  return {{ConditionType::MetricsAvailable,
           {Truth::False, "NoLoss", "it ended before any loss was read: " + why}},
          {ConditionType::ModelFitted,
           {Truth::False, "TooFewLosses", "it ended before any loss was read, so nothing was forecast"}}};
}

Finding growing(const WorkersView& workers) {
  if (workers.ready < workers.desired || !workers.cpu) {
    const auto& why = workers.obstacle ? workers.obstacle : workers.fault;
    return {Truth::True, "Growing", why.value_or("waits for workers to become ready")};
  }
  return {Truth::True, "Growing", workers.cpu->obstacle.value_or("waits for workers to get their cores")};
}

Finding resizing(const scheduler::JobSnapshot& job, Time now) {
  const auto& workers = job.view->workers;
  const scheduler::JobHistory& history = *job.history;
  if (workers.cpu && workers.cpu->impossible) {
    return {Truth::False, kResizeUnsupported, *workers.cpu->impossible};
  }
  if (growsUpTo(history, now)) return {Truth::False, kGrowthGivenBack, history.resizes.givenBack->why};
  if (!history.resizes.since) return {Truth::False, "Settled", "the pods are those that were asked for"};
  const bool cpuIsComing = workers.cpu && !workers.cpu->settled && workers.terminating == Workers(0);
  if (workers.ready < workers.desired || cpuIsComing) return growing(workers);
  return {Truth::True, "Shrinking", "waits for workers to end"};
}

}  // namespace

void setConditions(JobStatus& status, const scheduler::JobSnapshot& job, const scheduler::JobPlan& plan,
                   const scheduler::Snapshot& snapshot, const scheduler::Settings& settings) {
  const auto put = [&](ConditionType type, Finding finding) {
    set(status.conditions, {type, finding.status, std::move(finding.reason), std::move(finding.message),
                            snapshot.now, job.view->job.generation});
  };
  put(ConditionType::Ready, readiness(plan, job, snapshot.now));
  const bool over = isOver(plan, *job.view);
  if (!over) {
    const auto isKept = [&](ConditionType type) {
      return isUnread(job) && find(status.conditions, type) != nullptr;
    };
    Finding seen = metrics(job, snapshot, settings);
    const bool isWrong =
        isSourceDown(job, snapshot) || (job.history->losses.problem && seen.status == Truth::False);
    if (isWrong || !isKept(ConditionType::MetricsAvailable))
      put(ConditionType::MetricsAvailable, std::move(seen));
    if (!isKept(ConditionType::ModelFitted)) put(ConditionType::ModelFitted, fitting(job, snapshot.now));
    put(ConditionType::Resizing, resizing(job, snapshot.now));
  } else {
    put(ConditionType::Resizing, {Truth::False, "Over", "the job is over"});
    for (auto& [type, finding] : lossAtEnd(status, job, snapshot)) put(type, std::move(finding));
  }
  const bool suspended = !over && plan.state == JobState::Suspended;
  if (suspended || find(status.conditions, ConditionType::Suspended)) {
    put(ConditionType::Suspended, suspended ? Finding{Truth::True, "Suspended", plan.reason}
                                  : over    ? Finding{Truth::False, "Over", "the job is over"}
                                         : Finding{Truth::False, "Resumed", "its owner suspends it no more"});
  }
  if (plan.state == JobState::Complete) {
    put(ConditionType::Complete, {Truth::True, plan.endReason, plan.reason});
  }
  if (plan.state == JobState::Failed) put(ConditionType::Failed, {Truth::True, plan.endReason, plan.reason});
  const bool stalled = plan.state == JobState::Failed || isRefused(plan, *job.view);
  if (stalled || find(status.conditions, ConditionType::Stalled)) {
    Finding why = readiness(plan, job, snapshot.now);
    put(ConditionType::Stalled, stalled ? Finding{Truth::True, std::move(why.reason), std::move(why.message)}
                                        : Finding{Truth::False, "Resolved", "it is no longer refused"});
  }
}

}  // namespace slaq::loop
