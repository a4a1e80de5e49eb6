#include "scheduler/explain/reason.h"

#include "base/figures.h"
#include "forecast/constants.h"
#include "scheduler/constants.h"
#include "scheduler/explain/plan_text.h"
#include "scheduler/state/resize_watch.h"

namespace slaq::scheduler {
namespace {

std::string whatIsToLearn(const JobHistory& history) {
  if (ownModel(history)) return "its speed was measured";
  return "its loss can be forecast (" + std::to_string(history.losses.series.size()) + " of " +
         std::to_string(forecast::kFewestPairs) + " losses seen)";
}

// True if other jobs' results decided, because the job has not shown its losses and its speed yet.
bool restsOnOtherJobs(const JobHistory& history) { return !history.knownFuture && !isShown(history); }

std::string byPolicy(const DecidedJob& decided) {
  const JobHistory& history = *decided.job.history;
  if (decided.plan.phase == Phase::Quality && restsOnOtherJobs(history) &&
      decided.context.settings.policy->usesForecasts())
    return "by what other jobs did, until " + whatIsToLearn(history);
  return decided.context.settings.policy->explain(
      {.problem = decided.problem,
       .division = decided.division,
       .left = decided.left,
       .place = *decided.place,
       .leastUnits = decided.sizes.min,
       .mostUnits = decided.sizes.max,
       .backTestError = backTestErrorOf(history),
       .cpuOfUnit = decided.demand.inPlace ? kCpuQuantum : Cores(),
       .isOneProcess = decided.job.view->job.spec.workers.max == Workers(1)});
}

// Why no forecast decides about a job in the phase Fair.
std::string byFairShare(const DecidedJob& decided) {
  const JobSpec& spec = decided.job.view->job.spec;
  if (hasPinnedWorkers(spec)) return "its owner pinned it to " + counted(*spec.replicas);
  if (spec.scheduling == Scheduling::Reserved) return "reserved, all that it can use";
  if (spec.scheduling == Scheduling::Fair) return "its fair share";
  if (!decided.context.settings.policy->usesForecasts()) return byPolicy(decided);
  return "its fair share until " + whatIsToLearn(*decided.job.history);
}

std::string byPhase(const DecidedJob& decided) {
  const auto most = growsUpTo(*decided.job.history, decided.context.snapshot.now);
  if (most && decided.plan.phase != Phase::Resizing && decided.units == decided.demand.max)
    return sizeText(*most) + " is all that came of its last growth";
  const auto& queue = decided.job.view->queue;
  if (queue && queue->most && decided.units == queue->most->value() && decided.units < decided.sizes.max)
    return "all that its queue has for it now";
  switch (decided.plan.phase) {
    case Phase::Resizing:
      return "still resizing";
    case Phase::Fair:
      return byFairShare(decided);
    case Phase::Trial:
      return "tries how fast it is with " + counted(decided.plan.target);
    case Phase::Held:
      if (decided.context.settings.policy->usesForecasts()) return "its loss is not known at the moment";
      break;
    default:
      break;
  }
  return byPolicy(decided);
}

}  // namespace

std::string reasonOf(const DecidedJob& decided) {
  const auto& job = decided.job.view->job;
  std::string reason = byPhase(decided);
  if (decided.weight < job.spec.weight) {
    reason += "; its weight " + std::to_string(job.spec.weight) + " counts as " +
              std::to_string(decided.weight) + ", the limit of the namespace " + job.key.ns;
  }
  return reason;
}

}  // namespace slaq::scheduler
