// What the cluster said no to, job by job: kept until it is worth another try, after a pause that grows, or
// once the job was edited.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "job/view.h"

namespace slaq::kube::cluster {

class Refusals {
 public:
  void note(const TrainingJob& job, const std::string& sentence, Time now);
  void forget(const JobKey& job) { refusals_.erase(job); }
  // The sentence, as long as another try would be too early.
  std::optional<std::string> about(const TrainingJob& job, Time now) const;
  // Forgets the jobs that are gone.
  void keepOnly(const ClusterView& view);

 private:
  struct Refusal {
    std::string uid;
    std::int64_t generation = 0;
    std::string sentence;
    Seconds pause{0};
    Time retryAt;
  };

  std::map<JobKey, Refusal> refusals_;
};

}  // namespace slaq::kube::cluster
