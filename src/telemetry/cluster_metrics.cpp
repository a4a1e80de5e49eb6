#include "telemetry/cluster_metrics.h"

#include <optional>

#include "scheduler/lifecycle/sequence.h"
#include "telemetry/job_cores.h"

namespace slaq::telemetry {
namespace {

using prometheus::MetricFamily;
using prometheus::MetricType;

using Labels = std::vector<prometheus::ClientMetric::Label>;

MetricFamily familyOf(const char* name, const char* help) { return {name, help, MetricType::Gauge, {}}; }

void add(MetricFamily& family, double value, Labels labels = {}) {
  family.metric.emplace_back();
  family.metric.back().label = std::move(labels);
  family.metric.back().gauge.value = value;
}

MetricFamily jobsOf(const loop::EpochReport& report) {
  std::map<JobState, int> states;
  for (const auto state : {JobState::Pending, JobState::Waiting, JobState::Running, JobState::Suspended,
                           JobState::Complete, JobState::Failed}) {
    states[state] = 0;
  }
  for (const auto& job : report.plan.jobs) ++states[job.state];
  MetricFamily family = familyOf("slaq_jobs", "TrainingJobs by state.");
  for (const auto& [state, count] : states) add(family, count, {{"state", std::string(name(state))}});
  return family;
}

MetricFamily capacityOf(const loop::EpochReport& report) {
  MetricFamily family = familyOf("slaq_capacity_cores", "Cores that training jobs may share.");
  add(family, inCores(report.capacity));
  return family;
}

MetricFamily allocatedOf(const loop::EpochReport& report) {
  Cores allocated;
  for (std::size_t i = 0; i < report.plan.jobs.size(); ++i) {
    const JobView& view = report.view.jobs[i];
    const auto& plan = report.plan.jobs[i];
    const bool isFixed = plan.phase == scheduler::Phase::Fixed;
    if (isFixed && view.onNodes) continue;  // the capacity is without its pods
    const bool isSized = !isFixed && plan.phase != scheduler::Phase::Observed;
    allocated += isSized ? decidedCores(view, plan) : scheduler::coresInUse(view);
  }
  MetricFamily family =
      familyOf("slaq_allocated_cores", "Cores of the workers decided on, with their drivers.");
  add(family, inCores(allocated));
  return family;
}

MetricFamily priceOf(const scheduler::Plan& plan) {
  MetricFamily family = familyOf(
      "slaq_price_per_core",
      "Normalized loss per core-second that the last core given out would take off, were resizes free.");
  if (plan.price) add(family, *plan.price);
  return family;
}

std::optional<Cores> limitOf(const NamespaceLimits& limits, const std::string& ns) {
  auto found = limits.find(ns);
  if (found == limits.end()) found = limits.find("*");
  return found == limits.end() ? std::nullopt : found->second.cores;
}

}  // namespace

std::vector<MetricFamily> clusterFamilies(const loop::EpochReport& report, const NamespaceLimits& limits) {
  std::map<std::string, Cores> held;
  for (const auto& view : report.view.jobs) held[view.job.key.ns] += scheduler::coresInUse(view);
  MetricFamily used = familyOf("slaq_namespace_cores", "Cores that the namespace's training jobs hold.");
  MetricFamily most =
      familyOf("slaq_namespace_limit_cores", "Cores that the namespace's training jobs may hold.");
  for (const auto& [ns, cores] : held) {
    add(used, inCores(cores), {{"training_namespace", ns}});
    if (const auto limit = limitOf(limits, ns)) add(most, inCores(*limit), {{"training_namespace", ns}});
  }
  return {jobsOf(report),       capacityOf(report), allocatedOf(report),
          priceOf(report.plan), std::move(used),    std::move(most)};
}

}  // namespace slaq::telemetry
