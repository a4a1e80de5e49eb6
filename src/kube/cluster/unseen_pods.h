// Pods that a Job may have created although no watch has shown them yet, when the Job is told to have fewer.
// They hold cores until they have ended like any other that is told to. The controllers of Kubernetes call
// what they keep for the same reason expectations.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>

#include "kube/objects/child.h"
#include "kube/objects/pod_views.h"

namespace slaq::kube::cluster {

class UnseenPods {
 public:
  // A Job is about to be known as `after`; `pods` are those of it that are known.
  void noteChange(const objects::ChildJob& before, const objects::ChildJob& after, const objects::Pods& pods,
                  Time now);
  // A pod is known from now on.
  void noteSeen(const pods::OwnPod& pod);
  // How many there may be, for so long as one takes to be seen.
  Workers of(const objects::ChildJob& child, Time now) const;
  void forget(Time now);  // those that would have been seen by now

 private:
  using Job = std::pair<std::string, std::string>;  // namespace and uid
  struct Expected {
    std::set<int> indexes;  // of the Job's completions
    Time until;
  };
  std::map<Job, Expected> expected_;
};

// Counts `unseen` pods as terminating. Where no pod is known, the view has the Job's own counts, in which
// they may be.
void addUnseen(WorkersView& workers, Workers unseen, const objects::Pods& known);

}  // namespace slaq::kube::cluster
