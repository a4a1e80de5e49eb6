// What is known of the cluster: TrainingJobs, their child Jobs and the pods of those, as the watches and the
// answers to our own writes last showed them. Keeps only what is read, so that thousands of jobs fit.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "job/validate.h"
#include "job/view.h"
#include "kube/child.h"
#include "kube/pod_views.h"
#include "kube/sink.h"

namespace slaq::kube {

struct StoredJob {
  JobKey key;
  std::string uid;
  std::string resourceVersion;
  TrainingJob job;  // without the templates' documents: views of it are copied every epoch
  std::string workersDocument;
  std::string driverDocument;
  JobStatus status;
  std::string selector;  // of its status
  std::vector<Violation> violations;
};

// The job with its templates' documents.
TrainingJob wholeJob(const StoredJob& stored);

// `resource` is the unit of capacity.
StoredJob readStoredJob(const rapidjson::Value& trainingJob, std::string_view resource = "cpu");

// Any thread may call it.
class Store {
 public:
  // `news` is called without locks, on whatever thread brings it, for each TrainingJob that was not known and
  // for each child whose end is that of its TrainingJob.
  explicit Store(
      std::function<void()> news = [] {}, std::string resource = "cpu");

  // Where the reflectors put what they see.
  ObjectSink& trainingJobs() { return jobSink_; }
  ObjectSink& childJobs() { return childSink_; }
  ObjectSink& pods() { return podSink_; }

  StoredJob read(const rapidjson::Value& trainingJob) const { return readStoredJob(trainingJob, resource_); }

  // The answer to one of our own writes: known at once, not only when the watch brings it.
  void learnJob(const rapidjson::Value& trainingJob);
  void learnChild(const rapidjson::Value& job);
  void learnPod(const rapidjson::Value& pod);

  // True once all collections were listed.
  bool synced() const;
  std::optional<StoredJob> job(const JobKey& key) const;
  // The child of that role, if the TrainingJob with the uid `owner` controls it.
  std::optional<ChildJob> child(const JobKey& job, const std::string& owner, Role role) const;
  // Of the Job with that uid.
  std::vector<OwnPod> podsOf(const std::string& controller) const;
  // What pods of ours hold on each node.
  std::map<std::string, Cores> coresByNode() const;
  // All jobs with their children, sorted by key, without their templates' documents. Violations become a
  // refusal.
  ClusterView view(Time now) const;

 private:
  using PodsByJob = std::map<std::string_view, Pods>;

  const ChildJob* findChild(const JobKey& job, const std::string& owner, Role role) const;
  PodsByJob podsByJob() const;
  JobView viewOf(const StoredJob& stored, const PodsByJob& pods) const;
  // Held by pods whose job, or whose Job, is gone.
  Cores leaving(const PodsByJob& pods) const;

  std::string resource_;
  std::function<void()> news_;
  mutable std::mutex mutex_;
  Collection<StoredJob> jobs_;
  Collection<ChildJob> children_{endsTraining};
  Collection<OwnPod> pods_;
  CollectionSink<StoredJob> jobSink_;
  CollectionSink<ChildJob> childSink_;
  CollectionSink<OwnPod> podSink_;
};

}  // namespace slaq::kube
