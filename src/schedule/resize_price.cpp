#include "schedule/resize_price.h"

#include <algorithm>

#include "schedule/min_quality.h"

namespace slaq {
namespace {

// A growth that does not pay is barred and its cores are divided again; a few rounds settle nearly all.
constexpr int kRounds = 4;

// Forecasts are not so good that a smaller difference would mean anything. Where a pause has to be paid, that
// is margin enough between two sums of gains.
constexpr double kMargin = 0.1;

Cores coresBetween(const Candidate& candidate, std::int32_t from, std::int32_t to) {
  return candidate.perUnit * (to - from);
}

bool runs(const Candidate& candidate, std::int32_t held) { return held >= candidate.min; }

double pauseOf(const Candidate& candidate, std::int32_t from, std::int32_t to, const ResizePrice& price) {
  if (candidate.inPlace || from == to) return 0;
  return (to > from ? price.grow : price.shrink).count();
}

// What those who shrink lose over the horizon, for each core that is given out anew: what a core costs.
double costOfCore(std::span<const Candidate> candidates, const Allocation& held, const Allocation& wanted,
                  const ResizePrice& price) {
  double lost = 0;
  Cores given;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (wanted[i] < held[i]) lost -= changeOverHorizon(candidates[i], held[i], wanted[i], price);
    if (wanted[i] > held[i]) given += coresBetween(candidates[i], held[i], wanted[i]);
  }
  return given > Cores() ? std::max(0.0, lost) / inCores(given) : 0.0;
}

double levelAfterHorizon(const Candidate& candidate, std::int32_t held, std::int32_t units,
                         const ResizePrice& price) {
  return candidate.level(units,
                         std::max(0.0, price.horizon.count() - pauseOf(candidate, held, units, price)));
}

bool isTooSmall(const Candidate& candidate, std::int32_t held, std::int32_t wanted) {
  return candidate.inPlace &&
         inCores(coresBetween(candidate, held, wanted)) < kMargin * inCores(candidate.cores(held));
}

// Bars the growths that do not pay from growing at all. True if there were any.
bool barGrowths(std::vector<Candidate>& candidates, const Allocation& held, const Aim& aim,
                Allocation& wanted) {
  const auto paying = aim.paying(candidates, held, wanted);
  bool barred = false;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    Candidate& candidate = candidates[i];
    if (!runs(candidate, held[i]) || wanted[i] <= held[i]) continue;
    if (paying[i] && !isTooSmall(candidate, held[i], wanted[i])) continue;
    candidate.max = wanted[i] = held[i];
    barred = true;
  }
  return barred;
}

// Gives idle cores back to the jobs that `wanted` shrinks, first to those that lose most by a unit.
void restoreShrunk(std::span<const Candidate> candidates, const Allocation& held, const Budget& budget,
                   const ResizePrice& price, Allocation& wanted) {
  Budget left = leftBeside(candidates, wanted, budget);
  std::vector<std::pair<double, std::size_t>> shrunk;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (wanted[i] >= std::min(held[i], candidates[i].max)) continue;
    const double loss = -changeOverHorizon(candidates[i], held[i], wanted[i], price);
    shrunk.emplace_back(-loss / inCores(coresBetween(candidates[i], wanted[i], held[i])), i);
  }
  std::ranges::sort(shrunk);
  for (const auto& [loss, i] : shrunk) {
    const Candidate& candidate = candidates[i];
    while (wanted[i] < std::min(held[i], candidate.max) && left.fits(candidate.perUnit, candidate.group)) {
      left.take(candidate.perUnit, candidate.group);
      ++wanted[i];
    }
  }
}

}  // namespace

double changeOverHorizon(const Candidate& candidate, std::int32_t from, std::int32_t to,
                         const ResizePrice& price) {
  if (from == to) return 0;
  const double horizon = price.horizon.count();
  const double pause = pauseOf(candidate, from, to, price);
  return candidate.reduction(to, std::max(0.0, horizon - pause)) - candidate.reduction(from, horizon);
}

std::vector<bool> payingInTotal(std::span<const Candidate> candidates, const Allocation& held,
                                const Allocation& wanted, const ResizePrice& price) {
  const double cost = costOfCore(candidates, held, wanted, price);
  std::vector<bool> paying(candidates.size());
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (wanted[i] <= held[i]) continue;
    const double gain = changeOverHorizon(candidates[i], held[i], wanted[i], price);
    const double margin = candidates[i].inPlace ? 1 + kMargin : 1;
    paying[i] = gain > margin * cost * inCores(coresBetween(candidates[i], held[i], wanted[i]));
  }
  return paying;
}

std::vector<bool> payingForTheWorst(std::span<const Candidate> candidates, const Allocation& held,
                                    const Allocation& wanted, const ResizePrice& price) {
  double worstGiver = 0;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (wanted[i] >= held[i]) continue;
    worstGiver = std::max(worstGiver, levelAfterHorizon(candidates[i], held[i], wanted[i], price));
  }
  std::vector<bool> paying(candidates.size());
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (wanted[i] <= held[i]) continue;
    const double as = levelAfterHorizon(candidates[i], held[i], held[i], price);
    const double then = levelAfterHorizon(candidates[i], held[i], wanted[i], price);
    paying[i] = then < as - kSameLevel && as > (1 + kMargin) * worstGiver;
  }
  return paying;
}

Allocation withoutIdleResizes(std::vector<Candidate> candidates, const Allocation& held, const Budget& budget,
                              const Aim& aim, const ResizePrice& price) {
  Allocation wanted;
  for (int round = 0; round < kRounds; ++round) {
    wanted = aim.allocate(candidates, budget);
    if (!barGrowths(candidates, held, aim, wanted)) break;
  }
  restoreShrunk(candidates, held, budget, price, wanted);
  return wanted;
}

}  // namespace slaq
