// Remembers for each job why the cluster rejected an action. An entry is valid until its pause ends, or until
// the job was edited. The pause grows with every rejection.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "job/view.h"

namespace slaq::kube::cluster {

// Any thread may call it.
class RejectionCache {
 public:
  void add(const TrainingJob& job, const std::string& sentence, Time now);
  void forget(const JobKey& job);
  // The cluster's reason, while it is too early for another try.
  std::optional<std::string> find(const TrainingJob& job, Time now) const;
  // Forgets the jobs that are gone.
  void retain(const ClusterView& view);

 private:
  struct Rejection {
    std::string uid;
    std::int64_t generation = 0;
    std::string sentence;
    Seconds pause{0};
    Time retryAt;
  };

  mutable std::mutex mutex_;
  std::map<JobKey, Rejection> rejections_;
};

}  // namespace slaq::kube::cluster
