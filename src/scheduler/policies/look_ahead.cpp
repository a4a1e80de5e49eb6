#include "scheduler/policies/look_ahead.h"

#include <algorithm>

#include "scheduler/policy/gain_reason.h"

namespace slaq::scheduler {
namespace {

// Where resizes have a price, cores rest this long after a change, unless a job comes or goes.
constexpr Seconds kCalm{20};

constexpr double kDoubtfulError = 0.1;
constexpr double kDoubtfulShare = 0.5;
constexpr double kUntestedShare = 0.6;
constexpr double kGuessedShare = 0.3;
constexpr std::size_t kGuessLosses = 2;

Allocation asHeld(const AllocationProblem& problem) {
  Allocation allocation;
  for (const auto& demand : problem.demands)
    allocation.push_back(std::clamp(demand.held, demand.min, demand.max));
  return allocation;
}

// A job has come, or can have what another one left, or nothing was changed for long.
bool isTimeToMove(const AllocationProblem& problem, const Budget& left) {
  const auto isDue = [&](const Demand& demand) {
    if (!demand.runs()) return true;
    const auto next = demand.after(demand.held);
    return next && left.fits(demand.perUnit * (*next - demand.held), demand.group);
  };
  return !left.covers() || problem.calm >= kCalm || std::ranges::any_of(problem.demands, isDue);
}

// All can have as much as they may.
bool nobodyCompetes(const AllocationProblem& problem) {
  Allocation most;
  for (const auto& demand : problem.demands) most.push_back(demand.max);
  return leftBy(problem.demands, most, problem.budget).covers();
}

UtilityRule ruleFor(const AllocationProblem& problem) {
  UtilityRule rule = lookAheadUtility(problem.epoch, problem.resizePrice);
  if (!isFree(problem.resizePrice) && nobodyCompetes(problem))
    rule.horizon = std::max(rule.horizon, expectedCalm(problem.calm).count());
  rule.idleHorizon = expectedCalm(problem.calm).count();
  return rule;
}

// What all have, if it is not yet time to move anything.
std::optional<Division> rest(const AllocationProblem& problem) {
  if (isFree(problem.resizePrice)) return std::nullopt;
  Division division{.allocation = asHeld(problem), .price = problem.lastPrice, .rests = true};
  if (isTimeToMove(problem, leftBy(problem.demands, division.allocation, problem.budget)))
    return std::nullopt;
  const UtilityRule rule = lookAheadUtility(problem.epoch, problem.resizePrice);
  for (std::size_t i = 0; i < problem.demands.size(); ++i) {
    const Demand& demand = problem.demands[i];
    division.gains.push_back(
        marginalGains(demand, Utility(demand, rule), division.allocation[i], problem.lastPrice.value_or(0)));
  }
  return division;
}

}  // namespace

UtilityRule lookAheadUtility(Seconds epoch, const ResizePrice& price) {
  if (isFree(price)) return {.horizon = epoch.count(), .moments = 1};
  return {.horizon = horizonOf(price, epoch).count(),
          .moments = 3,
          .keepingBonus = 0.05,
          .leastChangeInPlace = 0.1};
}

Division LookAhead::divide(const AllocationProblem& problem) const {
  if (auto division = rest(problem)) return *std::move(division);
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

double LookAhead::trustedShare(const ForecastQuality& quality, const ResizePrice& price) const {
  if (quality.backTestError) return *quality.backTestError > kDoubtfulError ? kDoubtfulShare : 1;
  if (!isFree(price)) return kDoubtfulShare;
  // With fewer losses the population alone forecasts, which is right on average.
  return quality.losses == kGuessLosses ? kGuessedShare : kUntestedShare;
}

}  // namespace slaq::scheduler
