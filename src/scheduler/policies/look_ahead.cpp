#include "scheduler/policies/look_ahead.h"

#include <algorithm>

#include "forecast/constants.h"
#include "scheduler/constants.h"
#include "scheduler/policy/gain_reason.h"

namespace slaq::scheduler {
namespace {

UtilityRule ruleFor(const AllocationProblem& problem) {
  UtilityRule rule = lookAheadUtility(problem.epoch, problem.resizePrice);
  rule.idleHorizon = expectedCalm(problem.calm).count();
  // A job whose workers come and go would pay a pause to get back a core that it gave for one epoch.
  if (!std::ranges::all_of(problem.demands, &Demand::inPlace)) rule.horizonInPlace = rule.horizon;
  return rule;
}

}  // namespace

UtilityRule lookAheadUtility(Seconds epoch, const ResizePrice& price) {
  if (isFree(price)) return {.horizon = epoch.count(), .horizonInPlace = epoch.count(), .moments = 1};
  return {.horizon = horizonOf(price, epoch).count(),
          .horizonInPlace = horizonInPlaceOf(price, epoch).count(),
          .moments = 3,
          .keepingBonus = kChangeMargin,
          .leastChangeInPlace = kLeastChangeInPlace};
}

Division LookAhead::divide(const AllocationProblem& problem) const {
  auto priced = allocateByPrice(problem.demands, problem.budget, ruleFor(problem));
  return {.allocation = std::move(priced.units), .gains = std::move(priced.gains), .price = priced.price};
}

std::string LookAhead::explain(const ExplainedJob& job) const {
  if (!isAtFloor(job)) return explainByGain(job, {});
  Demand demand = valued(job.problem.demands[job.place]);
  demand.min = job.leastUnits;
  const Utility utility(demand, ruleFor(job.problem));
  const auto gain = [&](std::int32_t from, std::int32_t to) { return utility.gainPerCoreSecond(from, to); };
  return explainByGain(job, {.whyNotGrown = {}, .isKept = wouldGiveUnits(job, gain)});
}

double LookAhead::trustedShare(std::optional<double> backTestError) const {
  return backTestError && *backTestError <= forecast::kDoubtfulError ? 1 : kDoubtfulShare;
}

}  // namespace slaq::scheduler
