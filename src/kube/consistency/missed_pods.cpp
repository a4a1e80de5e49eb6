#include "kube/consistency/missed_pods.h"

#include <algorithm>
#include <utility>

namespace slaq::kube::consistency {
namespace {

// The Job controller of a busy cluster counts pods some seconds late.
constexpr Seconds kLongestLag{15};
// The least time between two lists.
constexpr Seconds kBetweenLists{60};

}  // namespace

void MissedPods::look(const objects::ChildJob& child, const objects::Pods& pods, Seconds now) {
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
    overdue_ = std::max(overdue_.value_or(difference.since), difference.since);
  }
}

std::optional<Seconds> MissedPods::takeListWanted(Seconds now) {
  const auto overdue = std::exchange(overdue_, {});
  if (!overdue || (listed_ && (*overdue <= *listed_ || now - *listed_ < kBetweenLists))) return std::nullopt;
  listed_ = now;
  return overdue;
}

}  // namespace slaq::kube::consistency
