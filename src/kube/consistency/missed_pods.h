// A Job counts its pods, and a watch shows them. After a change the two differ for some seconds. If they go
// on to differ in the same way, the watch may have missed something, and only a list tells what. A list does
// not always end the difference: while the Job controller waits before it replaces a failed pod, some
// versions of it do not count the others. So each difference asks for one list.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>

#include "kube/objects/child.h"
#include "kube/objects/pod_views.h"

namespace slaq::kube::consistency {

// All times are on the monotonic clock.
class MissedPods {
 public:
  // The caller calls this for each Job at each look. `pods` are the Job's known pods.
  void look(const objects::ChildJob& child, const objects::Pods& pods, Seconds now);
  // The pods should be listed, unless a list was asked for since the time that this returns. It returns one
  // once a minute at most, since users may write the statuses of Jobs and the labels of pods.
  std::optional<Seconds> takeListWanted(Seconds now);
  // Forgets the Jobs that `exists` does not know.
  template <class Exists>
  void retain(const Exists& exists) {
    std::erase_if(differing_, [&](const auto& each) { return !exists(each.first); });
  }

 private:
  struct Difference {
    Workers known;    // pods that live, by the watch
    Workers counted;  // by the Job
    Seconds since;
  };
  std::unordered_map<std::string, Difference> differing_;  // by the Job's uid
  std::optional<Seconds> overdue_;                         // when the newest one that lasts too long began
  std::optional<Seconds> listed_;                          // when a list was last wanted
};

}  // namespace slaq::kube::consistency
