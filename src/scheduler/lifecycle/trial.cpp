#include "scheduler/lifecycle/trial.h"

#include <algorithm>

#include "scheduler/allocation/demand.h"
#include "scheduler/constants.h"
#include "scheduler/state/change_cost.h"
#include "scheduler/state/sizes.h"

namespace slaq::scheduler {
namespace {

Time lastChange(const JobHistory& history) {
  Time last = std::max(history.pods.known, history.losses.begun);
  for (const auto& change : {history.resizes.grew, history.resizes.shrank}) {
    if (change) last = std::max(last, *change);
  }
  return last;
}

// Even with half the workers, an iteration takes at most twice as long as now. The time to settle counts
// twice as well.
Seconds durationOf(const JobHistory& history, Cores held) {
  const double cores = inCores(held);
  return Seconds(2 * kTrialIterations / history.runtime.speed()->at(cores)) +
         2 * history.runtime.settling(cores);
}

// A job that had more workers before, and gave them to others, is to get those back first.
bool isFasterWithMore(const JobHistory& history, const JobSpec& spec, const Size& held) {
  const forecast::SpeedCurve speed = *history.runtime.speed();
  const Size most{.workers = spec.workers.max, .cpu = held.cpu};
  return speed.at(inCores(coresOf(spec, most))) > speed.at(inCores(coresOf(spec, held)));
}

bool isEnoughForAll(const DecisionContext& context, const std::vector<std::size_t>& admitted) {
  Budget left = context.budget;
  for (const std::size_t job : admitted) {
    left.take(mostCoresOf(context.snapshot.jobs[job].view->job.spec), context.groupOf(job));
  }
  return left.covers();
}

// The workers with which the job is to be measured now. Empty where the job or its kind was measured with
// fewer workers already, and where the job would be faster with more. Empty also where a trial would cost
// more than a twentieth of the time since the job's last change.
std::optional<Workers> trialOf(const JobSnapshot& job, Time now, const Settings& settings) {
  const JobHistory& history = *job.history;
  const JobSpec& spec = job.view->job.spec;
  const Size held = heldSizeOf(*job.view);
  const bool canTry = !held.cpu && held.workers > Workers(0) && history.runtime.isMeasured();
  if (!canTry || history.knownFuture) return std::nullopt;
  const double size = held.workers.value();
  const double fewest = history.runtime.fewestMeasured();
  if (size > fewest) return std::nullopt;
  const ChangeCost cost = changeCostOf(history, spec.workers, settings.price);
  const Seconds lasts = durationOf(history, coresOf(spec, held)) + cost.shrinkPause + cost.growPause;
  const Seconds since = now - lastChange(history);
  if (size < fewest)
    return history.resizes.shrank && since < lasts ? std::optional(held.workers) : std::nullopt;
  if (kMostOfItsTime * since < lasts + 2 * cost.lost || isFasterWithMore(history, spec, held))
    return std::nullopt;
  const Sizes sizes = sizesOf(spec);
  const std::int32_t fewer = atMostAllowed(sizes.allowed, sizes.min, 3 * held.workers.value() / 4);
  return fewer < held.workers.value() && fewer >= sizes.min ? std::optional(Workers(fewer)) : std::nullopt;
}

}  // namespace

void beginTrials(const DecisionContext& context, const std::vector<std::size_t>& admitted,
                 std::vector<JobPlan>& plans) {
  if (!context.settings.policy->decidesForNewcomers() || !isEnoughForAll(context, admitted)) return;
  for (const std::size_t job : admitted) {
    if (plans[job].phase != Phase::Quality) continue;
    const auto workers = trialOf(context.snapshot.jobs[job], context.snapshot.now, context.settings);
    if (!workers) continue;
    plans[job].phase = Phase::Trial;
    plans[job].target = *workers;
  }
}

}  // namespace slaq::scheduler
