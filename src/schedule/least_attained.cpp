#include "schedule/least_attained.h"

#include "schedule/greedy.h"

namespace slaq {
namespace {

// Less of a difference in service is none.
constexpr double kMargin = 0.1;

double serviceOf(const Candidate& candidate) { return candidate.attained / candidate.weight; }

}  // namespace

Allocation leastAttained(std::span<const Candidate> candidates, const Budget& budget, Seconds horizon) {
  return giveUnitByUnit(candidates, budget, [horizon](const Candidate& candidate, std::int32_t units) {
    const double more = inCores(candidate.cores(units)) * horizon.count();
    return -(serviceOf(candidate) + more / candidate.weight);
  });
}

std::vector<bool> payingForTheLeastServed(std::span<const Candidate> candidates, const Allocation& held,
                                          const Allocation& wanted) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (wanted[i] < held[i]) least = std::min(least, serviceOf(candidates[i]));
  }
  std::vector<bool> paying(candidates.size());
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    paying[i] = wanted[i] > held[i] && (1 + kMargin) * serviceOf(candidates[i]) < least;
  }
  return paying;
}

}  // namespace slaq
