#include "loop/write/action_writer.h"

#include <algorithm>

#include "scheduler/explain/plan_text.h"

namespace slaq::loop {

std::vector<ActionResult> ActionWriter::apply(const scheduler::Snapshot& snapshot,
                                              const scheduler::Plan& plan, const StatusWriter& statuses,
                                              Seconds epoch, const std::function<bool()>& mayGoOn) {
  retries_.retain(snapshot);
  tries_.clear();
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
    const JobKey& key = jobOf(each.done.action);
    const std::size_t write = each.done.action.index();
    const auto job = std::ranges::find(snapshot.jobs, key, [](const auto& at) { return at.view->job.key; });
    if (result) {
      retries_.forget(key, write);
    } else if (isOutage) {
      retries_.addSilence(*job->view, now, write);
    } else if (result.error().kind != ErrorKind::Conflict) {
      retries_.addFailure(*job->view, now, epoch, each.took, write);
    }
  }
}

}  // namespace slaq::loop
