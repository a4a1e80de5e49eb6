#include "schedule/min_quality.h"

#include "schedule/greedy.h"

namespace slaq {

Allocation minQuality(std::span<const Candidate> candidates, const Budget& budget, Seconds horizon) {
  return giveUnitByUnit(candidates, budget, [&](const Candidate& candidate, std::int32_t units) {
    const double level = candidate.level(units, horizon.count());
    const bool helps = level - candidate.level(units + 1, horizon.count()) > kSameLevel;
    return helps ? level : -inCores(candidate.cores(units)) / candidate.weight;
  });
}

}  // namespace slaq
