// The room that the nodes have for training jobs, where capacity follows them: what each can give less what
// the pods of others request, as the watches of nodes and of those pods last showed it.
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
class Room {
 public:
  // `resource` is the unit of capacity.
  explicit Room(const std::string& resource);

  // Where the two reflectors put what they see. Pods are those that are not slaq's and have not ended.
  watch::ObjectSink& nodes() { return nodeSink_; }
  watch::ObjectSink& otherPods() { return podSink_; }

  // True once both collections were listed.
  bool synced() const;

  // Sets the nodes, sorted by name, and what others wait for. `own` is what slaq's own pods hold, by node: a
  // node that takes no new pods gives exactly that, so that no job shrinks for it.
  void describe(ClusterView& view, const std::map<std::string, Cores>& own) const;

 private:
  Cores waiting(Time now, Cores largest) const;

  mutable std::mutex mutex_;
  watch::Collection<pods::Node> nodes_;
  watch::Collection<pods::OtherPod> pods_;
  watch::CollectionSink<pods::Node> nodeSink_;
  watch::CollectionSink<pods::OtherPod> podSink_;
};

}  // namespace slaq::kube::cluster
