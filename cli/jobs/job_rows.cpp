#include "cli/jobs/job_rows.h"

#include <algorithm>

namespace slaq::cli::jobs {
namespace {

// The cores that the processes of a job hold, including processes that are about to end.
Cores heldBy(const JobView& view) {
  const auto& workers = view.workers;
  Cores cores = coresOf(view.job.spec.workers.pod) * (workers.active + workers.terminating);
  if (workers.cpu) cores = workers.cpu->held;
  if (view.driver.active) cores += coresOf(*view.job.spec.driver);
  return cores;
}

}  // namespace

JobRow rowOf(const JobView& view, const scheduler::JobPlan& plan, const JobStatus& status) {
  JobRow row;
  row.key = view.job.key;
  row.state = status.state;
  row.workers = view.workers.active;
  row.desired = plan.target;
  row.most = view.job.spec.workers.max;
  row.cores = heldBy(view);
  if (view.job.spec.workers.scaling == Scaling::CPU) row.mostCpu = view.job.spec.workers.cpu.max;
  if (view.workers.cpu && runs(view.workers)) row.cpu = view.workers.cpu->asked;
  row.desiredCpu = plan.targetCpu;
  row.reason = plan.reason;
  const Condition* metrics = find(status.conditions, ConditionType::MetricsAvailable);
  if (metrics && metrics->status == Truth::False && !finished(status.state)) row.problem = metrics->message;
  row.hints = hintsOf(status);
  if (!status.progress) return row;
  row.iteration = status.progress->iteration;
  row.loss = status.progress->loss;
  if (status.progress->level) row.reduced = std::clamp(1 - *status.progress->level, 0.0, 1.0);
  if (row.reduced && row.state == JobState::Complete) row.reduced = 1;
  return row;
}

JobRow stopped(JobRow row, const std::string& why) {
  row.isStopped = true;
  row.workers = row.desired = Workers(0);
  row.cpu = row.desiredCpu = std::nullopt;
  row.cores = Cores();
  row.reason = why;
  row.problem.clear();
  return row;
}

std::string shortName(const JobKey& key) { return key.ns == "default" ? key.name : toString(key); }

bool isOver(const JobRow& row) { return row.isStopped || finished(row.state); }

std::string stateText(const JobRow& row) { return row.isStopped ? kStopped : std::string(name(row.state)); }

std::string stateText(const JobStatus& status) {
  const Condition* failed = find(status.conditions, ConditionType::Failed);
  const bool isStopped = status.state == JobState::Failed && failed && failed->reason == kStopped;
  return isStopped ? kStopped : std::string(name(status.state));
}

std::vector<std::string> hintsOf(const JobStatus& status) {
  std::vector<std::string> hints;
  for (const Condition& each : status.conditions) {
    if (isHint(each)) hints.push_back(each.message);
  }
  return hints;
}

std::vector<JobRow> rowsOf(const loop::EpochReport& report) {
  std::vector<JobRow> rows;
  for (std::size_t i = 0; i < report.view.jobs.size(); ++i) {
    rows.push_back(rowOf(report.view.jobs[i], report.plan.jobs[i], report.statuses[i]));
  }
  return rows;
}

}  // namespace slaq::cli::jobs
