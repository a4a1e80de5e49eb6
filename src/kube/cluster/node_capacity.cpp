#include "kube/cluster/node_capacity.h"

#include <algorithm>

namespace slaq::kube::cluster {
namespace {

// kube-scheduler places most pods at once. A pod that is pending for longer waits until others leave.
constexpr Seconds kLongestScheduling{2};

pods::OtherPod withoutController(pods::OtherPod pod) {
  pod.controller.clear();
  pod.controllerName.clear();
  return pod;
}

// Finds the targets of pods.
class PodsOfTargets {
 public:
  explicit PodsOfTargets(std::vector<targets::TargetPods> targets) : targets_(std::move(targets)) {
    for (auto& each : targets_) {
      byNamespace_[each.ns].push_back(&each);
      for (const auto& uid : each.controllers) byController_[{each.ns, uid}] = &each;
    }
  }

  // The part of the pod's cores that a target tells of and that no other pod has taken yet.
  Cores take(const pods::OtherPod& pod) {
    targets::TargetPods* target = targetOf(pod);
    if (!target) return Cores();
    const Cores part = std::min(pod.cores, target->cores);
    target->cores -= part;
    return part;
  }

 private:
  targets::TargetPods* targetOf(const pods::OtherPod& pod) {
    if (pod.controller.empty()) return nullptr;
    const auto exact = byController_.find({pod.key.ns, pod.controller});
    if (exact != byController_.end()) return exact->second;
    const auto there = byNamespace_.find(pod.key.ns);
    if (there == byNamespace_.end()) return nullptr;
    targets::TargetPods* best = nullptr;
    for (auto* each : there->second) {
      const bool isNamedAfter =
          pod.controllerName == each->name || pod.controllerName.starts_with(each->name + "-");
      if (isNamedAfter && (!best || each->name.size() > best->name.size())) best = each;
    }
    return best;
  }

  std::vector<targets::TargetPods> targets_;
  std::map<std::string, std::vector<targets::TargetPods*>> byNamespace_;
  std::map<std::pair<std::string, std::string>, targets::TargetPods*> byController_;
};

bool isStuck(const pods::OtherPod& pod, Time now) {
  return pod.node.empty() && pod.waitingSince && now - *pod.waitingSince > kLongestScheduling;
}

}  // namespace

NodeCapacity::NodeCapacity(const std::string& resource, bool hasTargets)
    : nodeSink_(mutex_, nodes_, [resource](const auto& each) { return pods::readNode(each, resource); }),
      podSink_(mutex_, pods_, [resource, hasTargets](const auto& each) {
        auto pod = pods::readOtherPod(each, resource);
        return hasTargets ? pod : withoutController(std::move(pod));
      }) {}

bool NodeCapacity::synced() const {
  const std::lock_guard lock(mutex_);
  return nodes_.synced() && pods_.synced();
}

void NodeCapacity::describe(ClusterView& view, std::map<std::string, Cores> own,
                            const std::map<std::string, Cores>& strange,
                            std::vector<targets::TargetPods> targets) const {
  const std::lock_guard lock(mutex_);
  Cores largest;  // a pod that is larger than every node does not wait for others
  for (const auto& [key, node] : nodes_.all()) {
    if (node.open) largest = std::max(largest, node.allocatable);
  }
  PodsOfTargets ofTargets(std::move(targets));
  std::map<std::string, Cores> taken(strange);
  for (const auto& [key, pod] : pods_.all()) {
    const Cores ours = ofTargets.take(pod);
    const Cores others = pod.cores - ours;
    if (!pod.node.empty()) {
      own[pod.node] += ours;
      taken[pod.node] += others;
    } else if (isStuck(pod, view.time) && pod.cores <= largest) {
      view.waiting += others;
    }
  }
  for (const auto& [key, node] : nodes_.all()) {
    const Cores left = std::max(Cores(), node.allocatable - taken[key.name]);
    view.nodes.push_back({key.name, node.open ? left : std::min(own[key.name], left)});
  }
}

}  // namespace slaq::kube::cluster
