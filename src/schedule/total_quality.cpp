#include "schedule/total_quality.h"

#include "schedule/greedy.h"

namespace slaq {

double gainPerCore(const Candidate& candidate, std::int32_t workers, Seconds epoch) {
  const double gain =
      candidate.reduction(workers + 1, epoch.count()) - candidate.reduction(workers, epoch.count());
  return gain / (inCores(candidate.perWorker) * epoch.count());
}

Allocation totalQuality(std::span<const Candidate> candidates, Cores capacity, Seconds epoch) {
  return giveWorkerByWorker(candidates, capacity, [epoch](const Candidate& candidate, std::int32_t workers) {
    return gainPerCore(candidate, workers, epoch);
  });
}

}  // namespace slaq
