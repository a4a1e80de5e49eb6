#include "kube/cluster/node_capacity.h"

#include <algorithm>

#include "job/target_kind.h"

namespace slaq::kube::cluster {
namespace {

// kube-scheduler places most pods at once. A pod that is pending for longer waits until others leave.
constexpr Seconds kLongestScheduling{2};

// A pod that is larger than every node does not count.
bool isStuck(const pods::OtherPod& pod, Time now, Cores largest) {
  const bool isLate = pod.waitingSince && now - *pod.waitingSince > kLongestScheduling;
  return isLate && pod.node.empty() && pod.cores <= largest;
}

// The places for the cores of each job with a targetRef, 0 at first. The pods of an object of fixed size are
// among those of others, since slaq cannot make room by them.
std::map<JobKey, Cores*> targetsIn(ClusterView& view) {
  std::map<JobKey, Cores*> targets;
  for (auto& each : view.jobs) {
    if (!each.job.spec.workers.target) continue;
    Cores& onNodes = each.onNodes.emplace();
    if (!hasFixedSize(each.job.spec.workers)) targets[each.job.key] = &onNodes;
  }
  return targets;
}

}  // namespace

NodeCapacity::NodeCapacity(const std::string& resource)
    : nodeSink_(mutex_, nodes_, [resource](const auto& each) { return pods::readNode(each, resource); }),
      podSink_(mutex_, pods_, [resource](const auto& each) { return pods::readOtherPod(each, resource); }) {}

bool NodeCapacity::synced() const {
  const std::lock_guard lock(mutex_);
  return nodes_.synced() && pods_.synced();
}

void NodeCapacity::describe(ClusterView& view, std::map<std::string, Cores> own,
                            const std::map<std::string, Cores>& strange) const {
  auto targets = targetsIn(view);
  const std::lock_guard lock(mutex_);
  Cores largest;
  for (const auto& [key, node] : nodes_.all()) {
    if (node.open) largest = std::max(largest, node.allocatable);
  }
  std::map<std::string, Cores> taken(strange);
  for (const auto& [key, pod] : pods_.all()) {
    const auto target = pod.job.empty() ? targets.end() : targets.find({key.ns, pod.job});
    const bool isTarget = target != targets.end();
    if (!pod.node.empty()) (isTarget ? own : taken)[pod.node] += pod.cores;
    if (!pod.node.empty() && isTarget) *target->second += pod.cores;
    if (!isTarget && isStuck(pod, view.time, largest)) view.waiting += pod.cores;
  }
  for (const auto& [key, node] : nodes_.all()) {
    const Cores left = std::max(Cores(), node.allocatable - taken[key.name]);
    view.nodes.push_back({key.name, node.open ? left : std::min(own[key.name], left)});
  }
}

}  // namespace slaq::kube::cluster
