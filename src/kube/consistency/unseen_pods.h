// When a Job is told to have fewer pods, it may just have created some that no watch has shown yet. Such pods
// hold cores until they have ended. Kubernetes' own controllers keep expectations for the same reason.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>

#include "kube/objects/child.h"
#include "kube/objects/pod_views.h"

namespace slaq::kube::consistency {

class UnseenPods {
 public:
  // The caller calls this when a watch or an answer shows another state of a Job. `pods` are its known pods.
  void noteChange(const objects::ChildJob& before, const objects::ChildJob& after, const objects::Pods& pods,
                  Time now);
  // The caller calls this when a watch or an answer shows a pod.
  void noteSeen(const pods::OwnPod& pod);
  // Counts the pods of the Job that may exist and were not seen.
  Workers of(const objects::ChildJob& child, Time now) const;
  // Forgets the pods that would have been seen by now if they existed.
  void forget(Time now);

 private:
  using Job = std::pair<std::string, std::string>;  // namespace and uid
  struct Expected {
    std::set<int> indexes;  // of the Job's completions
    Time until;
  };
  std::map<Job, Expected> expected_;
};

// Counts `unseen` pods as terminating. Where no pod is known, the view has the Job's own counts, which may
// include them.
void addUnseen(WorkersView& workers, Workers unseen, const objects::Pods& known);

}  // namespace slaq::kube::consistency
