#include "schedule/lifecycle.h"

#include <algorithm>

#include "job/validate.h"

namespace slaq {
namespace {

JobPlan ended(JobPlan plan, JobState state, Standing standing, std::string reason) {
  plan.state = state;
  plan.standing = standing;
  plan.target = Workers(0);
  plan.reason = std::move(reason);
  return plan;
}

// Why the chief's failures end the job, if they do.
std::optional<std::string> exhausted(const JobSnapshot& job) {
  const int failures = job.view->driver.failures - job.history->forgivenFailures;
  const int limit = job.view->job.spec.backoffLimit;
  if (failures <= limit) return std::nullopt;
  return "the driver failed " + std::to_string(failures) +
         " times without a new iteration; backoffLimit is " + std::to_string(limit);
}

// How the job ended, if it did.
std::optional<JobPlan> endOf(const JobSnapshot& job, const JobPlan& plan) {
  const JobView& view = *job.view;
  if (view.job.deleting) return ended(plan, view.status.state, Standing::Over, "is being deleted");
  if (view.status.state == JobState::Complete) {
    return ended(plan, JobState::Complete, Standing::Over, "the training is over");
  }
  if (view.status.state == JobState::Failed) {
    const auto* failed = find(view.status.conditions, ConditionType::Failed);
    return ended(plan, JobState::Failed, Standing::Over, failed ? failed->message : "failed");
  }
  if (view.job.spec.driver ? view.driver.succeeded : view.workers.succeeded) {
    return ended(plan, JobState::Complete, Standing::Over, "the training is over");
  }
  if (view.driver.failed) return ended(plan, JobState::Failed, Standing::Over, *view.driver.failed);
  if (view.workers.failed) return ended(plan, JobState::Failed, Standing::Over, *view.workers.failed);
  if (const auto why = exhausted(job)) return ended(plan, JobState::Failed, Standing::Over, *why);
  return std::nullopt;
}

bool isStale(const JobSnapshot& job, const Snapshot& snapshot, const Settings& settings) {
  const auto& last = job.history->lastSample;
  return snapshot.lossSourceDown || !job.history->lastWasFinite ||
         (last && snapshot.now - *last > staleAfter(settings));
}

// Its curve is known, but not yet how fast it goes: so it is for a moment after the controller started.
bool isUntimed(const JobHistory& history) {
  return !(history.runtime.coreSecondsPerIteration().value_or(0) > 0);
}

// How a job that may run takes part.
Standing partOf(const JobSnapshot& job, const Snapshot& snapshot, const Settings& settings) {
  const JobView& view = *job.view;
  const JobHistory& history = *job.history;
  if (view.job.spec.workers.pinned > Workers(0)) return Standing::Pinned;
  if (history.resizingSince && snapshot.now - *history.resizingSince < kResizeTimeout)
    return Standing::Resizing;
  if (runs(view.workers) && !history.caughtUp) return Standing::Held;
  if (!history.model) {
    return history.adopted && snapshot.now - history.known < kAdoption ? Standing::Held : Standing::Learning;
  }
  return isStale(job, snapshot, settings) || isUntimed(history) ? Standing::Held : Standing::Quality;
}

}  // namespace

Seconds staleAfter(const Settings& settings) { return std::max(Seconds(15), 5 * settings.epoch); }

bool takesPart(Standing standing) {
  switch (standing) {
    case Standing::Refused:
    case Standing::Over:
    case Standing::Suspended:
    case Standing::Waiting:
      return false;
    case Standing::Pinned:
    case Standing::Resizing:
    case Standing::Held:
    case Standing::Learning:
    case Standing::Quality:
      return true;
  }
  return false;
}

JobPlan standingOf(const JobSnapshot& job, const Snapshot& snapshot, const Settings& settings) {
  const JobView& view = *job.view;
  JobPlan plan{.job = view.job.key};
  plan.held = runs(view.workers) ? view.workers.desired : Workers(0);
  if (auto end = endOf(job, plan)) return *end;
  if (view.refusal) return ended(plan, JobState::Pending, Standing::Refused, *view.refusal);
  if (const auto violations = validate(view.job); !violations.empty()) {
    return ended(plan, JobState::Pending, Standing::Refused,
                 violations.front().path + ": " + violations.front().message);
  }
  if (view.job.spec.suspend) {
    return ended(plan, JobState::Suspended, Standing::Suspended, "spec.suspend is true");
  }
  plan.standing = partOf(job, snapshot, settings);
  const bool begun = view.workers.ready > Workers(0) || (view.status.started && runs(view.workers));
  plan.state = begun ? JobState::Running : JobState::Pending;
  return plan;
}

}  // namespace slaq
