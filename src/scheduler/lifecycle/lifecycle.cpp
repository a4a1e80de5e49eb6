#include "scheduler/lifecycle/lifecycle.h"

#include <algorithm>

#include "job/target_kind.h"
#include "job/validate.h"
#include "scheduler/constants.h"
#include "scheduler/lifecycle/stop.h"
#include "scheduler/state/resize_watch.h"

namespace slaq::scheduler {
namespace {

// True if a job without any loss should have shown one by now: its workers have run for long enough, or do
// not start. REQUIRES: it has shown none.
bool isOverdue(const JobHistory& history, Time now, const Settings& settings) {
  if (!history.pods.readySince) {
    // A request for another size while the job starts is no new beginning.
    const auto& since = history.pods.startingSince ? history.pods.startingSince : history.resizes.since;
    return since && now - *since >= history.resizes.timeout;
  }
  return now - *history.pods.readySince >= staleAfter(settings);
}

JobPlan inactive(JobPlan plan, JobState state, std::string reason) {
  plan.state = state;
  plan.phase = Phase::Inactive;
  plan.target = Workers(0);
  plan.reason = std::move(reason);
  return plan;
}

JobPlan over(JobPlan plan, JobState state, std::string endReason, std::string reason) {
  plan.endReason = std::move(endReason);
  return inactive(std::move(plan), state, std::move(reason));
}

std::string nameOfChief(const JobSpec& spec) {
  if (spec.driver) return "the driver";
  return spec.workers.max == Workers(1) ? "its program" : "worker 0, the chief,";
}

// Why a third try would end like the first two, if it would. slaq need not see the iterations of jobs that it
// does not schedule by their loss.
std::optional<std::string> userErrorOf(const JobSnapshot& job, const Snapshot& snapshot) {
  const JobHistory& history = *job.history;
  const JobSpec& spec = job.view->job.spec;
  const bool mayHaveIterated =
      hasIterated(history) || isSourceDown(job, snapshot) || spec.scheduling != Scheduling::Quality;
  if (history.failures.alike < kAlikeFailures || mayHaveIterated) return std::nullopt;
  return nameOfChief(spec) + " " + history.failures.last + ", " + std::to_string(history.failures.alike) +
         " times before its first iteration";
}

// Why the chief's failures end the job, if they do.
std::optional<std::string> exhausted(const JobSnapshot& job) {
  const JobSpec& spec = job.view->job.spec;
  const int failures = chiefFailuresOf(*job.view) - job.history->failures.forgiven;
  if (failures <= spec.backoffLimit) return std::nullopt;
  return nameOfChief(spec) + " failed " + std::to_string(failures) +
         " times without a new iteration; backoffLimit is " + std::to_string(spec.backoffLimit) +
         (job.history->failures.last.empty() ? "" : ". The last time it " + job.history->failures.last);
}

// An end that the status shows already stays as it is.
JobPlan asWritten(JobPlan plan, const JobStatus& status) {
  const bool complete = status.state == JobState::Complete;
  const auto* end = find(status.conditions, complete ? ConditionType::Complete : ConditionType::Failed);
  if (end) return over(std::move(plan), status.state, end->reason, end->message);
  return complete ? over(std::move(plan), status.state, kTrainingOver, kTrainingOverText)
                  : over(std::move(plan), status.state, kTrainingFailed, "failed");
}

// How the pods ended the job, if they did.
std::optional<JobPlan> endOf(const JobSnapshot& job, const JobPlan& plan) {
  const JobView& view = *job.view;
  if (finished(view.status.state)) return asWritten(plan, view.status);
  if (view.job.deleting) return inactive(plan, view.status.state, "is being deleted");
  if (view.job.spec.driver ? view.driver.succeeded : view.workers.succeeded) {
    return over(plan, JobState::Complete, kTrainingOver, kTrainingOverText);
  }
  // Kubernetes would not restart the chief, because another container of its pod goes on.
  if (const auto& end = view.chiefEnd) {
    if (end->succeeded)
      return over(plan, JobState::Complete, kTrainingOver,
                  std::string(kTrainingOverText) + ": " + end->message);
    return over(plan, JobState::Failed, kTrainingFailed, end->message);
  }
  if (view.driver.failed) return over(plan, JobState::Failed, kTrainingFailed, *view.driver.failed);
  if (view.workers.failed) return over(plan, JobState::Failed, kTrainingFailed, *view.workers.failed);
  return std::nullopt;
}

// How slaq itself ends the job, if it does. In mode Observe it ends no training.
std::optional<JobPlan> stopOf(const JobSnapshot& job, const JobPlan& plan, const Snapshot& snapshot) {
  if (const auto why = exhausted(job)) return over(plan, JobState::Failed, kTrainingFailed, *why);
  if (const auto why = userErrorOf(job, snapshot)) return over(plan, JobState::Failed, kUserError, *why);
  if (const auto stop = earlyStopOf(job, snapshot.now)) {
    return over(plan, stop->state, stop->reason, stop->message);
  }
  return std::nullopt;
}

bool isStale(const JobSnapshot& job, const Snapshot& snapshot, const Settings& settings) {
  return isSourceDown(job, snapshot) || job.history->losses.unusable ||
         isSilent(*job.history, snapshot.now, settings);
}

// True if other jobs' results stand for what this job has not shown yet. They do until it is overdue.
bool isExpected(const JobSnapshot& job, const Snapshot& snapshot, const Settings& settings) {
  const JobHistory& history = *job.history;
  if (!settings.policy->decidesForNewcomers() || history.pods.adopted || !history.losses.model ||
      !history.runtime.speed())
    return false;
  if (!history.losses.series.empty() && isStale(job, snapshot, settings)) return false;
  return !history.losses.series.empty() || !isOverdue(history, snapshot.now, settings);
}

std::string whyNotStarted(const GivenBack& start) {
  return start.why + "; its cores were given back, and it is started again after a pause of " +
         std::to_string(static_cast<int>(start.pause.count())) + " s";
}

// A change is under way, and is not being given back.
bool isResizing(const JobSnapshot& job, const JobPlan& plan, Time now) {
  const auto& since = job.history->resizes.since;
  const auto most = growsUpTo(*job.history, now);
  const bool givesBack = most && (plan.held > most->workers || (plan.heldCpu && *plan.heldCpu > *most->cpu));
  return since && now - *since < job.history->resizes.timeout && !givesBack;
}

// The losses of other jobs can be read, and slaq has waited long enough for this job's loss.
bool takesPartUnread(const JobSnapshot& job, const Snapshot& snapshot) {
  const JobHistory& history = *job.history;
  return history.losses.problem && !ownModel(history) && !isSourceDown(job, snapshot) &&
         snapshot.now - history.pods.known >= kLongestUnread;
}

// A job that started with fewer cores than its target takes the rest once they are free.
bool mayTakeMore(const JobSnapshot& job, const Snapshot& snapshot, const Settings& settings) {
  return isStarting(*job.history) && job.view->job.spec.scheduling == Scheduling::Quality &&
         isExpected(job, snapshot, settings);
}

// The phase of a job that may run.
Phase partOf(const JobSnapshot& job, const JobPlan& plan, const Snapshot& snapshot,
             const Settings& settings) {
  const JobSpec& spec = job.view->job.spec;
  const JobHistory& history = *job.history;
  if (hasFixedSize(spec.workers)) return Phase::Fixed;
  if (hasPinnedWorkers(spec)) return Phase::Fair;
  if (isResizing(job, plan, snapshot.now) && !mayTakeMore(job, snapshot, settings)) return Phase::Resizing;
  if (spec.scheduling != Scheduling::Quality) return Phase::Fair;
  if (history.knownFuture) return Phase::Quality;
  if (isUnread(job) && !takesPartUnread(job, snapshot)) return Phase::Held;
  const bool expected = isExpected(job, snapshot, settings);
  if (!ownModel(history)) {
    if (expected) return Phase::Quality;
    return history.pods.adopted && snapshot.now - history.pods.known < kAdoption ? Phase::Held : Phase::Fair;
  }
  if (isStale(job, snapshot, settings)) return Phase::Held;
  if (expected || isShown(history)) return Phase::Quality;
  return settings.policy->decidesForNewcomers() && !history.pods.adopted ? Phase::Fair : Phase::Held;
}

}  // namespace

bool isUnread(const JobSnapshot& job) { return runs(job.view->workers) && !job.history->losses.caughtUp; }

bool isSilent(const JobHistory& history, Time now, const Settings& settings) {
  if (!history.losses.lastSample) return false;
  const Time read = history.losses.lastRead.value_or(now);
  return std::min(read, now) - *history.losses.lastSample > silentAfter(history, settings) ||
         now - read > kLongestUnread;
}

Seconds silentAfter(const JobHistory& history, const Settings& settings) {
  const Seconds least = staleAfter(settings);
  return std::max(least, oldestSample(history).value_or(least + kLongestScrapeInterval));
}

Seconds staleAfter(const Settings& settings) { return std::max(Seconds(15), 5 * settings.epoch); }

bool takesPart(Phase phase) {
  return phase != Phase::Inactive && phase != Phase::Observed && phase != Phase::Fixed;
}

bool isOver(const JobPlan& plan, const JobView& view) { return finished(plan.state) || view.job.deleting; }

bool isClosing(const JobPlan& plan, const JobView& view) {
  return plan.phase == Phase::Inactive && plan.state == JobState::Running && !view.job.deleting;
}

bool isRefused(const JobPlan& plan, const JobView& view) {
  return plan.phase == Phase::Inactive && plan.state == JobState::Pending && !view.job.deleting;
}

JobPlan phaseOf(const JobSnapshot& job, const Snapshot& snapshot, const Settings& settings) {
  const JobView& view = *job.view;
  JobPlan plan{.job = view.job.key};
  const Size held = heldSizeOf(view);
  plan.held = held.workers;
  plan.heldCpu = held.cpu;
  if (auto end = endOf(job, plan)) return *end;
  const bool isScheduled = settings.mode == Mode::Schedule && view.job.spec.mode == Mode::Schedule;
  const bool mayEnd = isScheduled && !whySuspended(view.job.spec);
  if (auto stop = mayEnd ? stopOf(job, plan, snapshot) : std::nullopt) return *stop;
  if (view.refusal) return inactive(plan, JobState::Pending, *view.refusal);
  if (const auto violations = validate(view.job, settings.resource); !violations.empty()) {
    return inactive(plan, JobState::Pending, violations.front().path + ": " + violations.front().message);
  }
  if (const auto why = whySuspended(view.job.spec)) return inactive(plan, JobState::Suspended, *why);
  if (!isAdmitted(view)) return inactive(plan, JobState::Waiting, view.queue->message);
  if (view.workers.succeeded && driverStands(view))
    return inactive(plan, JobState::Running, "its workers are done, its driver is not yet");
  if (const auto* start = startGivenBack(*job.history, snapshot.now))
    return inactive(plan, JobState::Waiting, whyNotStarted(*start));
  plan.phase = partOf(job, plan, snapshot, settings);
  if (plan.phase == Phase::Fixed) {
    plan.target = plan.held;
    plan.reason = "its number of workers cannot be changed";
  }
  const bool ran = view.status.state == JobState::Running && runs(view.workers);
  const bool begun = ran || view.workers.ready > Workers(0);
  plan.state = begun ? JobState::Running : JobState::Pending;
  return plan;
}

}  // namespace slaq::scheduler
