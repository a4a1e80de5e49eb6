// The port Cluster for a real API server. Observations come from the store. Each action is a single request
// towards an absolute goal, and no request when the goal is reached already.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "base/clock.h"
#include "kube/client/api.h"
#include "kube/cluster/child_writer.h"
#include "kube/cluster/node_capacity.h"
#include "kube/cluster/pod_groups.h"
#include "kube/cluster/rejection_cache.h"
#include "kube/cluster/resize.h"
#include "kube/cluster/resource_quotas.h"
#include "kube/cluster/store.h"
#include "kube/events/event_recorder.h"
#include "kube/queues/queues.h"
#include "kube/targets/targets.h"
#include "ports/cluster.h"

namespace slaq::kube::cluster {

// The parts of a KubeCluster that can be left out.
struct KubeClusterOptions {
  const ResourceQuotas* quotas = nullptr;      // where ResourceQuotas are watched
  targets::Targets* targets = nullptr;         // the objects that jobs name by targetRef
  queues::Queues* queues = nullptr;            // where jobs may be in queues of Kueue
  const NodeCapacity* nodeCapacity = nullptr;  // where capacity follows the nodes
  std::string docsUrl = {};                    // where docs/ can be read (runbooks.h)
  std::string reportImage = {};                // an image with slaq-report
  bool podGroups = false;                      // what a start needs is bound together or not at all
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
  // Forgets what is known beside the store, since another process may have changed it.
  void forget() { podGroups_.forget(); }

 private:
  bool isListed();
  // Remembers that the cluster rejected the action, or forgets it after a success.
  void cacheRejection(const objects::StoredJob& stored, const Action& action, const Result<void>& done);

  Result<void> act(const objects::StoredJob& stored, const StartJob& start);
  Result<void> act(const objects::StoredJob& stored, const ScaleWorkers& scale);
  Result<void> act(const objects::StoredJob& stored, const ScaleCpu& scale);
  Result<void> act(const objects::StoredJob& stored, const SuspendJob& suspend);
  Result<void> act(const objects::StoredJob& stored, const FinishJob& finish);
  Result<void> act(const objects::StoredJob& stored, const DeleteJob& action);
  Result<void> act(const objects::StoredJob& stored, const RequestQuota& request);

  bool hasRunningWorkers(const objects::StoredJob& stored) const;
  // A Conflict unless the server still has the TrainingJob, unchanged and not being deleted.
  Result<void> confirmExists(const objects::StoredJob& stored);
  // Writes back to the workers' Job the cores that its pods request now.
  void restoreCpu(const objects::StoredJob& stored);
  Result<void> suspendIfRunning(const objects::StoredJob& stored, objects::Role role);
  Result<objects::StoredJob> readAgain(const objects::StoredJob& stored);

  client::Api& api_;
  Store& store_;
  events::EventRecorder& events_;
  const Clock& clock_;
  const KubeClusterOptions options_;
  Resizer resizer_{api_, store_};
  ChildWriter children_{api_, store_, options_.whyInconsistent};
  PodGroups podGroups_{api_, store_};
  // Each job as the newest view had it. Actions are decided by that view.
  struct Observed {
    std::string uid;
    std::int64_t generation = 0;
  };
  std::map<JobKey, Observed> observed_;
  std::optional<Seconds> begun_;  // when the store was first found listed, on the monotonic clock
  RejectionCache rejectedStarts_;
  RejectionCache rejectedResizes_;  // of resizes in place, for jobs that scale by CPU
};

}  // namespace slaq::kube::cluster
