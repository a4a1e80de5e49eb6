#include "schedule/total_quality.h"

#include "schedule/greedy.h"
#include "schedule/price_search.h"

namespace slaq {

double gainPerCore(const Candidate& candidate, std::int32_t units, Seconds epoch) {
  const double gain =
      candidate.reduction(units + 1, epoch.count()) - candidate.reduction(units, epoch.count());
  return gain / (inCores(candidate.perUnit) * epoch.count());
}

Allocation totalQuality(std::span<const Candidate> candidates, const Budget& budget, Seconds epoch) {
  return giveUnitByUnit(candidates, budget, [epoch](const Candidate& candidate, std::int32_t units) {
    return gainPerCore(candidate, units, epoch);
  });
}

Allocation totalQualityByPrice(PriceSearch& search, std::span<const Candidate> candidates,
                               const Budget& budget, Seconds epoch) {
  if (!search.load(candidates, epoch)) return totalQuality(candidates, budget, epoch);
  Allocation allocation;
  const Cores left = search.divide(budget.all, allocation);
  if (left < candidates.front().perUnit) return allocation;
  // What nobody gains by goes by order.
  return totalQuality(beyond(candidates, allocation), budget, epoch);
}

std::optional<double> priceOf(std::span<const Candidate> candidates, const Allocation& allocation,
                              Seconds epoch) {
  std::optional<double> price;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (allocation[i] <= candidates[i].min) continue;
    const double last = gainPerCore(candidates[i], allocation[i] - 1, epoch);
    price = std::min(price.value_or(last), last);
  }
  return price;
}

}  // namespace slaq
