#include "scheduler/policies/least_attained_service.h"

#include <limits>

#include "scheduler/allocation/greedy.h"
#include "scheduler/constants.h"

namespace slaq::scheduler {
namespace {

double serviceOf(const Demand& demand) { return demand.attained / demand.weight; }

Allocation serveLeastAttained(std::span<const Demand> demands, const Budget& budget, Seconds horizon) {
  return giveUnitByUnit(demands, budget, [horizon](const Demand& demand, std::int32_t units) {
    const double more = inCores(demand.cores(units)) * horizon.count();
    return -(serviceOf(demand) + more / demand.weight);
  });
}

std::vector<bool> growthsThatPay(std::span<const Demand> demands, const Allocation& wanted) {
  double leastOfGivers = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < demands.size(); ++i) {
    if (wanted[i] < demands[i].held) leastOfGivers = std::min(leastOfGivers, serviceOf(demands[i]));
  }
  std::vector<bool> pays(demands.size());
  for (std::size_t i = 0; i < demands.size(); ++i) {
    pays[i] = wanted[i] > demands[i].held && (1 + kChangeMargin) * serviceOf(demands[i]) < leastOfGivers;
  }
  return pays;
}

}  // namespace

Division LeastAttainedService::divide(const AllocationProblem& problem) const {
  const Seconds horizon =
      isFree(problem.resizePrice) ? problem.epoch : horizonOf(problem.resizePrice, problem.epoch);
  const ResizeRule rule{
      .allocate = [horizon](std::span<const Demand> demands,
                            const Budget& budget) { return serveLeastAttained(demands, budget, horizon); },
      .growthsThatPay = growthsThatPay,
      .calm = problem.calm};
  return {.allocation =
              allocateWithResizesThatPay(problem.demands, problem.budget, problem.resizePrice, rule)};
}

std::string LeastAttainedService::explain(const ExplainedJob& job) const {
  return "it has used " + toDecimal(job.problem.demands[job.place].attained, 3) + " core-seconds so far";
}

}  // namespace slaq::scheduler
