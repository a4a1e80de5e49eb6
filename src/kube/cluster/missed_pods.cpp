#include "kube/cluster/missed_pods.h"

#include <algorithm>
#include <utility>

namespace slaq::kube::cluster {
namespace {

// The Job controller of a busy cluster counts pods some seconds late.
constexpr Seconds kLongestLag{15};
constexpr Seconds kBetweenLists{60};

}  // namespace

void MissedPods::look(const objects::ChildJob& child, const objects::Pods& pods, Time now) {
  const auto living = std::ranges::count_if(pods, [](const auto* pod) { return pods::lives(*pod); });
  const Workers known(static_cast<std::int32_t>(living));
  if (known == child.active) {
    differing_.erase(child.uid);
    return;
  }
  const auto [found, isNew] = differing_.try_emplace(child.uid, Difference{known, child.active, now});
  Difference& difference = found->second;
  if (difference.known != known || difference.counted != child.active) {
    difference = {known, child.active, now};
  } else if (now - difference.since >= kLongestLag) {
    isListWanted_ = true;
  }
}

bool MissedPods::takeListWanted(Time now) {
  const bool isSoon = listed_ && now - *listed_ < kBetweenLists;
  if (!std::exchange(isListWanted_, false) || isSoon) return false;
  listed_ = now;
  return true;
}

}  // namespace slaq::kube::cluster
