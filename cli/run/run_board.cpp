#include "cli/run/run_board.h"

#include <unistd.h>

#include <algorithm>

#include "cli/jobs/job_rows.h"

namespace slaq::cli::run {

void RunBoard::begin(std::string logs) {
  happened_ = api::EventLog();
  losses_.forgetAllBut([](const JobKey&) { return false; });
  const std::lock_guard lock(mutex_);
  logs_ = std::move(logs);
  jobs_.clear();
  events_.clear();
  arrived_.clear();
}

void RunBoard::noteEvent(const TrainingJob& job, const Event& event, Time time) {
  happened_.add(job.key, job.uid, event, time);
}

void RunBoard::put(std::vector<std::pair<TrainingJob, JobStatus>> jobs) {
  std::set<JobKey> known;
  for (const auto& each : jobs) known.insert(each.first.key);
  happened_.forgetAllBut([&](const JobKey& key) { return known.contains(key); });
  auto events = happened_.documents();
  const std::lock_guard lock(mutex_);
  jobs_ = std::move(jobs);
  arrived_.merge(known);
  events_ = std::move(events);
}

std::set<JobKey> RunBoard::takeStops() {
  const std::lock_guard lock(mutex_);
  return std::exchange(stops_, {});
}

void RunBoard::noteStopped(const JobKey& job) {
  const std::lock_guard lock(mutex_);
  stopped_.insert(job);
}

// A call makes the documents, since the jobs change more often than other commands ask for them.
std::vector<api::ServedJob> RunBoard::jobs() const {
  const std::lock_guard lock(mutex_);
  std::vector<api::ServedJob> served;
  for (const auto& [job, status] : jobs_) {
    if (const auto manifest = manifests_.find(job.key); manifest != manifests_.end())
      served.push_back({job.key, job.uid, api::jobDocument(manifest->second, job, status, logs_)});
  }
  return served;
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
  const auto found =
      std::ranges::find(jobs_, job, [](const auto& each) -> const JobKey& { return each.first.key; });
  if (!manifests_.contains(job))
    return failure(ErrorKind::NotFound, "there is no TrainingJob " + toString(job));
  const bool isThere = found != jobs_.end();
  if (isThere && finished(found->second.state))
    return failure(ErrorKind::Conflict, toString(job) + " is " + jobs::stateText(found->second) + " already");
  if (!isThere && stopped_.contains(job))
    return failure(ErrorKind::Conflict, toString(job) + " is " + jobs::kStopped + " already");
  if (!isThere && arrived_.contains(job))
    return failure(ErrorKind::Conflict, toString(job) + " has ended already");
  stops_.insert(job);
  return {};
}

}  // namespace slaq::cli::run
