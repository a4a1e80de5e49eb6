#include "cli/run/live_jobs.h"

#include <ranges>

namespace slaq::cli::run {

void LiveJobs::decided(const loop::EpochReport& report) {
  present_.clear();
  for (std::size_t i = 0; i < report.view.jobs.size(); ++i) {
    const JobKey& key = report.view.jobs[i].job.key;
    present_.insert(key);
    JobView& view = views_[key] = report.view.jobs[i];
    view.status = report.statuses[i];
    const scheduler::JobPlan& plan = plans_[key] = report.plan.jobs[i];
    noteFailures(key);
    if (view.status.state != JobState::Failed || failed_.contains(key)) continue;
    const auto said = cluster_.chiefFailure(key);
    failed_[key] = plan.reason + (said.empty() ? "" : "\n" + said);
  }
}

void LiveJobs::noteFailures(const JobKey& key) {
  const auto [failures, last] = cluster_.chiefFailures(key);
  if (failures <= failuresOf(key).failures) return;
  chiefs_[key] = {failures, last};
  failing_.insert(key);
}

void LiveJobs::seen(const ClusterView& view, const RecordingSource& losses) {
  for (const auto& job : view.jobs) {
    const auto found = views_.find(job.job.key);
    if (found == views_.end() || isOver(job.job.key)) continue;
    noteFailures(job.job.key);
    found->second.workers = job.workers;
    found->second.driver = job.driver;
    JobStatus& status = found->second.status;
    status.replicas = job.workers.active;
    status.ready = job.workers.ready;
    if (status.state == JobState::Pending && job.workers.ready > Workers(0)) status.state = JobState::Running;
    const auto newest = losses.newestOf(job.job.key);
    if (!newest || (status.progress && newest->iteration <= status.progress->iteration)) continue;
    if (!status.progress) status.progress.emplace();
    status.progress->iteration = newest->iteration;
    status.progress->loss = newest->loss;
  }
}

void LiveJobs::stop(const JobKey& key, const std::string& why) {
  if (views_.contains(key) && !isOver(key)) stopped_[key] = why;
}

void LiveJobs::stopAll(const std::string& why) {
  for (const auto& key : std::views::keys(views_)) stop(key, why);
}

bool LiveJobs::isOver(const JobKey& key) const {
  const auto found = views_.find(key);
  return found != views_.end() && (finished(found->second.status.state) || isStopped(key));
}

jobs::ChiefFailures LiveJobs::failuresOf(const JobKey& key) const {
  const auto found = chiefs_.find(key);
  return found == chiefs_.end() ? jobs::ChiefFailures() : found->second;
}

std::string LiveJobs::failureOf(const JobKey& key) const {
  const auto found = failed_.find(key);
  return found == failed_.end() ? "" : found->second;
}

std::vector<jobs::JobRow> LiveJobs::rows() const {
  std::vector<jobs::JobRow> rows;
  for (const auto& [key, view] : views_) {
    jobs::JobRow row = jobs::rowOf(view, plans_.at(key), view.status);
    row.chief = failuresOf(key);
    if (const auto found = stopped_.find(key); found != stopped_.end())
      row = jobs::stopped(std::move(row), found->second);
    if (keepsLogs_ && row.state == JobState::Failed && row.chief.failures > 0)
      row.reason = "see slaq logs " + key.name + ": " + row.reason;
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<std::pair<TrainingJob, JobStatus>> LiveJobs::told(Time now) const {
  std::vector<std::pair<TrainingJob, JobStatus>> all;
  for (const auto& [key, view] : views_) {
    const auto stopped = stopped_.find(key);
    if (stopped == stopped_.end() && !present_.contains(key)) continue;
    all.emplace_back(view.job, view.status);
    if (stopped == stopped_.end()) continue;
    JobStatus& status = all.back().second;
    status.state = JobState::Failed;
    status.replicas = status.ready = status.desired = Workers(0);
    status.decision.reset();
    status.conditions.clear();
    set(status.conditions, {ConditionType::Failed, Truth::True, jobs::kStopped,
                            "it was stopped " + stopped->second, now, view.job.generation});
  }
  return all;
}

}  // namespace slaq::cli::run
