#include "telemetry/namespace_metrics.h"

#include <optional>

#include "scheduler/lifecycle/sequence.h"

namespace slaq::telemetry {
namespace {

using prometheus::MetricFamily;
using prometheus::MetricType;

void add(MetricFamily& family, const std::string& ns, Cores cores) {
  family.metric.emplace_back();
  family.metric.back().label = {{"training_namespace", ns}};
  family.metric.back().gauge.value = inCores(cores);
}

std::optional<Cores> limitOf(const NamespaceLimits& limits, const std::string& ns) {
  auto found = limits.find(ns);
  if (found == limits.end()) found = limits.find("*");
  return found == limits.end() ? std::nullopt : found->second.cores;
}

}  // namespace

std::vector<MetricFamily> namespaceFamilies(const loop::EpochReport& report, const NamespaceLimits& limits) {
  std::map<std::string, Cores> held;
  for (const auto& view : report.view.jobs) held[view.job.key.ns] += scheduler::coresInUse(view);
  MetricFamily used{
      "slaq_namespace_cores", "Cores that the namespace's training jobs hold.", MetricType::Gauge, {}};
  MetricFamily most{"slaq_namespace_limit_cores",
                    "Cores that the namespace's training jobs may hold.",
                    MetricType::Gauge,
                    {}};
  for (const auto& [ns, cores] : held) {
    add(used, ns, cores);
    if (const auto limit = limitOf(limits, ns)) add(most, ns, *limit);
  }
  return {std::move(used), std::move(most)};
}

}  // namespace slaq::telemetry
