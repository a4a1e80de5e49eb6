#include "schedule/fair_share.h"

#include "schedule/greedy.h"

namespace slaq {

Allocation fairShare(std::span<const Candidate> candidates, Cores capacity) {
  return giveWorkerByWorker(candidates, capacity, [](const Candidate& candidate, std::int32_t workers) {
    return -inCores(candidate.perWorker) * workers / candidate.weight;
  });
}

}  // namespace slaq
