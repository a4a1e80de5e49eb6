// The PodGroups of jobs (pod_group.h): the scheduler binds the pods that a start needs together or not at
// all.
#pragma once

#include <atomic>
#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "job/view.h"
#include "kube/client/api.h"
#include "kube/cluster/store.h"
#include "kube/objects/pod_group.h"

namespace slaq::kube::cluster {

// Any thread may call it.
class PodGroups {
 public:
  // REQUIRES: both objects outlive this.
  PodGroups(client::Api& api, Store& store) : api_(api), store_(store) {}

  // Makes the PodGroup of a job that starts with this number of workers, or brings it to the gang of this
  // start. Children that exist keep the group that they were made with, or none: their templates cannot
  // change. Empty without a gang: for a single pod, for workers that run already, and where the cluster has
  // no PodGroups or slaq has no right to them. The first answer of a cluster without them holds for as long
  // as this lives. Invalid: an object of that name exists and has another owner.
  Result<std::optional<objects::Gang>> start(const objects::StoredJob& stored, const TrainingJob& job,
                                             Workers count);

  // Lets each later pod of the job be bound alone, once the minimum of workers is ready. The scheduler holds
  // back each new pod of a group that has fewer pods than its least number, and workers may end by
  // themselves.
  void loosen(const objects::StoredJob& stored, Workers ready);

  // Forgets what is known of the groups of jobs that are not in the view.
  void retain(const ClusterView& view);
  // Forgets all groups: another process may have changed them.
  void forget();

 private:
  // False if there are no PodGroups for slaq.
  Result<bool> ensure(const objects::StoredJob& stored, const objects::Gang& gang);
  Result<void> setMinCount(const objects::StoredJob& stored, const rapidjson::Value& group, int minCount);
  bool isLoose(const std::string& uid);
  void note(const std::string& uid, bool isLoose);

  client::Api& api_;
  Store& store_;
  std::atomic<bool> hasNone_ = false;
  std::mutex mutex_;
  std::set<std::string> loose_;  // the uids of jobs whose groups need no change until their next start
};

}  // namespace slaq::kube::cluster
