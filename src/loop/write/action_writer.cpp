#include "loop/write/action_writer.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <utility>

#include "base/figures.h"
#include "loop/write/concurrent_writes.h"
#include "scheduler/explain/plan_text.h"

namespace slaq::loop {
namespace {

// The number of workers after the action succeeds. None if no workers run then.
std::optional<Workers> workersAskedBy(const Action& action, const JobView& view) {
  if (const auto* start = std::get_if<StartJob>(&action)) return start->workers;
  if (const auto* scale = std::get_if<ScaleWorkers>(&action)) return scale->to;
  if (std::holds_alternative<ScaleCpu>(action)) return view.workers.desired;
  return std::nullopt;
}

bool isAs(const WorkersView& workers, Workers asked) { return runs(workers) && workers.desired == asked; }

// A sentence that says how someone other than slaq changed the workers' Job, or the object that the job
// names. Empty if the object ended or was deleted, or if slaq leaves it alone.
std::optional<std::string> editOf(const JobView& view, Workers asked) {
  const WorkersView& workers = view.workers;
  if (!workers.exists || workers.succeeded || workers.failed) return std::nullopt;
  const auto& target = view.job.spec.workers.target;
  if (target && view.refusal) return std::nullopt;
  const std::string object = target ? target->kind + " " + target->name : "the workers' Job";
  const std::string done =
      workers.suspended ? "suspended " + object : "set " + object + " to " + counted(workers.desired);
  return "Somebody else " + done + ", where slaq had asked for " + counted(asked) +
         ". slaq goes on deciding how many run: edit the TrainingJob instead, its spec.suspend, " +
         "spec.replicas, spec.workers.minReplicas or maxReplicas.";
}

}  // namespace

std::vector<ActionResult> ActionWriter::apply(const scheduler::Snapshot& snapshot,
                                              const scheduler::Plan& plan, const StatusWriter& statuses,
                                              Seconds epoch, const std::function<bool()>& mayGoOn) {
  retries_.retain(snapshot);
  tries_.clear();
  places_.clear();
  for (std::size_t i = 0; i < snapshot.jobs.size(); ++i) places_[snapshot.jobs[i].view->job.key] = i;
  tellOfEdits(snapshot);
  const auto jobs = inTurn(plan, statuses);
  std::vector<std::vector<Try>> tries(jobs.size());
  std::ptrdiff_t silences = 0;
  const auto isSilent = [](const Try& each) { return isSilence(each.done.result); };
  sendConcurrently({.count = jobs.size(),
                    .begin = [&](std::size_t) { return silences < kMostSilences && mayGoOn(); },
                    .send = [&](std::size_t job) { tries[job] = applyAll(jobs[job], mayGoOn); },
                    .end = [&](std::size_t job) { silences += std::ranges::count_if(tries[job], isSilent); }},
                   cluster_.maxConcurrentWrites());
  for (auto& ofOneJob : tries) std::ranges::move(ofOneJob, std::back_inserter(tries_));
  for (const Try& each : tries_) record(plan, each);
  noteFailures(snapshot, epoch);
  noteAsked(snapshot);
  std::vector<ActionResult> results;
  for (Try& each : tries_) results.push_back(std::move(each.done));
  return results;
}

// The actions that are due, in the plan's order and grouped by job. Jobs with earlier failures come after all
// others, the latest failure last.
std::vector<ActionWriter::JobActions> ActionWriter::inTurn(const scheduler::Plan& plan,
                                                           const StatusWriter& statuses) const {
  std::vector<JobActions> jobs;
  std::map<JobKey, std::size_t> places;
  for (const auto& action : plan.actions) {
    const JobKey& job = jobOf(action);
    if (std::holds_alternative<FinishJob>(action) && !statuses.isEndWritten(job)) continue;
    if (retries_.mustWait(job, clock_.monotonic(), action.index())) continue;
    const auto [place, isNew] = places.try_emplace(job, jobs.size());
    if (isNew) jobs.emplace_back();
    jobs[place->second].push_back(&action);
  }
  std::ranges::stable_sort(jobs, {}, [&](const JobActions& actions) {
    Seconds last{0};
    for (const Action* each : actions) last = std::max(last, retries_.failedAt(jobOf(*each), each->index()));
    return last;
  });
  return jobs;
}

std::vector<ActionWriter::Try> ActionWriter::applyAll(const JobActions& actions,
                                                      const std::function<bool()>& mayGoOn) {
  std::vector<Try> tries;
  for (const Action* action : actions) {
    if (!tries.empty() && !mayGoOn()) break;
    const Seconds begun = clock_.monotonic();
    auto result = cluster_.apply(*action);
    tries.push_back({{*action, std::move(result)}, clock_.monotonic() - begun});
  }
  return tries;
}

void ActionWriter::record(const scheduler::Plan& plan, const Try& each) {
  const auto* scaled = std::get_if<ScaleWorkers>(&each.done.action);
  if (!scaled || !each.done.result) return;
  cluster_.record(scaled->job, {false, "Scaled", sentenceOf(plan.jobs[places_.at(scaled->job)])});
}

const JobView& ActionWriter::viewOf(const scheduler::Snapshot& snapshot, const Try& each) const {
  return *snapshot.jobs[places_.at(jobOf(each.done.action))].view;
}

// If no call was answered, the cluster is out of order, and no job is the cause.
void ActionWriter::noteFailures(const scheduler::Snapshot& snapshot, Seconds epoch) {
  const bool isOutage =
      std::ranges::all_of(tries_, [](const Try& each) { return isSilence(each.done.result); });
  const Seconds now = clock_.monotonic();
  for (const Try& each : tries_) {
    const auto& result = each.done.result;
    const JobView& job = viewOf(snapshot, each);
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

// Tells the person who edits the workers' Job by hand why the edit does not last.
void ActionWriter::tellOfEdits(const scheduler::Snapshot& snapshot) {
  std::map<JobKey, Asked> kept;
  for (const auto& [view, history] : snapshot.jobs) {
    const auto found = asked_.find(view->job.key);
    if (found == asked_.end() || found->second.uid != view->job.uid) continue;
    const Asked& asked = found->second;
    if (isAs(view->workers, asked.workers)) {
      kept.insert(*found);
    } else if (const auto edit = editOf(*view, asked.workers)) {
      cluster_.record(view->job.key, {true, "EditedElsewhere", *edit});
    }
  }
  asked_ = std::move(kept);
}

// After a conflict nothing was changed. After any other error the outcome is unknown.
void ActionWriter::noteAsked(const scheduler::Snapshot& snapshot) {
  for (const Try& each : tries_) {
    const auto& [action, result] = each.done;
    if (std::holds_alternative<RequestQuota>(action)) continue;  // changes no pods
    // It changes no number of workers, and one may have been asked for in the same epoch.
    if (std::holds_alternative<ScaleCpu>(action) && asked_.contains(jobOf(action))) continue;
    if (!result && result.error().kind == ErrorKind::Conflict) continue;
    const JobView& view = viewOf(snapshot, each);
    const auto asked = workersAskedBy(action, view);
    if (result && asked) {
      asked_[view.job.key] = {view.job.uid, *asked};
    } else {
      asked_.erase(view.job.key);
    }
  }
}

}  // namespace slaq::loop
