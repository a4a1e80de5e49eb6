#include "cli/api/loss_curve.h"

#include <cmath>

namespace slaq::cli::api {

bool LossCurve::add(const LossSample& sample) {
  if (!std::isfinite(sample.iteration.value()) || !std::isfinite(sample.loss.value())) return false;
  if (!samples_.empty()) {
    const LossSample& last = samples_.back();
    const bool isLast = sample.iteration == last.iteration && sample.loss == last.loss;
    if (isLast || sample.time <= last.time) return false;
  }
  const bool lastStays = samples_.empty() || (added_ - 1) % stride_ == 0;
  if (lastStays) {
    samples_.push_back(sample);
  } else {
    samples_.back() = sample;
  }
  ++added_;
  if (samples_.size() > most_) thin();
  return true;
}

void LossCurve::thin() {
  const LossSample newest = samples_.back();
  std::size_t kept = 0;
  for (std::size_t i = 0; i + 1 < samples_.size(); i += 2) samples_[kept++] = samples_[i];
  samples_.resize(kept);
  samples_.push_back(newest);
  stride_ *= 2;
}

void LossCurves::add(const JobKey& job, const std::string& uid, const LossSample& sample) {
  const std::lock_guard lock(mutex_);
  auto& known = jobs_[job];
  if (known.uid != uid) known = {.uid = uid};
  known.curve.add(sample);
}

void LossCurves::forgetAllBut(const std::function<bool(const JobKey&)>& exists) {
  const std::lock_guard lock(mutex_);
  std::erase_if(jobs_, [&](const auto& each) { return !exists(each.first); });
}

std::vector<LossSample> LossCurves::of(const JobKey& job) const {
  const std::lock_guard lock(mutex_);
  const auto found = jobs_.find(job);
  if (found == jobs_.end()) return {};
  const auto samples = found->second.curve.samples();
  return {samples.begin(), samples.end()};
}

}  // namespace slaq::cli::api
