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

int priorityBoostOf(const JobView& view, const JobPlan& plan, Seconds epoch, int told) {
  const double cores = inCores(coresInUse(view));
  const bool isForecast =
      plan.phase == Phase::Quality && plan.target == plan.held && cores > 0 && plan.predictedReduction >= 0;
  if (!isForecast) return told;
  const double rate = plan.predictedReduction / (epoch.count() * cores);
  const double steps = rate > 0 ? kMostPriorityBoost + std::log10(rate / kLargestRate) : 0;
  if (steps > told - kMargin && steps < told + 1 + kMargin) return told;
  return std::clamp(static_cast<int>(std::floor(steps)), 0, kMostPriorityBoost);
}

}  // namespace slaq::scheduler
