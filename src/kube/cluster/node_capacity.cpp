#include "kube/cluster/node_capacity.h"

#include <algorithm>

namespace slaq::kube::cluster {
namespace {

// kube-scheduler places most pods at once. A pod that is pending for longer waits until others leave.
constexpr Seconds kLongestScheduling{2};

}  // namespace

NodeCapacity::NodeCapacity(const std::string& resource)
    : nodeSink_(mutex_, nodes_, [resource](const auto& each) { return pods::readNode(each, resource); }),
      podSink_(mutex_, pods_, [resource](const auto& each) { return pods::readOtherPod(each, resource); }) {}

bool NodeCapacity::synced() const {
  const std::lock_guard lock(mutex_);
  return nodes_.synced() && pods_.synced();
}

void NodeCapacity::describe(ClusterView& view, const std::map<std::string, Cores>& own,
                            const std::map<std::string, Cores>& strange) const {
  const std::lock_guard lock(mutex_);
  std::map<std::string_view, Cores> taken(strange.begin(), strange.end());
  for (const auto& [key, pod] : pods_.all()) taken[pod.node] += pod.cores;
  Cores largest;
  for (const auto& [key, node] : nodes_.all()) {
    const auto held = own.find(key.name);
    const Cores ours = held == own.end() ? Cores() : held->second;
    const Cores left = std::max(Cores(), node.allocatable - taken[key.name]);
    view.nodes.push_back({key.name, node.open ? left : std::min(ours, left)});
    if (node.open) largest = std::max(largest, node.allocatable);
  }
  view.waiting = waiting(view.time, largest);
}

// A pod that is larger than every node does not count.
Cores NodeCapacity::waiting(Time now, Cores largest) const {
  Cores sum;
  for (const auto& [key, pod] : pods_.all()) {
    const bool stuck = pod.waitingSince && now - *pod.waitingSince > kLongestScheduling;
    if (stuck && pod.node.empty() && pod.cores <= largest) sum += pod.cores;
  }
  return sum;
}

}  // namespace slaq::kube::cluster
