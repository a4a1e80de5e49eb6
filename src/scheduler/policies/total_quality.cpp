#include "scheduler/policies/total_quality.h"

#include <algorithm>

#include "scheduler/allocation/greedy.h"
#include "scheduler/constants.h"
#include "scheduler/policy/gain_reason.h"

namespace slaq::scheduler {
namespace {

// The cost of a core: the loss of the shrinking jobs over the horizon, for each core that goes to other jobs.
double costOfCore(std::span<const Demand> demands, const Allocation& wanted, const ResizePrice& price) {
  double lost = 0;
  Cores given;
  for (std::size_t i = 0; i < demands.size(); ++i) {
    const std::int32_t held = demands[i].held;
    if (wanted[i] < held) lost -= gainOfChange(demands[i], wanted[i], price);
    if (wanted[i] > held) given += demands[i].perUnit * (wanted[i] - held);
  }
  return given > Cores() ? std::max(0.0, lost) / inCores(given) : 0.0;
}

// The lowest gain per core-second of any job's last unit; empty if no job has more than its minimum.
std::optional<double> priceOf(std::span<const Demand> demands, const Allocation& allocation, Seconds epoch) {
  std::optional<double> price;
  for (std::size_t i = 0; i < demands.size(); ++i) {
    if (allocation[i] <= demands[i].min) continue;
    const std::int32_t before = demands[i].atMost(allocation[i] - 1);
    const double last = demands[i].gainPerCoreSecond(before, allocation[i], epoch.count());
    price = std::min(price.value_or(last), last);
  }
  return price;
}

MarginalGains gainsOf(const Demand& demand, std::int32_t units, Seconds epoch, double price) {
  MarginalGains gains{.next = {}, .change = {}, .price = price};
  if (const auto next = demand.after(units)) {
    gains.next = demand.gainPerCoreSecond(units, *next, epoch.count());
    gains.nextUnits = *next;
  }
  if (demand.runs() && units != demand.held) {
    gains.change =
        demand.gainPerCoreSecond(std::min(units, demand.held), std::max(units, demand.held), epoch.count());
  }
  return gains;
}

}  // namespace

Allocation totalQuality(std::span<const Demand> demands, const Budget& budget, Seconds epoch) {
  return giveUnitByUnit(demands, budget, [epoch](const Demand& demand, std::int32_t units) {
    return demand.gainPerCoreSecond(units, *demand.after(units), epoch.count());
  });
}

std::vector<bool> growthsThatGain(std::span<const Demand> demands, const Allocation& wanted,
                                  const ResizePrice& price) {
  const double cost = costOfCore(demands, wanted, price);
  std::vector<bool> pays(demands.size());
  for (std::size_t i = 0; i < demands.size(); ++i) {
    const Demand& demand = demands[i];
    if (wanted[i] <= demand.held) continue;
    // A change in place has no pause that it must make up for. It must gain a margin more instead.
    const double margin = demand.inPlace ? 1 + kChangeMargin : 1;
    const Cores more = demand.perUnit * (wanted[i] - demand.held);
    pays[i] = gainOfChange(demand, wanted[i], price) > margin * cost * inCores(more);
  }
  return pays;
}

Division TotalQuality::divide(const AllocationProblem& problem) const {
  const ResizeRule rule{
      .allocate = [&](std::span<const Demand> demands,
                      const Budget& budget) { return totalQuality(demands, budget, problem.epoch); },
      .growthsThatPay =
          [&](std::span<const Demand> demands, const Allocation& wanted) {
            return growthsThatGain(demands, wanted, problem.resizePrice);
          },
      .calm = problem.calm};
  Division division{
      .allocation = allocateWithResizesThatPay(problem.demands, problem.budget, problem.resizePrice, rule)};
  division.price = priceOf(problem.demands, division.allocation, problem.epoch);
  for (std::size_t i = 0; i < problem.demands.size(); ++i) {
    division.gains.push_back(
        gainsOf(problem.demands[i], division.allocation[i], problem.epoch, division.price.value_or(0)));
  }
  return division;
}

std::string TotalQuality::explain(const ExplainedJob& job) const {
  const Demand& demand = job.problem.demands[job.place];
  const bool returns = demand.shrankLately && !isFree(job.problem.resizePrice);
  const auto gain = [&](std::int32_t from, std::int32_t to) {
    return demand.gainPerCoreSecond(from, to, job.problem.epoch.count());
  };
  return explainByGain(job, {.whyNotGrown = returns ? "it shrank a moment ago" : "less than a resize costs",
                             .isKept = wouldGiveUnits(job, gain)});
}

}  // namespace slaq::scheduler
