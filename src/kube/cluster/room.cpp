#include "kube/cluster/room.h"

#include <algorithm>

namespace slaq::kube::cluster {
namespace {

// The scheduler finds a node for most pods at once; what waits longer waits for somebody to leave.
constexpr Seconds kPatience{2};

}  // namespace

Room::Room(const std::string& resource)
    : nodeSink_(mutex_, nodes_, [resource](const auto& each) { return pods::readNode(each, resource); }),
      podSink_(mutex_, pods_, [resource](const auto& each) { return pods::readOtherPod(each, resource); }) {}

bool Room::synced() const {
  const std::lock_guard lock(mutex_);
  return nodes_.synced() && pods_.synced();
}

void Room::describe(ClusterView& view, const std::map<std::string, Cores>& own) const {
  const std::lock_guard lock(mutex_);
  std::map<std::string_view, Cores> taken;
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

// A pod that no node could ever hold is not waited for.
Cores Room::waiting(Time now, Cores largest) const {
  Cores sum;
  for (const auto& [key, pod] : pods_.all()) {
    const bool stuck = pod.waitingSince && now - *pod.waitingSince > kPatience;
    if (stuck && pod.node.empty() && pod.cores <= largest) sum += pod.cores;
  }
  return sum;
}

}  // namespace slaq::kube::cluster
