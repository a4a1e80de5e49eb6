#include "scheduler/allocation/fair_share.h"

#include "scheduler/allocation/greedy.h"

namespace slaq::scheduler {

Allocation fairShare(std::span<const Demand> demands, const Budget& budget) {
  return giveUnitByUnit(demands, budget, [](const Demand& demand, std::int32_t units) {
    return -inCores(demand.cores(units)) / demand.weight;
  });
}

}  // namespace slaq::scheduler
