// The loop's port Cluster on a real API server: what is seen comes out of the store, what is done are single
// requests, each towards an absolute goal and none when the goal is reached already.
#pragma once

#include <string>

#include "base/clock.h"
#include "kube/client/api.h"
#include "kube/cluster/refusals.h"
#include "kube/cluster/resize.h"
#include "kube/cluster/room.h"
#include "kube/cluster/store.h"
#include "kube/events/event_recorder.h"
#include "kube/objects/children.h"
#include "loop/ports.h"

namespace slaq::kube::cluster {

class KubeCluster final : public Cluster {
 public:
  // `room` is there where capacity follows the nodes. REQUIRES: all outlive this.
  KubeCluster(client::Api& api, Store& store, events::EventRecorder& events, const Clock& clock,
              const Room* room = nullptr)
      : api_(api), store_(store), events_(events), clock_(clock), room_(room) {}

  Result<ClusterView> observe() override;
  Result<void> apply(const Action& action) override;
  Result<void> writeStatus(const JobKey& job, const JobStatus& status) override;
  void record(const JobKey& job, const Event& event) override;

 private:
  // Keeps a refusal for the user, or forgets it.
  void remember(const objects::StoredJob& stored, const Action& action, const Result<void>& done);

  Result<void> act(const objects::StoredJob& stored, const StartJob& start);
  Result<void> act(const objects::StoredJob& stored, const ScaleWorkers& scale);
  Result<void> act(const objects::StoredJob& stored, const ScaleCpu& scale);
  Result<void> act(const objects::StoredJob& stored, const SuspendJob& suspend);
  Result<void> act(const objects::StoredJob& stored, const FinishJob& finish);
  Result<void> act(const objects::StoredJob& stored, const DeleteJob& action);

  Result<void> createService(const objects::StoredJob& stored);
  // The child exists and is told the goal.
  Result<void> ensureChild(const objects::StoredJob& stored, objects::Role role, const std::string& body,
                           const objects::ChildGoal& goal);
  // Patches an existing child, reading it again on conflicts.
  Result<void> settle(objects::ChildJob child, const objects::ChildGoal& goal);
  // Tells the workers' Job the cores that each of its pods asks for already.
  void takeBack(const objects::StoredJob& stored);
  Result<void> suspendIfRunning(const objects::StoredJob& stored, objects::Role role);
  // The object that has a name we need: ours, or a Conflict that says whose it is not.
  Result<rapidjson::Document> readOwn(const objects::StoredJob& stored, const client::Target& target);
  // As it is now; a Conflict when it is another by now.
  Result<objects::ChildJob> readAgain(const objects::ChildJob& child);
  Result<objects::StoredJob> readAgain(const objects::StoredJob& stored);

  client::Api& api_;
  Store& store_;
  events::EventRecorder& events_;
  const Clock& clock_;
  const Room* room_;
  Resizer resizer_{api_, store_};
  Refusals starts_;   // refused by the cluster
  Refusals resizes_;  // in place, of a job that scales by CPU
};

}  // namespace slaq::kube::cluster
