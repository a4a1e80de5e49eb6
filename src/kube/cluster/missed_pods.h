// A Job counts its pods, and a watch shows them. After a change the two differ for some seconds. If they go
// on to differ in the same way, the watch has missed something, and only a new list tells what.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>

#include "kube/objects/child.h"
#include "kube/objects/pod_views.h"

namespace slaq::kube::cluster {

class MissedPods {
 public:
  // The caller calls this for each Job at each look. `pods` are the Job's known pods.
  void look(const objects::ChildJob& child, const objects::Pods& pods, Time now);
  // True if the pods should be listed again. That is once a minute at most, since a user may have written the
  // status of a Job, or have given pods its labels.
  bool takeListWanted(Time now);
  // Forgets the Jobs that `exists` does not know.
  template <class Exists>
  void retain(const Exists& exists) {
    std::erase_if(differing_, [&](const auto& each) { return !exists(each.first); });
  }

 private:
  struct Difference {
    Workers known;    // pods that live, by the watch
    Workers counted;  // by the Job
    Time since;
  };
  std::unordered_map<std::string, Difference> differing_;  // by the Job's uid
  bool isListWanted_ = false;
  std::optional<Time> listed_;
};

}  // namespace slaq::kube::cluster
