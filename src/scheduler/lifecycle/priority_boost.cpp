#include "scheduler/lifecycle/priority_boost.h"

#include <algorithm>
#include <cmath>

#include "scheduler/state/sizes.h"

namespace slaq::scheduler {
namespace {

// In weighted normalized loss per core-second. A training that takes off all of its loss in ten core-seconds
// is at this rate, and has the largest boost. One that needs thirty core-years has the smallest.
constexpr double kLargestRate = 0.1;

// In steps of the boost. A forecast that wavers by a factor of less than 1.8 changes nothing, and so costs no
// request.
constexpr double kMargin = 0.25;

}  // namespace

std::optional<int> priorityBoostOf(const JobSnapshot& job, const JobPlan& plan, Seconds epoch) {
  const JobView& view = *job.view;
  if (!view.queue || !view.queue->priorityBoost) return std::nullopt;
  // A growth has a Workload of its own, which does not have the number of the one that it replaces.
  const int before =
      std::clamp(job.history->priorityBoost.value_or(*view.queue->priorityBoost), 0, kMostPriorityBoost);
  const double cores = inCores(coresInUse(view));
  const bool isForecast = plan.phase == Phase::Quality && plan.target == plan.held && cores > 0 &&
                          view.job.spec.value == Value::Loss && plan.predictedReduction >= 0;
  if (!isForecast) return before > 0 ? before : kUnknownPriorityBoost;
  const double rate = plan.predictedReduction / (epoch.count() * cores);
  const double steps = rate > 0 ? kMostPriorityBoost + std::log10(rate / kLargestRate) : 1;
  if (before > 0 && steps > before - kMargin && steps < before + 1 + kMargin) return before;
  return std::clamp(static_cast<int>(std::floor(steps)), 1, kMostPriorityBoost);
}

}  // namespace slaq::scheduler
