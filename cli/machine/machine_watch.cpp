#include "cli/machine/machine_watch.h"

#include <filesystem>

namespace slaq::cli::machine {

std::filesystem::path ownDirectory() {
  std::error_code ignored;
  return std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
}

bool MachineWatch::look() {
  auto view = cluster_.look();
  std::vector<LossRequest> requests;
  bool anyEnded = false;
  for (const auto& job : view.jobs) {
    anyEnded |= noteEnd(job, view.time);
    const JobKey& key = job.job.key;
    if (job.metricsEndpoint) endpoints_[key] = *job.metricsEndpoint;
    if (finished(job.status.state) || !endpoints_.contains(key)) continue;
    const auto& loss = job.job.spec.loss;
    const Time since = std::max(job.job.created, looked_.value_or(job.job.created) - kSampleOverlap);
    requests.push_back({.job = key,
                        .uid = job.job.uid,
                        .metric = loss.metric,
                        .iterationMetric = loss.iterationMetric,
                        .since = since,
                        .endpoint = endpoints_.at(key),
                        .isReported = loss.from.has_value()});
  }
  looked_ = view.time;
  bool anyBegan = false;
  if (const auto report = losses_.collect(requests, view.time)) {
    for (const auto& [key, loss] : *report) anyBegan |= !loss.samples.empty() && begun_.insert(key).second;
  }
  const bool hasFreed = loop_.hasFreed(view);
  seen_ = std::move(view);
  return anyBegan || anyEnded || hasFreed;
}

bool MachineWatch::noteEnd(const JobView& job, Time now) {
  return (job.driver.succeeded || job.workers.succeeded) && ends_.try_emplace(job.job.key, now).second;
}

std::optional<Time> MachineWatch::endOf(const JobKey& job) const {
  const auto found = ends_.find(job);
  return found == ends_.end() ? std::nullopt : std::optional(found->second);
}

void MachineWatch::forgetAllBut(const std::map<JobKey, local::cluster::LeftJob>& jobs) {
  std::erase_if(endpoints_, [&](const auto& each) { return !jobs.contains(each.first); });
  std::erase_if(ends_, [&](const auto& each) { return !jobs.contains(each.first); });
  std::erase_if(begun_, [&](const auto& each) { return !jobs.contains(each); });
}

}  // namespace slaq::cli::machine
