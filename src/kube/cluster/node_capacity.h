// The nodes' capacity for training jobs, where capacity follows the nodes. For each node it is the
// allocatable capacity less the requests of pods of other programs, as the watches last showed them. The pods
// of objects that TrainingJobs size are not those of other programs; their labels name the TrainingJob.
#pragma once

#include <map>
#include <mutex>
#include <string>

#include "job/view.h"
#include "kube/pods/node.h"
#include "kube/pods/pod.h"
#include "kube/watch/sink.h"

namespace slaq::kube::cluster {

// Any thread may call it.
class NodeCapacity {
 public:
  // `resource` is the unit of capacity.
  explicit NodeCapacity(const std::string& resource);

  // The sinks for two reflectors. `otherPods` are the pods that slaq did not create and that have not ended.
  watch::ObjectSink& nodes() { return nodeSink_; }
  watch::ObjectSink& otherPods() { return podSink_; }

  // True once both collections were listed.
  bool synced() const;

  // Sets the view's nodes, sorted by name, and the cores that other pods wait for. `own` is the cores of
  // slaq's own pods by node. A node that accepts no new pods counts with exactly these, so that no job
  // shrinks because of it. `strange` is the cores of further pods, which are not among the other ones. Sets
  // also what the pods of each job with a targetRef hold.
  void describe(ClusterView& view, std::map<std::string, Cores> own,
                const std::map<std::string, Cores>& strange = {}) const;

 private:
  mutable std::mutex mutex_;
  watch::Collection<pods::Node> nodes_;
  watch::Collection<pods::OtherPod> pods_;
  watch::CollectionSink<pods::Node> nodeSink_;
  watch::CollectionSink<pods::OtherPod> podSink_;
};

}  // namespace slaq::kube::cluster
