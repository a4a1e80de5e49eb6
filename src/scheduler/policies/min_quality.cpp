#include "scheduler/policies/min_quality.h"

#include <algorithm>

#include "scheduler/allocation/greedy.h"
#include "scheduler/constants.h"

namespace slaq::scheduler {
namespace {

// A smaller change of level does not count.
constexpr double kSameLevel = 1e-6;

double levelAfterHorizon(const Demand& demand, std::int32_t units, const ResizePrice& price) {
  return demand.level(units, std::max(0.0, price.horizon.count() - pauseOf(demand, units, price)));
}

}  // namespace

Allocation minQuality(std::span<const Demand> demands, const Budget& budget, Seconds horizon) {
  return giveUnitByUnit(demands, budget, [&](const Demand& demand, std::int32_t units) {
    const double level = demand.level(units, horizon.count());
    const bool helps = level - demand.level(*demand.after(units), horizon.count()) > kSameLevel;
    return helps ? level : -inCores(demand.cores(units)) / demand.weight;
  });
}

std::vector<bool> growthsThatHelpTheWorst(std::span<const Demand> demands, const Allocation& wanted,
                                          const ResizePrice& price) {
  double worstGiver = 0;
  for (std::size_t i = 0; i < demands.size(); ++i) {
    if (wanted[i] >= demands[i].held) continue;
    worstGiver = std::max(worstGiver, levelAfterHorizon(demands[i], wanted[i], price));
  }
  std::vector<bool> pays(demands.size());
  for (std::size_t i = 0; i < demands.size(); ++i) {
    if (wanted[i] <= demands[i].held) continue;
    const double now = levelAfterHorizon(demands[i], demands[i].held, price);
    const double then = levelAfterHorizon(demands[i], wanted[i], price);
    pays[i] = then < now - kSameLevel && now > (1 + kChangeMargin) * worstGiver;
  }
  return pays;
}

Division MinQuality::divide(const AllocationProblem& problem) const {
  const Seconds horizon = horizonOf(problem.resizePrice, problem.epoch);
  const ResizeRule rule{
      .allocate = [horizon](std::span<const Demand> demands,
                            const Budget& budget) { return minQuality(demands, budget, horizon); },
      .growthsThatPay =
          [&](std::span<const Demand> demands, const Allocation& wanted) {
            return growthsThatHelpTheWorst(demands, wanted, problem.resizePrice);
          },
      .calm = problem.calm};
  Division division{
      .allocation = allocateWithResizesThatPay(problem.demands, problem.budget, problem.resizePrice, rule)};
  for (std::size_t i = 0; i < problem.demands.size(); ++i) {
    const double level = problem.demands[i].level(division.allocation[i], horizon.count());
    division.worstLevel = std::max(division.worstLevel, level);
  }
  return division;
}

std::string MinQuality::explain(const ExplainedJob& job) const {
  const Seconds horizon = horizonOf(job.problem.resizePrice, job.problem.epoch);
  const double level =
      job.problem.demands[job.place].level(job.division.allocation[job.place], horizon.count());
  return "its level in " + toDecimal(horizon.count(), 2) + " s is " + toDecimal(level, 2) +
         ", the worst job's " + toDecimal(job.division.worstLevel, 2);
}

}  // namespace slaq::scheduler
