// The known state of the cluster: TrainingJobs, their child Jobs and their pods, as the watches and the
// answers to our own writes last showed them. It keeps only the fields that are used, so that thousands of
// jobs fit.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "job/view.h"
#include "kube/consistency/foreign_resizes.h"
#include "kube/consistency/missed_pods.h"
#include "kube/consistency/unseen_pods.h"
#include "kube/objects/child.h"
#include "kube/objects/pod_views.h"
#include "kube/objects/training_job.h"
#include "kube/pods/failed_create.h"
#include "kube/watch/sink.h"

namespace slaq::kube::cluster {

// The store reads the clocks by these, and tells what it has found.
struct StoreHooks {
  // Called without locks, on any thread, for each new TrainingJob and for each child Job whose end is the end
  // of its training.
  std::function<void()> triggerEpoch = [] {};
  // The wall clock, for the times at which events come, and the monotonic one.
  std::function<Time()> now = [] { return SystemClock().now(); };
  std::function<Seconds()> monotonic = [] { return SystemClock().monotonic(); };
  // Called on any thread, while the store is locked, for each foreign resize (foreign_resizes.h).
  std::function<void()> resizedByOther = [] {};
  // Likewise, if the pods should be listed, unless a list was asked for since that time on the monotonic
  // clock (missed_pods.h).
  std::function<void(Seconds)> podsMissed = [](Seconds) {};
};

// Any thread may call it.
class Store {
 public:
  explicit Store(StoreHooks hooks = {}, std::string resource = "cpu");

  // The sinks for the reflectors.
  watch::ObjectSink& trainingJobs() { return jobSink_; }
  watch::ObjectSink& childJobs() { return childSink_; }
  watch::ObjectSink& pods() { return podSink_; }
  watch::ObjectSink& failedCreates() { return failedCreateSink_; }

  objects::StoredJob read(const rapidjson::Value& trainingJob) const {
    return objects::readStoredJob(trainingJob, resource_);
  }

  // The caller calls this before each write of a child.
  void expectChild(const objects::ChildJob& child, const objects::ChildGoal& goal) {
    const std::lock_guard lock(mutex_);
    foreign_.expect(child, goal);
  }
  // Takes the answer to one of our own writes, before the watch shows it.
  void updateJob(const rapidjson::Value& trainingJob);
  void updateChild(const rapidjson::Value& job);
  void updatePod(const rapidjson::Value& pod);

  // True once all collections were listed, except the failed creations of pods: without them a start in vain
  // is given back later.
  bool synced() const;
  // Grows whenever a child Job or a pod came, changed or went. While it stays the same, no cores were freed.
  std::uint64_t changes() const;
  std::optional<objects::StoredJob> job(const JobKey& key) const;
  // The child of that role, if the TrainingJob with the uid `owner` controls it.
  std::optional<objects::ChildJob> child(const JobKey& job, const std::string& owner,
                                         objects::Role role) const;
  std::vector<pods::OwnPod> podsOf(const objects::ChildJob& child) const;
  // The cores that pods hold on each node. `own` counts the pods of TrainingJobs' children, including
  // children that this process saw and that are gone. `strange` counts pods that only look like slaq's by
  // their labels.
  struct CoresByNode {
    std::map<std::string, Cores> own;
    std::map<std::string, Cores> strange;
  };
  CoresByNode coresByNode() const;
  // All jobs with their children, sorted by key, without their templates' documents. A job with violations
  // has them as its refusal.
  ClusterView view(Time now);
  // Notes which pods belong to TrainingJobs, to know them when their job is gone. view() does it too; a
  // process that stands by calls this.
  void noteOwners(Time now);

 private:
  const objects::ChildJob* findChild(const JobKey& job, const std::string& owner, objects::Role role) const;
  // The child of that role, as in child().
  const objects::ChildJob* childOf(const objects::StoredJob& owner, objects::Role role) const;
  // True if a TrainingJob has it as its child.
  bool isChild(const objects::ChildJob& child) const;
  // The pods of the Job with that uid, in its namespace: a pod of another namespace may name any owner.
  objects::Pods podsIn(const std::string& ns, const std::string& controller) const;
  // Why the child's pods cannot start, or cannot even be created.
  std::optional<std::string> obstacleTo(const objects::ChildJob& child, const objects::Pods& pods) const;
  JobView viewOf(const objects::StoredJob& stored);
  WorkersView workersOf(const objects::ChildJob& workers, const objects::StoredJob& stored,
                        const objects::Pods& pods) const;
  DriverView driverOf(const objects::ChildJob& driver, const objects::Pods& pods) const;
  void setEffectiveCores(JobView& view, const objects::Pods& workers, const objects::Pods& driver);
  // Notes which Jobs are children of TrainingJobs, and forgets those of which nothing is left.
  // REQUIRES: the mutex is held.
  void noteOwnersLocked(Time now);
  void noteEnding(Time now);
  void forgetChildren();
  void noteChild(const objects::ChildJob* before, const objects::ChildJob* after);
  void notePod(const pods::OwnPod* before, const pods::OwnPod* after);
  // True if the pod may belong to a child of a TrainingJob.
  bool isOurs(const pods::OwnPod& pod) const;
  // The cores that pods of known children hold on nodes, if their TrainingJob or the child is gone.
  Cores leaving() const;

  std::string resource_;
  StoreHooks hooks_;
  mutable std::mutex mutex_;
  watch::Collection<objects::StoredJob> jobs_{&objects::StoredJob::uid};
  watch::Collection<objects::ChildJob> children_;
  watch::Collection<pods::OwnPod> pods_;
  watch::Collection<pods::FailedCreate> failedCreates_{&pods::FailedCreate::job};
  consistency::UnseenPods unseen_;
  consistency::MissedPods missed_;
  consistency::ForeignResizes foreign_;
  // When the number of a Job's ready pods last changed, by its namespace and uid: pods of other namespaces
  // may name it as their owner.
  std::map<std::pair<std::string, std::string>, Time> readyChanged_;
  // The namespaces of Jobs that are or were children of TrainingJobs, by their uid. Labels and owners are not
  // enough: tenants can write any into other objects.
  std::unordered_map<std::string, std::string> known_;
  // The Jobs whose pods were ending when this process began. Their TrainingJobs can no longer be found out.
  std::set<std::string> ending_;
  std::optional<Time> endingUntil_;
  // The requests seen in the pods of a TrainingJob with this uid.
  struct Effective {
    std::optional<Cores> worker;
    std::optional<Cores> driver;
  };
  std::map<std::string, Effective, std::less<>> effective_;
  watch::CollectionSink<objects::StoredJob> jobSink_;
  watch::CollectionSink<objects::ChildJob> childSink_;
  watch::CollectionSink<pods::OwnPod> podSink_;
  watch::CollectionSink<pods::FailedCreate> failedCreateSink_;
};

}  // namespace slaq::kube::cluster
