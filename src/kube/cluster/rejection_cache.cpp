#include "kube/cluster/rejection_cache.h"

#include <algorithm>

namespace slaq::kube::cluster {
namespace {

constexpr Seconds kFirstPause{5};
constexpr Seconds kLongestPause{300};

}  // namespace

void RejectionCache::add(const TrainingJob& job, const std::string& sentence, Time now) {
  const std::lock_guard lock(mutex_);
  Rejection& rejection = rejections_[job.key];
  const bool again = rejection.uid == job.uid && rejection.generation == job.generation;
  rejection.pause = again ? std::min(2 * rejection.pause, kLongestPause) : kFirstPause;
  rejection.uid = job.uid;
  rejection.generation = job.generation;
  rejection.sentence = sentence;
  rejection.retryAt = now + rejection.pause;
}

void RejectionCache::forget(const JobKey& job) {
  const std::lock_guard lock(mutex_);
  rejections_.erase(job);
}

std::optional<std::string> RejectionCache::find(const TrainingJob& job, Time now) const {
  const std::lock_guard lock(mutex_);
  const auto found = rejections_.find(job.key);
  if (found == rejections_.end()) return std::nullopt;
  const auto& [uid, generation, sentence, pause, retryAt] = found->second;
  const bool tryAgain = uid != job.uid || generation != job.generation || now >= retryAt;
  return tryAgain ? std::nullopt : std::optional(sentence);
}

void RejectionCache::retain(const ClusterView& view) {
  const std::lock_guard lock(mutex_);
  std::map<JobKey, Rejection> current;
  for (const auto& each : view.jobs) {
    const auto found = rejections_.find(each.job.key);
    if (found != rejections_.end() && found->second.uid == each.job.uid) current.insert(*found);
  }
  rejections_ = std::move(current);
}

}  // namespace slaq::kube::cluster
