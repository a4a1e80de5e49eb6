#include "scheduler/allocation/fair_share.h"

#include "scheduler/allocation/greedy.h"

namespace slaq::scheduler {
namespace {

// A job whose growth does not pay is barred, and its part is divided again. A few rounds settle nearly all.
constexpr int kRounds = 4;

// The job starts or changes its size in any case, so more cores cost it no further pause.
bool changesAnyway(const Demand& demand, std::int32_t units) {
  return !demand.runs() || demand.starting || units != demand.kept();
}

bool isTooSmall(const Demand& demand, std::int32_t units, std::int32_t more, const IdleCoresRule& rule) {
  const Cores change = demand.perUnit * (more - units);
  return demand.inPlace && inCores(change) < rule.leastChangeInPlace * inCores(demand.cores(units));
}

bool isFaster(const Demand& demand, std::int32_t units, std::int32_t more) {
  if (demand.startWork > 0 && more > units) return true;
  return demand.speed.at(inCores(demand.cores(more))) > demand.speed.at(inCores(demand.cores(units)));
}

bool pays(const Demand& demand, std::int32_t units, std::int32_t more, const IdleCoresRule& rule) {
  if (!demand.allows(more)) return false;
  if (changesAnyway(demand, units)) return isFaster(demand, units, more);
  if (isTooSmall(demand, units, more, rule)) return false;
  if (demand.startWork > 0) return isFaster(demand, units, more);
  const double standsStill = demand.growPause + demand.shrinkPause + demand.lost;
  const double grown = demand.iterations(more, std::max(0.0, rule.horizon - standsStill));
  return grown > (1 + rule.leastGain) * demand.iterations(units, rule.horizon);
}

}  // namespace

Allocation fairShare(std::span<const Demand> demands, const Budget& budget) {
  return giveUnitByUnit(demands, budget, [](const Demand& demand, std::int32_t units) {
    return -inCores(demand.cores(units)) / demand.weight;
  });
}

Allocation withIdleCores(std::span<const Demand> demands, const Budget& budget, Allocation allocation,
                         const IdleCoresRule& rule) {
  if (leftBy(demands, allocation, budget).all <= Cores()) return allocation;
  auto above = demandsAbove(demands, allocation);
  Allocation kept = allocation;  // sizes up to which idle cores undo shrinks that serve no other job
  for (std::size_t i = 0; i < above.size(); ++i) {
    if (demands[i].runs()) kept[i] = std::max(allocation[i], std::min(demands[i].kept(), above[i].max));
    if (!pays(demands[i], kept[i], above[i].max, rule)) above[i].max = kept[i];
  }
  for (int round = 0; round < kRounds; ++round) {
    const Allocation fair = fairShare(above, budget);
    bool isBarred = false;
    for (std::size_t i = 0; i < fair.size(); ++i) {
      if (fair[i] <= kept[i] || pays(demands[i], kept[i], fair[i], rule)) continue;
      above[i].max = kept[i];
      isBarred = true;
    }
    if (!isBarred) return fair;
  }
  return allocation;
}

}  // namespace slaq::scheduler
