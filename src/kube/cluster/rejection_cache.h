// Remembers for each job why the cluster rejected an action. An entry is valid until the job was edited. The
// pause until the next try grows with every rejection.
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
  // The cluster's reason, also once it is time for another try.
  std::optional<std::string> last(const TrainingJob& job) const;
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
