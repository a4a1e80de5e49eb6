#include "kube/consistency/unseen_pods.h"

#include <algorithm>

namespace slaq::kube::consistency {
namespace {

// A pod that was created because of the write before may still appear for this long after a write. Watches
// took up to three seconds to show one on a busy machine.
constexpr Seconds kSeenWithin{5};

}  // namespace

void UnseenPods::noteChange(const objects::ChildJob& before, const objects::ChildJob& after,
                            const objects::Pods& pods, Time now) {
  const Workers wanted = wantedBy(before);
  if (before.uid != after.uid || wantedBy(after) >= wanted || hasEnded(after)) return;
  std::set<int> unseen;
  for (int index = 0; index < wanted.value(); ++index) {
    const auto isOf = [&](const auto* pod) { return pod->index == index && !pod->leaving; };
    if (std::ranges::none_of(pods, isOf)) unseen.insert(index);
  }
  if (unseen.empty()) return;
  Expected& expected = expected_[{after.key.ns, after.uid}];
  if (now >= expected.until) expected.indexes.clear();
  expected.indexes.merge(unseen);  // an earlier shrink may have left some
  expected.until = now + kSeenWithin;
}

void UnseenPods::noteSeen(const pods::OwnPod& pod) {
  const auto found = expected_.find({pod.key.ns, pod.controller});
  if (found != expected_.end()) found->second.indexes.erase(pod.index);
}

Workers UnseenPods::of(const objects::ChildJob& child, Time now) const {
  const auto found = expected_.find({child.key.ns, child.uid});
  if (found == expected_.end() || now >= found->second.until) return Workers(0);
  return Workers(static_cast<std::int32_t>(found->second.indexes.size()));
}

void UnseenPods::forget(Time now) {
  std::erase_if(expected_, [&](const auto& each) { return now >= each.second.until; });
}

void addUnseen(WorkersView& workers, Workers unseen, const objects::Pods& known) {
  if (known.empty()) unseen -= std::min(unseen, workers.active + workers.terminating);
  workers.terminating += unseen;
}

}  // namespace slaq::kube::consistency
