#include "loop/write/retry_times.h"

#include <algorithm>
#include <cmath>

namespace slaq::loop {
namespace {

constexpr Seconds kLongestBackoff{60};
constexpr double kLeastRest = 10;  // times what the write took

}  // namespace

void RetryTimes::retain(const scheduler::Snapshot& snapshot) {
  std::map<JobKey, Failed> kept;
  for (const auto& job : snapshot.jobs) {
    if (auto known = failed_.extract(job.view->job.key)) kept.insert(std::move(known));
  }
  failed_ = std::move(kept);
}

void RetryTimes::addFailure(const JobKey& job, Seconds now, Seconds epoch, Seconds took) {
  Failed& failed = failed_[job];
  const double epochs = std::exp2(std::min(failed.times++, 30)) - 0.5;
  failed.retry = now + std::max(std::min(kLongestBackoff, epochs * epoch), kLeastRest * took);
}

bool RetryTimes::mustWait(const JobKey& job, Seconds now) const {
  const auto found = failed_.find(job);
  return found != failed_.end() && found->second.retry > now;
}

}  // namespace slaq::loop
