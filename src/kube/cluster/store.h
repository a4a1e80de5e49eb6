// What is known of the cluster: TrainingJobs, their child Jobs and the pods of those, as the watches and the
// answers to our own writes last showed them. Keeps only what is read, so that thousands of jobs fit.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "job/view.h"
#include "kube/objects/child.h"
#include "kube/objects/pod_views.h"
#include "kube/objects/training_job.h"
#include "kube/watch/sink.h"

namespace slaq::kube::cluster {

// Any thread may call it.
class Store {
 public:
  // `news` is called without locks, on whatever thread brings it, for each TrainingJob that was not known and
  // for each child whose end is that of its TrainingJob.
  explicit Store(
      std::function<void()> news = [] {}, std::string resource = "cpu");

  // Where the reflectors put what they see.
  watch::ObjectSink& trainingJobs() { return jobSink_; }
  watch::ObjectSink& childJobs() { return childSink_; }
  watch::ObjectSink& pods() { return podSink_; }

  objects::StoredJob read(const rapidjson::Value& trainingJob) const {
    return objects::readStoredJob(trainingJob, resource_);
  }

  // The answer to one of our own writes: known at once, not only when the watch brings it.
  void learnJob(const rapidjson::Value& trainingJob);
  void learnChild(const rapidjson::Value& job);
  void learnPod(const rapidjson::Value& pod);

  // True once all collections were listed.
  bool synced() const;
  std::optional<objects::StoredJob> job(const JobKey& key) const;
  // The child of that role, if the TrainingJob with the uid `owner` controls it.
  std::optional<objects::ChildJob> child(const JobKey& job, const std::string& owner,
                                         objects::Role role) const;
  // Of the Job with that uid.
  std::vector<pods::OwnPod> podsOf(const std::string& controller) const;
  // What pods of ours hold on each node.
  std::map<std::string, Cores> coresByNode() const;
  // All jobs with their children, sorted by key, without their templates' documents. Violations become a
  // refusal.
  ClusterView view(Time now) const;

 private:
  using PodsByJob = std::map<std::string_view, objects::Pods>;

  const objects::ChildJob* findChild(const JobKey& job, const std::string& owner, objects::Role role) const;
  PodsByJob podsByJob() const;
  JobView viewOf(const objects::StoredJob& stored, const PodsByJob& pods) const;
  // Held by pods whose job, or whose Job, is gone.
  Cores leaving(const PodsByJob& pods) const;

  std::string resource_;
  std::function<void()> news_;
  mutable std::mutex mutex_;
  watch::Collection<objects::StoredJob> jobs_;
  watch::Collection<objects::ChildJob> children_{objects::endsTraining};
  watch::Collection<pods::OwnPod> pods_;
  watch::CollectionSink<objects::StoredJob> jobSink_;
  watch::CollectionSink<objects::ChildJob> childSink_;
  watch::CollectionSink<pods::OwnPod> podSink_;
};

}  // namespace slaq::kube::cluster
