#include "schedule/look_ahead.h"

#include "schedule/fair_share.h"
#include "schedule/greedy.h"
#include "schedule/prospect.h"

namespace slaq {
namespace {

std::vector<Prospect> prospectsOf(std::span<const Candidate> candidates, Seconds epoch) {
  std::vector<Prospect> prospects;
  prospects.reserve(candidates.size());
  for (const auto& each : candidates) {
    prospects.emplace_back(each, inCores(each.cores(each.max)) * epoch.count());
  }
  return prospects;
}

// What nobody gains by.
void divideRest(std::span<const Candidate> candidates, const Budget& budget, Allocation& allocation) {
  std::vector<Candidate> rest(candidates.begin(), candidates.end());
  for (std::size_t i = 0; i < rest.size(); ++i) rest[i].min = allocation[i];
  allocation = fairShare(rest, budget);
}

}  // namespace

Allocation lookAhead(std::span<const Candidate> candidates, const Budget& budget, Seconds epoch) {
  const auto prospects = prospectsOf(candidates, epoch);
  auto allocation = giveUnitByUnit(candidates, budget, [&](const Candidate& candidate, std::int32_t units) {
    const Prospect& prospect = prospects[static_cast<std::size_t>(&candidate - candidates.data())];
    const double more = prospect.worth(inCores(candidate.cores(units + 1)) * epoch.count()) -
                        prospect.worth(inCores(candidate.cores(units)) * epoch.count());
    return more > 0 ? more / inCores(candidate.perUnit) : kNoPriority;
  });
  divideRest(candidates, budget, allocation);
  return allocation;
}

}  // namespace slaq
