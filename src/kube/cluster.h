// The loop's port Cluster on a real API server: what is seen comes out of the store, what is done are single
// requests, each towards an absolute goal and none when the goal is reached already.
#pragma once

#include <map>
#include <string>

#include "base/clock.h"
#include "kube/api.h"
#include "kube/children.h"
#include "kube/event_recorder.h"
#include "kube/store.h"
#include "loop/ports.h"

namespace slaq::kube {

class KubeCluster final : public Cluster {
 public:
  // REQUIRES: all outlive this.
  KubeCluster(Api& api, Store& store, EventRecorder& events, const Clock& clock)
      : api_(api), store_(store), events_(events), clock_(clock) {}

  Result<ClusterView> observe() override;
  Result<void> apply(const Action& action) override;
  Result<void> writeStatus(const JobKey& job, const JobStatus& status) override;
  void record(const JobKey& job, const Event& event) override;

 private:
  // A start that the cluster said no to, until it is worth another try.
  struct Refusal {
    std::string uid;
    std::int64_t generation = 0;
    std::string sentence;
    Seconds pause{0};
    Time retryAt;
  };

  void refuse(const StoredJob& stored, const std::string& sentence);

  Result<void> act(const StoredJob& stored, const StartJob& start);
  Result<void> act(const StoredJob& stored, const ScaleWorkers& scale);
  Result<void> act(const StoredJob& stored, const ScaleCpu& scale);
  Result<void> act(const StoredJob& stored, const SuspendJob& suspend);
  Result<void> act(const StoredJob& stored, const FinishJob& finish);
  Result<void> act(const StoredJob& stored, const DeleteJob& action);

  Result<void> createService(const StoredJob& stored);
  // The child exists and is told the goal.
  Result<void> ensureChild(const StoredJob& stored, Role role, const std::string& body,
                           const ChildGoal& goal);
  // Patches an existing child, reading it again on conflicts.
  Result<void> settle(ChildJob child, const ChildGoal& goal);
  Result<void> suspendIfRunning(const StoredJob& stored, Role role);
  // The object that has a name we need: ours, or a Conflict that says whose it is not.
  Result<rapidjson::Document> readOwn(const StoredJob& stored, const Target& target);
  // As it is now; a Conflict when it is another by now.
  Result<ChildJob> readAgain(const ChildJob& child);
  Result<StoredJob> readAgain(const StoredJob& stored);

  Api& api_;
  Store& store_;
  EventRecorder& events_;
  const Clock& clock_;
  std::map<JobKey, Refusal> refusals_;
};

}  // namespace slaq::kube
