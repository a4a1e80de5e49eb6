#include "scheduler/allocation/demand.h"

namespace slaq::scheduler {

std::vector<Demand> demandsAbove(std::span<const Demand> demands, const Allocation& allocation) {
  std::vector<Demand> rest(demands.begin(), demands.end());
  for (std::size_t i = 0; i < rest.size(); ++i) rest[i].min = allocation[i];
  return rest;
}

Budget leftBy(std::span<const Demand> demands, const Allocation& allocation, Budget budget) {
  for (std::size_t i = 0; i < demands.size(); ++i) {
    budget.take(demands[i].cores(allocation[i]), demands[i].group);
  }
  return budget;
}

Budget leftByMinimums(std::span<const Demand> demands, Budget budget) {
  for (const auto& each : demands) budget.take(each.cores(each.min), each.group);
  return budget;
}

}  // namespace slaq::scheduler
