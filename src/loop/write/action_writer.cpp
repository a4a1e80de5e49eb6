#include "loop/write/action_writer.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "scheduler/explain/plan_text.h"

namespace slaq::loop {
namespace {

const JobView& viewOf(const scheduler::Snapshot& snapshot, const JobKey& key) {
  return *std::ranges::find(snapshot.jobs, key, [](const auto& at) { return at.view->job.key; })->view;
}

// How many workers an action that succeeds leaves. None when they do not run any more.
std::optional<Workers> workersAskedBy(const Action& action, const JobView& view) {
  if (const auto* start = std::get_if<StartJob>(&action)) return start->workers;
  if (const auto* scale = std::get_if<ScaleWorkers>(&action)) return scale->to;
  if (std::holds_alternative<ScaleCpu>(action)) return view.workers.desired;
  return std::nullopt;
}

bool isAs(const WorkersView& workers, Workers asked) { return runs(workers) && workers.desired == asked; }

// What somebody else did to the workers' Job, a sentence. None where the Job ended, or was deleted.
std::optional<std::string> editOf(const WorkersView& workers, Workers asked) {
  if (!workers.exists || workers.succeeded || workers.failed) return std::nullopt;
  const std::string done = workers.suspended
                               ? "suspended the workers' Job"
                               : "set the workers' Job to " + scheduler::workersText(workers.desired);
  return "Somebody else " + done + ", where slaq had asked for " + scheduler::workersText(asked) +
         ". slaq goes on deciding how many run: edit the TrainingJob instead, its spec.suspend, " +
         "spec.replicas, spec.workers.minReplicas or maxReplicas.";
}

}  // namespace

std::vector<ActionResult> ActionWriter::apply(const scheduler::Snapshot& snapshot,
                                              const scheduler::Plan& plan, const StatusWriter& statuses,
                                              Seconds epoch, const std::function<bool()>& mayGoOn) {
  retries_.retain(snapshot);
  tries_.clear();
  tellOfEdits(snapshot);
  int silences = 0;
  for (const Action* action : inTurn(plan)) {
    const bool ends = std::holds_alternative<FinishJob>(*action);
    if (ends && !statuses.isEndWritten(jobOf(*action))) continue;
    if (retries_.mustWait(jobOf(*action), clock_.monotonic(), action->index())) continue;
    if (silences == kMostSilences || !mayGoOn()) break;
    applyOne(plan, *action);
    if (isSilence(tries_.back().done.result)) ++silences;
  }
  noteFailures(snapshot, epoch);
  noteAsked(snapshot);
  std::vector<ActionResult> results;
  for (Try& each : tries_) results.push_back(std::move(each.done));
  return results;
}

// As the plan has them, but what failed before comes after all others, and what failed last comes last.
std::vector<const Action*> ActionWriter::inTurn(const scheduler::Plan& plan) const {
  std::vector<const Action*> actions;
  for (const auto& action : plan.actions) actions.push_back(&action);
  std::ranges::stable_sort(
      actions, {}, [&](const Action* action) { return retries_.failedAt(jobOf(*action), action->index()); });
  return actions;
}

void ActionWriter::applyOne(const scheduler::Plan& plan, const Action& action) {
  const Seconds begun = clock_.monotonic();
  tries_.push_back({{action, cluster_.apply(action)}, Seconds(0)});
  tries_.back().took = clock_.monotonic() - begun;
  const auto* scaled = std::get_if<ScaleWorkers>(&action);
  if (!scaled || !tries_.back().done.result) return;
  const auto job = std::ranges::find(plan.jobs, scaled->job, &scheduler::JobPlan::job);
  cluster_.record(scaled->job, {false, "Scaled", sentenceOf(*job)});
}

// Where nobody was answered, the cluster is out of order, and no job the cause of it.
void ActionWriter::noteFailures(const scheduler::Snapshot& snapshot, Seconds epoch) {
  const bool isOutage =
      std::ranges::all_of(tries_, [](const Try& each) { return isSilence(each.done.result); });
  const Seconds now = clock_.monotonic();
  for (const Try& each : tries_) {
    const auto& result = each.done.result;
    const JobView& job = viewOf(snapshot, jobOf(each.done.action));
    const std::size_t write = each.done.action.index();
    if (result) {
      retries_.forget(job.job.key, write);
    } else if (isOutage) {
      retries_.addSilence(job, now, epoch, each.took, write);
    } else if (result.error().kind != ErrorKind::Conflict) {
      retries_.addFailure(job, now, epoch, each.took, write);
    }
  }
}

// Somebody who edits the workers' Job by hand is told why the edit does not last.
void ActionWriter::tellOfEdits(const scheduler::Snapshot& snapshot) {
  std::map<JobKey, Asked> kept;
  for (const auto& [view, history] : snapshot.jobs) {
    const auto found = asked_.find(view->job.key);
    if (found == asked_.end() || found->second.uid != view->job.uid) continue;
    const Asked& asked = found->second;
    if (isAs(view->workers, asked.workers)) {
      kept.insert(*found);
    } else if (const auto edit = editOf(view->workers, asked.workers)) {
      cluster_.record(view->job.key, {true, "EditedElsewhere", *edit});
    }
  }
  asked_ = std::move(kept);
}

// After a conflict nothing was changed. After any other error nobody knows.
void ActionWriter::noteAsked(const scheduler::Snapshot& snapshot) {
  for (const Try& each : tries_) {
    const auto& [action, result] = each.done;
    if (!result && result.error().kind == ErrorKind::Conflict) continue;
    const JobView& view = viewOf(snapshot, jobOf(action));
    const auto asked = workersAskedBy(action, view);
    if (result && asked) {
      asked_[view.job.key] = {view.job.uid, *asked};
    } else {
      asked_.erase(view.job.key);
    }
  }
}

}  // namespace slaq::loop
