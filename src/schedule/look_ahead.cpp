#include "schedule/look_ahead.h"

#include <algorithm>

#include "schedule/exchange.h"
#include "schedule/fair_share.h"
#include "schedule/greedy.h"
#include "schedule/prospect.h"

namespace slaq {
namespace {

// A unit does so many iterations in an epoch that it does not matter when one of them ends.
constexpr double kMany = 4;

std::vector<Prospect> prospectsOf(std::span<const Candidate> candidates, Seconds epoch) {
  std::vector<Prospect> prospects;
  prospects.reserve(candidates.size());
  for (const auto& each : candidates) {
    prospects.emplace_back(each, inCores(each.cores(each.max)) * epoch.count());
  }
  return prospects;
}

// By prospects, unit by unit, and then by exchange.
Allocation byProspect(std::span<const Candidate> candidates, const Budget& budget, Seconds epoch) {
  const auto prospects = prospectsOf(candidates, epoch);
  auto allocation = giveUnitByUnit(candidates, budget, [&](const Candidate& candidate, std::int32_t units) {
    const Prospect& prospect = prospects[static_cast<std::size_t>(&candidate - candidates.data())];
    const double more = prospect.worth(inCores(candidate.cores(units + 1)) * epoch.count()) -
                        prospect.worth(inCores(candidate.cores(units)) * epoch.count());
    return more > 0 ? more / inCores(candidate.perUnit) : kNoPriority;
  });
  const auto promise = [&](std::size_t i, std::int32_t units) {
    return promiseOf(prospects[i], candidates[i], units, epoch);
  };
  exchange(candidates, leftBeside(candidates, allocation, budget).all, promise, allocation);
  return allocation;
}

}  // namespace

double promiseOf(const Prospect& prospect, const Candidate& candidate, std::int32_t units, Seconds epoch) {
  const double cpuSeconds = inCores(candidate.cores(units)) * epoch.count();
  return 0.5 * (prospect.worth(cpuSeconds) + prospect.finished(cpuSeconds));
}

Allocation lookAhead(PriceSearch& search, std::span<const Candidate> candidates, const Budget& budget,
                     Seconds epoch) {
  Allocation allocation;
  Cores left;
  if (search.load(candidates, epoch) && search.areShort(kMany)) {
    left = search.divide(budget.all, allocation);
  } else {
    allocation = byProspect(candidates, budget, epoch);
    left = leftBeside(candidates, allocation, budget).all;
  }
  // What nobody gains by.
  return left > Cores() ? fairShare(beyond(candidates, allocation), budget) : allocation;
}

}  // namespace slaq
