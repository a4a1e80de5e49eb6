#include "kube/queues/slices.h"

#include <algorithm>
#include <tuple>

namespace slaq::kube::queues {

Slices slicesOf(const TrainingJob& job, const std::vector<const Workload*>& owned) {
  Slices slices;
  std::vector<const Workload*> own;
  for (const auto* each : owned) {
    if (each->key.ns == job.key.ns && !each->deleting) own.push_back(each);
  }
  const auto isBetter = [](const Workload* a, const Workload* b) {
    return std::tuple(a->finished, !isReserved(*a), b->created, b->key) <
           std::tuple(b->finished, !isReserved(*b), a->created, a->key);
  };
  const auto best = std::ranges::min_element(own, isBetter);
  if (best == own.end()) return slices;
  slices.current = **best;
  for (const auto* each : own) {
    if (each == *best) continue;
    const bool grows = !each->finished && each->replaces == toString(slices.current->key) &&
                       isReserved(*slices.current) && !slices.current->evicted && !slices.growth;
    if (grows) {
      slices.growth = *each;
    } else {
      slices.stale.push_back(*each);
    }
  }
  return slices;
}

std::string queueOf(const TrainingJob& job) { return "the queue " + printable(job.queue) + " of Kueue"; }

std::string whyNothingIsAdmitted(const TrainingJob& job, const std::optional<Workload>& current) {
  if (!current) return "enters " + queueOf(job);
  if (isReserved(*current) && current->evicted)
    return queueOf(job) + " evicted it: " + printable(*current->evicted);
  if (isReserved(*current)) return "waits for the admission checks of " + queueOf(job);
  const std::string waits = "waits in " + queueOf(job);
  if (!current->active) return waits + ", which has deactivated its Workload " + current->key.name;
  return current->pending.empty() ? waits : waits + ": " + current->pending;
}

}  // namespace slaq::kube::queues
