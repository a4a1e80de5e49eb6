#include "scheduler/lifecycle/capacity.h"

#include <algorithm>
#include <optional>

#include "job/target_kind.h"
#include "scheduler/state/sizes.h"

namespace slaq::scheduler {
namespace {

// The pods that the capacity has to hold.
struct Pods {
  std::optional<Cores> smallestWorker;
  std::optional<Cores> smallestDriver;
  Cores drivers;  // all of them together
};

void keepSmaller(std::optional<Cores>& smallest, Cores pod) {
  if (pod > Cores()) smallest = std::min(smallest.value_or(pod), pod);
}

Pods podsOf(const std::vector<JobView>& jobs) {
  Pods pods;
  for (const auto& view : jobs) {
    const JobSpec& spec = view.job.spec;
    if (view.job.deleting || finished(view.status.state) || hasFixedSize(spec.workers)) continue;
    const bool byCpu = spec.workers.scaling == Scaling::CPU;
    keepSmaller(pods.smallestWorker, byCpu ? spec.workers.cpu.min : coresOf(spec.workers.pod));
    keepSmaller(pods.smallestDriver, driverCoresOf(spec));
    pods.drivers += driverCoresOf(spec);
  }
  return pods;
}

Cores wholeOf(Cores room, const std::optional<Cores>& pod) {
  if (!pod) return Cores();
  return Cores(std::max<std::int64_t>(0, room.value() / pod->value() * pod->value()));
}

}  // namespace

Cores capacityOf(const ClusterView& view) {
  Cores sum;
  if (view.nodes.empty()) {
    for (const auto& job : view.jobs) sum += coresInUse(job);
    return sum + view.leaving;
  }
  const Pods pods = podsOf(view.jobs);
  Cores betweenWorkers;
  for (const auto& node : view.nodes) {
    const Cores workers = pods.smallestWorker ? wholeOf(node.free, pods.smallestWorker) : node.free;
    sum += std::max(Cores(), workers);
    betweenWorkers += wholeOf(node.free - workers, pods.smallestDriver);
  }
  sum += std::min(betweenWorkers, pods.drivers);
  return std::max(Cores(), sum - view.waiting);
}

}  // namespace slaq::scheduler
