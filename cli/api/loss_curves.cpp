#include "cli/api/loss_curves.h"

namespace slaq::cli::api {

void LossCurves::add(const JobKey& job, const LossSample& sample) {
  const std::lock_guard lock(mutex_);
  auto& losses = losses_[job];
  losses.push_back(sample);
  if (losses.size() <= kMost) return;
  // The first and the last one stay.
  std::size_t kept = 0;
  for (std::size_t i = 0; i < losses.size(); i += 2) losses[kept++] = losses[i];
  if (losses.size() % 2 == 0) losses[kept++] = losses.back();
  losses.resize(kept);
}

void LossCurves::forgetAllBut(const std::function<bool(const JobKey&)>& exists) {
  const std::lock_guard lock(mutex_);
  std::erase_if(losses_, [&](const auto& each) { return !exists(each.first); });
}

std::vector<LossSample> LossCurves::of(const JobKey& job) const {
  const std::lock_guard lock(mutex_);
  const auto found = losses_.find(job);
  return found == losses_.end() ? std::vector<LossSample>() : found->second;
}

}  // namespace slaq::cli::api
