#include "schedule/resize_price.h"

#include <algorithm>

namespace slaq {
namespace {

// A growth that does not pay is barred and its cores are divided again; a few rounds settle nearly all.
constexpr int kRounds = 4;

Cores coresBetween(const Candidate& candidate, std::int32_t from, std::int32_t to) {
  return candidate.perWorker * Workers(to - from);
}

bool runs(const Candidate& candidate, std::int32_t held) { return held >= candidate.min; }

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

// Bars the growths that do not pay from growing at all. True if there were any.
bool barGrowths(std::vector<Candidate>& candidates, const Allocation& held, const ResizePrice& price,
                Allocation& wanted) {
  const double cost = costOfCore(candidates, held, wanted, price);
  bool barred = false;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    Candidate& candidate = candidates[i];
    if (!runs(candidate, held[i]) || wanted[i] <= held[i]) continue;
    const double gain = changeOverHorizon(candidate, held[i], wanted[i], price);
    if (gain > cost * inCores(coresBetween(candidate, held[i], wanted[i]))) continue;
    candidate.max = wanted[i] = held[i];
    barred = true;
  }
  return barred;
}

// Gives idle cores back to the jobs that `wanted` shrinks, first to those that lose most by a worker.
void restoreShrunk(std::span<const Candidate> candidates, const Allocation& held, Cores capacity,
                   const ResizePrice& price, Allocation& wanted) {
  Cores left = capacity - coresOf(candidates, wanted);
  std::vector<std::pair<double, std::size_t>> shrunk;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (wanted[i] >= std::min(held[i], candidates[i].max)) continue;
    const double loss = -changeOverHorizon(candidates[i], held[i], wanted[i], price);
    shrunk.emplace_back(-loss / inCores(coresBetween(candidates[i], wanted[i], held[i])), i);
  }
  std::ranges::sort(shrunk);
  for (const auto& [loss, i] : shrunk) {
    while (wanted[i] < std::min(held[i], candidates[i].max) && candidates[i].perWorker <= left) {
      left -= candidates[i].perWorker;
      ++wanted[i];
    }
  }
}

}  // namespace

double changeOverHorizon(const Candidate& candidate, std::int32_t from, std::int32_t to,
                         const ResizePrice& price) {
  if (from == to) return 0;
  const double pause = (to > from ? price.grow : price.shrink).count();
  const double horizon = price.horizon.count();
  return candidate.reduction(to, std::max(0.0, horizon - pause)) - candidate.reduction(from, horizon);
}

Allocation withoutIdleResizes(std::vector<Candidate> candidates, const Allocation& held, Cores capacity,
                              const ResizePrice& price,
                              const std::function<Allocation(std::span<const Candidate>, Cores)>& allocate) {
  Allocation wanted;
  for (int round = 0; round < kRounds; ++round) {
    wanted = allocate(candidates, capacity);
    if (!barGrowths(candidates, held, price, wanted)) break;
  }
  restoreShrunk(candidates, held, capacity, price, wanted);
  return wanted;
}

}  // namespace slaq
