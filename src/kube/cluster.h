// The loop's port Cluster on a real API server: what is seen comes out of the store, what is done are single
// requests, each towards an absolute goal and none when the goal is reached already.
#pragma once

#include <string>

#include "base/clock.h"
#include "kube/api.h"
#include "kube/children.h"
#include "kube/event_recorder.h"
#include "kube/refusals.h"
#include "kube/resize.h"
#include "kube/room.h"
#include "kube/store.h"
#include "loop/ports.h"

namespace slaq::kube {

class KubeCluster final : public Cluster {
 public:
  // `room` is there where capacity follows the nodes. REQUIRES: all outlive this.
  KubeCluster(Api& api, Store& store, EventRecorder& events, const Clock& clock, const Room* room = nullptr)
      : api_(api), store_(store), events_(events), clock_(clock), room_(room) {}

  Result<ClusterView> observe() override;
  Result<void> apply(const Action& action) override;
  Result<void> writeStatus(const JobKey& job, const JobStatus& status) override;
  void record(const JobKey& job, const Event& event) override;

 private:
  // Keeps a refusal for the user, or forgets it.
  void remember(const StoredJob& stored, const Action& action, const Result<void>& done);

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
  // Tells the workers' Job the cores that each of its pods asks for already.
  void takeBack(const StoredJob& stored);
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
  const Room* room_;
  Resizer resizer_{api_, store_};
  Refusals starts_;   // refused by the cluster
  Refusals resizes_;  // in place, of a job that scales by CPU
};

}  // namespace slaq::kube
