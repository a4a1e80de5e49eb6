// What is known of the cluster: TrainingJobs and their child Jobs, as the watches and the answers to our
// own writes last showed them. Keeps only what is read, so that thousands of jobs fit.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "job/validate.h"
#include "job/view.h"
#include "kube/child.h"
#include "kube/collection.h"
#include "kube/reflector.h"

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

StoredJob readStoredJob(const rapidjson::Value& trainingJob);

// Any thread may call it.
class Store {
 public:
  // `changed` is called without locks, on the thread that brought the change.
  explicit Store(std::function<void()> changed = [] {});

  // Where the two reflectors put what they see.
  ObjectSink& trainingJobs() { return jobSink_; }
  ObjectSink& childJobs() { return childSink_; }

  // The answer to one of our own writes: known at once, not only when the watch brings it.
  void learnJob(const rapidjson::Value& trainingJob);
  void learnChild(const rapidjson::Value& job);

  // True once both collections were listed.
  bool synced() const;
  std::optional<StoredJob> job(const JobKey& key) const;
  // The child of that role, if the TrainingJob with the uid `owner` controls it.
  std::optional<ChildJob> child(const JobKey& job, const std::string& owner, Role role) const;
  // All jobs with their children, sorted by key, without their templates' documents. Violations become a
  // refusal.
  ClusterView view(Time now) const;

 private:
  template <class Object>
  class Sink : public ObjectSink {
   public:
    using Read = Object (*)(const rapidjson::Value&);
    Sink(Store& store, Collection<Object>& objects, Read read)
        : store_(store), objects_(objects), read_(read) {}
    void beginList() override;
    void endList() override;
    void upsert(const rapidjson::Value& object) override;
    void remove(const rapidjson::Value& object) override;

   private:
    Store& store_;
    Collection<Object>& objects_;
    Read read_;
    bool listing_ = false;  // of the reflector's thread
  };

  const ChildJob* findChild(const JobKey& job, const std::string& owner, Role role) const;
  JobView viewOf(const StoredJob& stored) const;

  std::function<void()> changed_;
  mutable std::mutex mutex_;
  Collection<StoredJob> jobs_;
  Collection<ChildJob> children_;
  Sink<StoredJob> jobSink_{*this, jobs_, readStoredJob};
  Sink<ChildJob> childSink_{*this, children_, readChild};
};

}  // namespace slaq::kube
