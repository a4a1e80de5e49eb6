#include "cli/run/run_board.h"

#include <unistd.h>

#include <algorithm>

namespace slaq::cli::run {

void RunBoard::begin(std::string logs) {
  logs_ = std::move(logs);
  happened_ = api::EventLog();
  const std::lock_guard lock(mutex_);
  jobs_.clear();
  events_.clear();
  states_.clear();
  stops_.clear();
}

void RunBoard::noteEvent(const TrainingJob& job, const Event& event, Time time) {
  happened_.add(job.key, job.uid, event, time);
}

void RunBoard::put(const loop::EpochReport& report) {
  std::vector<api::ServedJob> jobs;
  std::map<JobKey, JobState> states;
  for (std::size_t i = 0; i < report.view.jobs.size(); ++i) {
    const TrainingJob& job = report.view.jobs[i].job;
    const auto manifest = manifests_.find(job.key);
    if (manifest == manifests_.end()) continue;
    states[job.key] = report.statuses[i].state;
    jobs.push_back({job.key, job.uid, api::jobDocument(manifest->second, job, report.statuses[i], logs_)});
  }
  std::ranges::sort(jobs, {}, &api::ServedJob::key);
  happened_.forgetAllBut([&](const JobKey& key) { return states.contains(key); });
  auto events = happened_.documents();
  const std::lock_guard lock(mutex_);
  jobs_ = std::move(jobs);
  events_ = std::move(events);
  states_ = std::move(states);
}

std::set<JobKey> RunBoard::takeStops() {
  const std::lock_guard lock(mutex_);
  return std::exchange(stops_, {});
}

std::vector<api::ServedJob> RunBoard::jobs() const {
  const std::lock_guard lock(mutex_);
  return jobs_;
}

std::vector<api::ServedEvent> RunBoard::events() const {
  const std::lock_guard lock(mutex_);
  return events_;
}

Result<JobKey> RunBoard::submit(const api::Peer&, const std::string&) {
  return failure(ErrorKind::Invalid,
                 "this slaq run has the jobs of its command line and takes no others; slaq serve does");
}

Result<void> RunBoard::stop(const api::Peer& by, const JobKey& job) {
  if (by.user != ::geteuid() && by.user != 0)
    return failure(ErrorKind::Forbidden, "another user runs " + toString(job) + ", who alone may stop it");
  const std::lock_guard lock(mutex_);
  const auto found = states_.find(job);
  if (found == states_.end() && manifests_.contains(job))
    return failure(ErrorKind::Conflict,
                   toString(job) + " is not running now: it is still to come, or is gone");
  if (found == states_.end()) return failure(ErrorKind::NotFound, "there is no TrainingJob " + toString(job));
  if (finished(found->second))
    return failure(ErrorKind::Conflict,
                   toString(job) + " is " + std::string(name(found->second)) + " already");
  stops_.insert(job);
  return {};
}

}  // namespace slaq::cli::run
