#include "loop/write/retry_times.h"

#include <algorithm>
#include <cmath>

namespace slaq::loop {
namespace {

constexpr Seconds kLongestBackoff{60};
constexpr double kLeastRest = 10;  // times the duration of the write
constexpr Seconds kLongestRest{300};

// After this long without a failure, the next one counts as the first.
constexpr Seconds kForgottenAfter{600};

// This process loses its lease if the server is out for more than this many epochs.
constexpr int kMostEpochsOfAnOutage = 5;

}  // namespace

void RetryTimes::retain(const scheduler::Snapshot& snapshot) {
  std::map<std::pair<JobKey, std::size_t>, Failed> kept;
  for (const auto& each : snapshot.jobs) {
    const TrainingJob& job = each.view->job;
    auto known = failed_.lower_bound({job.key, 0});
    while (known != failed_.end() && known->first.first == job.key) {
      const auto next = std::next(known);
      if (known->second.uid == job.uid && known->second.generation == job.generation)
        kept.insert(failed_.extract(known));
      known = next;
    }
  }
  failed_ = std::move(kept);
}

RetryTimes::Failed& RetryTimes::failedOf(const JobView& job, Seconds now, std::size_t write) {
  Failed& failed = failed_[{job.job.key, write}];
  if (now - failed.at > kForgottenAfter) failed.times = failed.silences = 0;
  failed.uid = job.job.uid;
  failed.generation = job.job.generation;
  failed.at = now;
  return failed;
}

void RetryTimes::addFailure(const JobView& job, Seconds now, Seconds epoch, Seconds took, std::size_t write) {
  Failed& failed = failedOf(job, now, write);
  const double epochs = std::exp2(std::min(failed.times, 30)) - 0.5;
  const Seconds rest = failed.times > 0 ? std::min(kLongestRest, kLeastRest * took) : Seconds(0);
  failed.retry = now + std::max(rest, std::min(kLongestBackoff, epochs * epoch));
  ++failed.times;
}

void RetryTimes::addSilence(const JobView& job, Seconds now, Seconds epoch, Seconds took, std::size_t write) {
  Failed& failed = failedOf(job, now, write);
  if (++failed.silences > kMostEpochsOfAnOutage) addFailure(job, now, epoch, took, write);
}

Seconds RetryTimes::failedAt(const JobKey& job, std::size_t write) const {
  const auto found = failed_.find({job, write});
  return found == failed_.end() ? Seconds(0) : found->second.at;
}

bool RetryTimes::mustWait(const JobKey& job, Seconds now, std::size_t write) const {
  const auto found = failed_.find({job, write});
  return found != failed_.end() && found->second.retry > now;
}

}  // namespace slaq::loop
