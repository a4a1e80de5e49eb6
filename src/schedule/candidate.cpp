#include "schedule/candidate.h"

namespace slaq {

Cores coresOf(std::span<const Candidate> candidates, const Allocation& allocation) {
  Cores sum;
  for (std::size_t i = 0; i < candidates.size(); ++i) sum += candidates[i].perWorker * Workers(allocation[i]);
  return sum;
}

Cores minimumsOf(std::span<const Candidate> candidates) {
  Cores sum;
  for (const auto& each : candidates) sum += each.perWorker * Workers(each.min);
  return sum;
}

}  // namespace slaq
