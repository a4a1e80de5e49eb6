#include "schedule/look_ahead.h"

#include <algorithm>

#include "schedule/exchange.h"
#include "schedule/fair_share.h"
#include "schedule/greedy.h"
#include "schedule/prospects.h"

namespace slaq {
namespace {

// A unit does so many iterations in an epoch that it does not matter when one of them ends.
constexpr double kMany = 4;

// Unit by unit, where prices say nothing or take longer.
Allocation bySteps(const Prospects& prospects, const Budget& budget) {
  const auto candidates = prospects.candidates();
  return giveUnitByUnit(candidates, budget, [&](const Candidate& candidate, std::int32_t units) {
    const double gain =
        prospects.gainPerCore(static_cast<std::size_t>(&candidate - candidates.data()), units);
    return gain > 0 ? gain : kNoPriority;
  });
}

// By prospects, and then by exchange.
Allocation byProspect(PriceSearch& search, std::span<const Candidate> candidates, const Budget& budget,
                      Seconds epoch) {
  const Prospects prospects(candidates, epoch);
  Allocation allocation;
  if (search.load(prospects) && search.paysFor(budget.all)) {
    search.divide(budget.all, allocation);
  } else {
    allocation = bySteps(prospects, budget);
  }
  const auto promise = [&](std::size_t i, std::int32_t units) { return prospects.promise(i, units); };
  exchange(candidates, leftBeside(candidates, allocation, budget).all, promise, allocation);
  return allocation;
}

}  // namespace

Allocation lookAhead(PriceSearch& search, std::span<const Candidate> candidates, const Budget& budget,
                     Seconds epoch) {
  Allocation allocation;
  Cores left;
  if (search.load(candidates, epoch, kMany)) {
    left = search.divide(budget.all, allocation);
  } else {
    allocation = byProspect(search, candidates, budget, epoch);
    left = leftBeside(candidates, allocation, budget).all;
  }
  // What nobody gains by.
  return left > Cores() ? fairShare(beyond(candidates, allocation), budget) : allocation;
}

}  // namespace slaq
