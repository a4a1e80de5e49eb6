#include "schedule/fair_share.h"

#include "schedule/greedy.h"

namespace slaq {

Allocation fairShare(std::span<const Candidate> candidates, const Budget& budget) {
  return giveUnitByUnit(candidates, budget, [](const Candidate& candidate, std::int32_t units) {
    return -inCores(candidate.cores(units)) / candidate.weight;
  });
}

}  // namespace slaq
