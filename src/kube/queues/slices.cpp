#include "kube/queues/slices.h"

#include <algorithm>
#include <tuple>

#include "base/text.h"
#include "kube/queues/bodies.h"

namespace slaq::kube::queues {

Slices slicesOf(const TrainingJob& job, const std::vector<const Workload*>& owned) {
  Slices slices;
  std::vector<const Workload*> own;
  for (const auto* each : owned) {
    if (each->key.ns == job.key.ns && !each->deleting) own.push_back(each);
  }
  // Times have whole seconds. Of two that were made in one second, the higher number is newer.
  const auto isBetter = [](const Workload* a, const Workload* b) {
    const int numberOfA = numberOf(a->key.name), numberOfB = numberOf(b->key.name);
    return std::tuple(a->finished, !isReserved(*a), b->created, numberOfB, b->key) <
           std::tuple(b->finished, !isReserved(*b), a->created, numberOfA, a->key);
  };
  const auto best = std::ranges::min_element(own, isBetter);
  if (best == own.end()) return slices;
  slices.current = **best;
  for (const auto* each : own) {
    if (each == *best) continue;
    const bool grows = !each->finished && !isReserved(*each) && isReserved(*slices.current) &&
                       each->replaces == toString(slices.current->key) && !slices.growth;
    if (grows) {
      slices.growth = *each;
    } else {
      slices.stale.push_back(*each);
    }
  }
  return slices;
}

bool isFailedGrowth(const Workload& workload) {
  return isReserved(workload) && workload.evicted && !workload.admitted && !workload.replaces.empty();
}

std::string whyNothingIsAdmitted(const TrainingJob& job, const std::optional<Workload>& current) {
  const std::string queue = "the queue " + printable(current ? current->queue : job.queue) + " of Kueue";
  if (!current) return "enters " + queue;
  if (isReserved(*current) && current->evicted) return queue + " evicted it: " + printable(*current->evicted);
  if (isReserved(*current)) return "waits for the admission checks of " + queue;
  const std::string waits = "waits in " + queue;
  if (!current->active) return waits + ", which has deactivated its Workload " + current->key.name;
  return current->pending.empty() ? waits : waits + ": " + current->pending;
}

std::optional<std::string> whyRefused(const JobSpec& spec) {
  const std::string orRemove = std::string(", or remove the label ") + kQueueLabel;
  if (spec.workers.target)
    return "a job with spec.workers.targetRef cannot be in a queue; put the object that it names into the "
           "queue" +
           orRemove;
  if (spec.workers.scaling == Scaling::CPU)
    return "a job with spec.workers.scaling CPU cannot be in a queue, since Kueue counts what its pods "
           "request "
           "at first; use Replicas" +
           orRemove;
  return std::nullopt;
}

// The pods that slaq sizes: its own set, that of the group of a target, or the only one of a Job.
const PodSet* sizedSetOf(const Workload& workload, const TrainingJob& job) {
  const auto& target = job.spec.workers.target;
  const std::string name = lowerCase(!target ? kWorkerSet : target->group);  // as Kueue does
  const auto found = std::ranges::find(workload.podSets, name, &PodSet::name);
  if (found != workload.podSets.end()) return &*found;
  const auto isOther = [](const PodSet& each) { return each.name == "head"; };
  const auto only = std::ranges::find_if_not(workload.podSets, isOther);
  return target && only != workload.podSets.end() ? &*only : nullptr;
}

}  // namespace slaq::kube::queues
