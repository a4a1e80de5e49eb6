// The port Cluster for a real API server. Observations come from the store. Each action is a single request
// towards an absolute goal, and no request when the goal is reached already.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "base/clock.h"
#include "kube/client/api.h"
#include "kube/cluster/node_capacity.h"
#include "kube/cluster/rejection_cache.h"
#include "kube/cluster/resize.h"
#include "kube/cluster/resource_quotas.h"
#include "kube/cluster/store.h"
#include "kube/events/event_recorder.h"
#include "kube/objects/children.h"
#include "kube/targets/targets.h"
#include "ports/cluster.h"

namespace slaq::kube::cluster {

// The parts of a KubeCluster that can be left out.
struct KubeClusterOptions {
  const ResourceQuotas* quotas = nullptr;      // where ResourceQuotas are watched
  targets::Targets* targets = nullptr;         // the objects that jobs name by targetRef
  const NodeCapacity* nodeCapacity = nullptr;  // where capacity follows the nodes
  std::string docsUrl = {};                    // where docs/ can be read (runbooks.h)
  std::string reportImage = {};                // an image with slaq-report
  // Returns the reason if the contents of the store may not fit together: then nothing is decided, and no
  // child is changed. Called on every thread that calls the cluster.
  std::function<std::optional<std::string>()> whyInconsistent = [] { return std::nullopt; };
};

class KubeCluster final : public Cluster {
 public:
  // REQUIRES: all that it is given outlives this.
  KubeCluster(client::Api& api, Store& store, events::EventRecorder& events, const Clock& clock,
              KubeClusterOptions options = {})
      : api_(api), store_(store), events_(events), clock_(clock), options_(std::move(options)) {}

  Result<ClusterView> observe() override;
  // A write waits for the server's disk, so several at a time are faster. A server with API priority and
  // fairness queues one user's requests beyond some tens.
  std::size_t maxConcurrentWrites() const override { return 16; }
  Result<void> apply(const Action& action) override;
  Result<void> writeStatus(const JobKey& job, const std::string& uid, const JobStatus& status) override;
  void record(const JobKey& job, const Event& event) override;

 private:
  // Remembers that the cluster rejected the action, or forgets it after a success.
  void cacheRejection(const objects::StoredJob& stored, const Action& action, const Result<void>& done);

  Result<void> act(const objects::StoredJob& stored, const StartJob& start);
  Result<void> act(const objects::StoredJob& stored, const ScaleWorkers& scale);
  Result<void> act(const objects::StoredJob& stored, const ScaleCpu& scale);
  Result<void> act(const objects::StoredJob& stored, const SuspendJob& suspend);
  Result<void> act(const objects::StoredJob& stored, const FinishJob& finish);
  Result<void> act(const objects::StoredJob& stored, const DeleteJob& action);

  // A Conflict unless the server still has the TrainingJob, unchanged and not being deleted.
  Result<void> confirmExists(const objects::StoredJob& stored);
  Result<void> createService(const objects::StoredJob& stored);
  // Creates the child if it is missing; else brings it to the goal.
  Result<void> ensureChild(const objects::StoredJob& stored, objects::Role role, const std::string& body,
                           const objects::ChildGoal& goal);
  // Patches an existing child towards the goal, and reads it again after a conflict.
  Result<void> reconcileChild(objects::ChildJob child, const objects::ChildGoal& goal);
  // Writes back to the workers' Job the cores that its pods request now.
  void restoreCpu(const objects::StoredJob& stored);
  Result<void> suspendIfRunning(const objects::StoredJob& stored, objects::Role role);
  // The existing object of that name, or a Conflict if it does not belong to this TrainingJob.
  Result<rapidjson::Document> readOwn(const objects::StoredJob& stored, const client::Target& target);
  // The object's current state, or a Conflict if it was replaced.
  Result<objects::ChildJob> readAgain(const objects::ChildJob& child);
  Result<objects::StoredJob> readAgain(const objects::StoredJob& stored);

  client::Api& api_;
  Store& store_;
  events::EventRecorder& events_;
  const Clock& clock_;
  const KubeClusterOptions options_;
  Resizer resizer_{api_, store_};
  RejectionCache rejectedStarts_;
  RejectionCache rejectedResizes_;  // of resizes in place, for jobs that scale by CPU
};

}  // namespace slaq::kube::cluster
