#include "scheduler/policy/resize_price.h"

#include <algorithm>

#include "scheduler/allocation/fair_share.h"
#include "scheduler/constants.h"

namespace slaq::scheduler {
namespace {

// A growth that does not pay is barred, and its cores are divided again. A few rounds settle nearly all.
constexpr int kRounds = 4;

Cores coresBetween(const Demand& demand, std::int32_t from, std::int32_t to) {
  return demand.perUnit * (to - from);
}

bool isTooSmall(const Demand& demand, std::int32_t wanted) {
  return demand.inPlace && inCores(coresBetween(demand, demand.held, wanted)) <
                               kLeastChangeInPlace * inCores(demand.cores(demand.held));
}

// Bars each job whose growth does not pay from growing at all. True if there were any.
bool barGrowths(std::vector<Demand>& demands, const ResizeRule& rule, Allocation& wanted) {
  const auto pays = rule.growthsThatPay(demands, wanted);
  bool barred = false;
  for (std::size_t i = 0; i < demands.size(); ++i) {
    Demand& demand = demands[i];
    if (!demand.runs() || wanted[i] <= demand.held) continue;
    if (pays[i] && !isTooSmall(demand, wanted[i])) continue;
    demand.max = wanted[i] = demand.held;
    barred = true;
  }
  return barred;
}

// Gives idle cores back to the jobs that `wanted` shrinks, first to those that lose most by a core.
void restoreShrunk(std::span<const Demand> demands, const Budget& budget, const ResizePrice& price,
                   Allocation& wanted) {
  Budget left = leftBy(demands, wanted, budget);
  std::vector<std::pair<double, std::size_t>> shrunk;  // the gain of giving up a core, and the job
  for (std::size_t i = 0; i < demands.size(); ++i) {
    if (wanted[i] >= demands[i].kept()) continue;
    const double gain = gainOfChange(demands[i], wanted[i], price);
    shrunk.emplace_back(gain / inCores(coresBetween(demands[i], wanted[i], demands[i].held)), i);
  }
  std::ranges::sort(shrunk);
  for (const auto& [gain, i] : shrunk) {
    const Demand& demand = demands[i];
    for (auto next = demand.after(wanted[i]); next && *next <= demand.kept(); next = demand.after(*next)) {
      const Cores more = coresBetween(demand, wanted[i], *next);
      if (!left.fits(more, demand.group)) break;
      left.take(more, demand.group);
      wanted[i] = *next;
    }
  }
}

Allocation withoutIdleResizes(std::vector<Demand> demands, const Budget& budget, const ResizePrice& price,
                              const ResizeRule& rule) {
  Allocation wanted;
  for (int round = 0; round < kRounds; ++round) {
    wanted = rule.allocate(demands, budget);
    if (!barGrowths(demands, rule, wanted)) break;
  }
  restoreShrunk(demands, budget, price, wanted);
  return wanted;
}

// A job may not reverse a recent change.
std::vector<Demand> withoutReversals(std::span<const Demand> demands) {
  std::vector<Demand> bound(demands.begin(), demands.end());
  for (Demand& demand : bound) {
    if (!demand.runs()) continue;
    const std::int32_t kept = demand.kept();
    if (demand.shrankLately) demand.max = kept;
    if (demand.grewLately) demand.min = kept;
  }
  return bound;
}

}  // namespace

double pauseOf(const Demand& demand, std::int32_t units, const ResizePrice& price) {
  if (demand.inPlace || units == demand.held) return 0;
  return (units > demand.held ? price.grow : price.shrink).count();
}

double gainOfChange(const Demand& demand, std::int32_t units, const ResizePrice& price) {
  if (units == demand.held) return 0;
  const double horizon = price.horizon.count();
  const double pause = pauseOf(demand, units, price);
  return demand.reduction(units, std::max(0.0, horizon - pause)) - demand.reduction(demand.held, horizon);
}

Allocation allocateWithResizesThatPay(std::span<const Demand> demands, const Budget& budget,
                                      const ResizePrice& price, const ResizeRule& rule) {
  if (isFree(price)) return rule.allocate(demands, budget);
  std::vector<Demand> bound = withoutReversals(demands);
  const auto used = [&](Allocation allocation) {
    return withIdleCores(
        demands, budget, std::move(allocation),
        {.horizon = expectedCalm(rule.calm).count(), .leastChangeInPlace = kLeastChangeInPlace});
  };
  if (!leftByMinimums(bound, budget).covers()) {
    return used(withoutIdleResizes({demands.begin(), demands.end()}, budget, price, rule));
  }
  auto wanted = withoutIdleResizes(bound, budget, price, rule);
  const Budget idle = leftBy(bound, wanted, budget);
  bool isWanted = false;
  for (std::size_t i = 0; i < bound.size(); ++i) {
    const auto next = demands[i].after(bound[i].max);
    isWanted |= next && idle.fits(coresBetween(demands[i], bound[i].max, *next), demands[i].group);
    bound[i].min = wanted[i];
    bound[i].max = demands[i].max;
  }
  return used(isWanted ? withoutIdleResizes(bound, budget, price, rule) : wanted);
}

}  // namespace slaq::scheduler
