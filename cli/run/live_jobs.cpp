#include "cli/run/live_jobs.h"

#include <algorithm>
#include <ranges>

#include "scheduler/lifecycle/stop.h"

namespace slaq::cli::run {
namespace {

void put(JobStatus& status, const JobView& view, Time now, ConditionType type, const char* reason,
         const std::string& message) {
  set(status.conditions, {type, Truth::True, reason, message, now, view.job.generation});
}

// Shows the processes in the status that an epoch has made before.
void showProcesses(JobView& view, const JobView& seen, Time now) {
  JobStatus& status = view.status;
  view.workers = seen.workers;
  view.driver = seen.driver;
  status.replicas = seen.workers.active;
  status.ready = seen.workers.ready;
  if (finished(status.state)) return;
  if (seen.workers.succeeded || seen.driver.succeeded) {
    status.state = JobState::Complete;
    status.completed = now;
    status.decision.reset();
    put(status, view, now, ConditionType::Ready, "Complete", scheduler::kTrainingOverText);
    put(status, view, now, ConditionType::Complete, scheduler::kTrainingOver, scheduler::kTrainingOverText);
  } else if (status.state == JobState::Pending && seen.workers.ready > Workers(0)) {
    status.state = JobState::Running;
    if (!status.started) status.started = now;
    put(status, view, now, ConditionType::Ready, "Running", "workers are running");
  }
}

void showLoss(JobView& view, const LossSample& newest, Time now) {
  JobStatus& status = view.status;
  if (!status.progress) {
    status.progress.emplace();
    put(status, view, now, ConditionType::MetricsAvailable, "LossReported", "the loss is read");
    std::erase_if(status.conditions,
                  [](const Condition& each) { return each.type == ConditionType::ModelFitted; });
  }
  status.progress->iteration = newest.iteration;
  status.progress->loss = newest.loss;
}

// An epoch has not seen yet what was shown already: a job that ran goes on to run.
void keepShown(JobStatus& decided, const JobStatus& shown) {
  if (shown.started && (!decided.started || *shown.started < *decided.started))
    decided.started = shown.started;
  if (shown.state != JobState::Running || decided.state != JobState::Pending) return;
  decided.state = shown.state;
  if (const auto* ready = find(shown.conditions, ConditionType::Ready)) set(decided.conditions, *ready);
}

}  // namespace

void LiveJobs::decided(const loop::EpochReport& report) {
  present_.clear();
  for (std::size_t i = 0; i < report.view.jobs.size(); ++i) {
    const JobKey& key = report.view.jobs[i].job.key;
    present_.insert(key);
    const JobStatus shown = views_[key].status;
    JobView& view = views_[key] = report.view.jobs[i];
    view.status = report.statuses[i];
    keepShown(view.status, shown);
    const scheduler::JobPlan& plan = plans_[key] = report.plan.jobs[i];
    noteFailures(key);
    if (finished(view.status.state)) over_.insert(key);
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
    if (found == views_.end() || isStopped(job.job.key)) continue;
    noteFailures(job.job.key);
    showProcesses(found->second, job, view.time);
    const auto newest = losses.newestOf(job.job.key);
    if (newest && !isOver(job.job.key)) showLoss(found->second, *newest, view.time);
  }
}

void LiveJobs::stop(const JobKey& key, const std::string& why, Time now) {
  if (goesOn(key)) stopped_[key] = {why, now};
}

void LiveJobs::withdraw(const TrainingJob& job, const std::string& why, Time now) {
  stopped_[job.key] = {why, now};
  withdrawn_[job.key].job = job;
}

void LiveJobs::stopAll(const std::string& why, Time now) {
  for (const auto& key : std::views::keys(views_)) stop(key, why, now);
}

bool LiveJobs::goesOn(const JobKey& key) const {
  const auto found = views_.find(key);
  return found != views_.end() && !finished(found->second.status.state) && !isStopped(key);
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
    if (row.state == JobState::Complete && !over_.contains(key)) row.reason = scheduler::kTrainingOverText;
    if (row.state == JobState::Failed && row.chief.failures > 0 && !logs_.empty())
      row.reason +=
          "; " + logs_ + (logs_ == kLogsCommand ? " " + jobs::shortName(key) : "") + " has what it wrote";
    if (const auto found = stopped_.find(key); found != stopped_.end())
      row = jobs::stopped(std::move(row), found->second.why);
    rows.push_back(std::move(row));
  }
  for (const auto& [key, view] : withdrawn_)
    rows.push_back(jobs::stopped(jobs::rowOf(view, {}, {}), stopped_.at(key).why));
  std::ranges::sort(rows, {}, &jobs::JobRow::key);
  return rows;
}

// The status of a job that a user stopped.
JobStatus LiveJobs::statusOfStopped(const JobView& view) const {
  const auto& [why, time] = stopped_.at(view.job.key);
  JobStatus status = view.status;
  status.state = JobState::Failed;
  status.completed = time;
  status.replicas = status.ready = status.desired = Workers(0);
  status.decision.reset();
  status.conditions.clear();
  put(status, view, time, ConditionType::Failed, jobs::kStopped, "it was stopped " + why);
  return status;
}

std::vector<std::pair<TrainingJob, JobStatus>> LiveJobs::told() const {
  std::vector<std::pair<TrainingJob, JobStatus>> all;
  for (const auto& [key, view] : views_) {
    if (isStopped(key)) {
      all.emplace_back(view.job, statusOfStopped(view));
    } else if (present_.contains(key)) {
      all.emplace_back(view.job, view.status);
    }
  }
  return all;
}

}  // namespace slaq::cli::run
