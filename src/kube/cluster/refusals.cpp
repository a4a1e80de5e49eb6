#include "kube/cluster/refusals.h"

#include <algorithm>

namespace slaq::kube::cluster {
namespace {

constexpr Seconds kFirstPause{5};
constexpr Seconds kLongestPause{300};

}  // namespace

void Refusals::note(const TrainingJob& job, const std::string& sentence, Time now) {
  Refusal& refusal = refusals_[job.key];
  const bool again = refusal.uid == job.uid && refusal.generation == job.generation;
  refusal.pause = again ? std::min(2 * refusal.pause, kLongestPause) : kFirstPause;
  refusal.uid = job.uid;
  refusal.generation = job.generation;
  refusal.sentence = sentence;
  refusal.retryAt = now + refusal.pause;
}

std::optional<std::string> Refusals::about(const TrainingJob& job, Time now) const {
  const auto said = refusals_.find(job.key);
  if (said == refusals_.end()) return std::nullopt;
  const auto& [uid, generation, sentence, pause, retryAt] = said->second;
  const bool tryAgain = uid != job.uid || generation != job.generation || now >= retryAt;
  return tryAgain ? std::nullopt : std::optional(sentence);
}

void Refusals::keepOnly(const ClusterView& view) {
  std::map<JobKey, Refusal> current;
  for (const auto& each : view.jobs) {
    const auto said = refusals_.find(each.job.key);
    if (said != refusals_.end() && said->second.uid == each.job.uid) current.insert(*said);
  }
  refusals_ = std::move(current);
}

}  // namespace slaq::kube::cluster
