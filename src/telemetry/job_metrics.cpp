#include "telemetry/job_metrics.h"

#include <cmath>
#include <functional>
#include <optional>

#include "scheduler/lifecycle/sequence.h"
#include "telemetry/job_cores.h"

namespace slaq::telemetry {
namespace {

using prometheus::ClientMetric;
using prometheus::MetricFamily;
using prometheus::MetricType;

constexpr Seconds kKeptAfterEnd{300};

// The values that a job's metrics are made from.
struct Row {
  const JobView& view;
  const scheduler::JobHistory& history;
  const scheduler::JobPlan& plan;
  const JobStatus& status;
};

struct Gauge {
  const char* name;
  const char* help;
  std::function<std::optional<double>(const Row&)> value;  // empty: not known
};

// The status has the loss's numbers in the units of the metric.
const Progress* progressOf(const Row& row) {
  return row.history.losses.series.empty() || !row.status.progress ? nullptr : &*row.status.progress;
}

std::optional<double> lossOf(const Row& row) {
  const auto* progress = progressOf(row);
  return progress ? std::optional(progress->loss.value()) : std::nullopt;
}

std::optional<double> iterationOf(const Row& row) {
  const auto* progress = progressOf(row);
  return progress ? std::optional(progress->iteration.value()) : std::nullopt;
}

std::optional<double> forecastFinalOf(const Row& row) {
  const auto* progress = progressOf(row);
  return progress && progress->forecastFinal ? std::optional(progress->forecastFinal->value()) : std::nullopt;
}

std::optional<double> levelOf(const Row& row) {
  return row.status.progress ? row.status.progress->level : std::nullopt;
}

std::optional<double> forecastOf(const Row& row) {
  const auto& decision = row.status.decision;
  return decision && decision->forecast ? std::optional(decision->forecast->value()) : std::nullopt;
}

std::optional<double> remainingOf(const Row& row) {
  const auto& progress = row.status.progress;
  return progress && progress->remaining ? std::optional(progress->remaining->count()) : std::nullopt;
}

std::optional<double> forecastErrorOf(const Row& row) {
  const auto* model = ownModel(row.history);
  return model ? model->backTestError : std::nullopt;
}

// 1 while the job's loss is read, 0 while it should be and is not.
std::optional<double> metricsAvailableOf(const Row& row) {
  const auto* condition = find(row.status.conditions, ConditionType::MetricsAvailable);
  if (finished(row.status.state) || !condition || condition->status == Truth::Unknown) return std::nullopt;
  return condition->status == Truth::True ? 1 : 0;
}

const std::vector<Gauge>& gauges() {
  static const std::vector<Gauge> all = {
      {"slaq_job_loss", "The job's loss as last read.", lossOf},
      {"slaq_job_iterations", "Iterations that the job has completed, as last read.", iterationOf},
      {"slaq_job_metrics_available", "1 while the job's loss is read, 0 while it is not and ought to be.",
       metricsAvailableOf},
      {"slaq_job_level",
       "(loss - forecast final loss) / (first loss - forecast final loss), 1 to 0; none while it has not "
       "fallen.",
       levelOf},
      {"slaq_job_forecast_loss", "The loss that is expected at the next epoch.", forecastOf},
      {"slaq_job_forecast_final_loss", "The loss that the job is forecast to tend to.", forecastFinalOf},
      {"slaq_job_forecast_error_ratio",
       "Error of forecasts of the newest losses, as a share of the range seen.", forecastErrorOf},
      {"slaq_job_remaining_seconds", "Time until nearly all of the forecast reduction is done.", remainingOf},
      {"slaq_job_workers", "Workers that are ready.",
       [](const Row& row) { return row.view.workers.ready.value(); }},
      {"slaq_job_desired_workers", "Workers that the scheduler decided on.",
       [](const Row& row) { return row.plan.target.value(); }},
      {"slaq_job_cores", "Cores that the ready workers were given.",
       [](const Row& row) { return inCores(readyCores(row.view, row.plan)); }},
      {"slaq_job_held_cores", "Cores that the job's pods hold, its driver's and those about to end included.",
       [](const Row& row) { return inCores(scheduler::coresInUse(row.view)); }},
      {"slaq_job_desired_cores", "Cores of the workers decided on, with their driver.",
       [](const Row& row) { return inCores(decidedCores(row.view, row.plan)); }},
      {"slaq_job_worker_cores", "Cores that the scheduler decided on for each worker.",
       [](const Row& row) { return inCores(decidedWorkerCores(row.view, row.plan)); }},
      {"slaq_job_predicted_reduction", "Weighted normalized loss forecast to be taken off by the next epoch.",
       [](const Row& row) { return row.plan.predictedReduction; }},
      {"slaq_job_gain_per_core", "Normalized loss per core-second that one more worker would take off.",
       [](const Row& row) { return row.plan.gainPerCore; }},
  };
  return all;
}

JobMetrics::Figures figuresOf(const Row& row) {
  JobMetrics::Figures figures{row.view.job.key, row.plan.state, {}};
  figures.gauges.reserve(gauges().size());
  for (const auto& gauge : gauges()) figures.gauges.push_back(gauge.value(row));
  return figures;
}

ClientMetric sample(const JobKey& job, double value) {
  ClientMetric metric;
  // Not `namespace` and `job`: Prometheus would rename them.
  metric.label = {{"training_namespace", job.ns}, {"training_job", job.name}};
  metric.gauge.value = value;
  return metric;
}

MetricFamily familyOf(std::size_t gauge, const std::vector<JobMetrics::Figures>& jobs) {
  MetricFamily family{gauges()[gauge].name, gauges()[gauge].help, MetricType::Gauge, {}};
  for (const auto& each : jobs) {
    if (const auto value = each.gauges[gauge]) family.metric.push_back(sample(each.job, *value));
  }
  return family;
}

MetricFamily statesOf(const std::vector<JobMetrics::Figures>& jobs) {
  MetricFamily family{"slaq_job_state", "1 for the state that the job is in.", MetricType::Gauge, {}};
  for (const auto& each : jobs) {
    family.metric.push_back(sample(each.job, 1));
    family.metric.back().label.push_back({"state", std::string(name(each.state))});
  }
  return family;
}

// Ended jobs stay in the cluster for as long as their owners like, but their metrics do not.
bool endedLongAgo(const JobStatus& status, Time now) {
  return finished(status.state) && status.completed && now - *status.completed > kKeptAfterEnd;
}

}  // namespace

void JobMetrics::update(const loop::EpochReport& report) {
  std::vector<Figures> jobs;
  for (std::size_t i = 0; i < report.plan.jobs.size(); ++i) {
    const auto& view = report.view.jobs[i];
    if (endedLongAgo(report.statuses[i], report.view.time)) continue;
    jobs.push_back(
        figuresOf({view, report.histories.at(view.job.key), report.plan.jobs[i], report.statuses[i]}));
  }
  auto ofCluster = clusterFamilies(report, limits_);
  const std::lock_guard lock(mutex_);
  jobs_ = std::move(jobs);
  ofCluster_ = std::move(ofCluster);
}

void JobMetrics::clear() {
  const std::lock_guard lock(mutex_);
  jobs_.clear();
  ofCluster_.clear();
}

std::vector<MetricFamily> JobMetrics::Collect() const {
  const std::lock_guard lock(mutex_);
  if (ofCluster_.empty()) return {};  // no epoch yet, or not the leader
  std::vector<MetricFamily> families;
  for (std::size_t gauge = 0; gauge < gauges().size(); ++gauge) families.push_back(familyOf(gauge, jobs_));
  families.push_back(statesOf(jobs_));
  families.insert(families.end(), ofCluster_.begin(), ofCluster_.end());
  return families;
}

}  // namespace slaq::telemetry
