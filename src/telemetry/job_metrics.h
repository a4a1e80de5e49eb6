// Metrics of each job and of the cluster: the last epoch's figures, which each scrape collects. Jobs that are
// gone leave nothing behind, because only the last report is kept.
#pragma once

#include <prometheus/collectable.h>
#include <prometheus/metric_family.h>

#include <mutex>
#include <optional>
#include <vector>

#include "loop/epoch_loop.h"
#include "telemetry/cluster_metrics.h"

namespace slaq::telemetry {

// Any thread may call it.
class JobMetrics final : public prometheus::Collectable {
 public:
  explicit JobMetrics(NamespaceLimits limits = {}) : limits_(std::move(limits)) {}

  // Takes the figures of the last epoch. Only the leader exports jobs: other processes call clear().
  void update(const loop::EpochReport& report);
  void clear();

  std::vector<prometheus::MetricFamily> Collect() const override;

  // The kept figures of one job: they take much less memory than its metrics.
  struct Figures {
    JobKey job;
    JobState state = JobState::Pending;
    std::vector<std::optional<double>> gauges;  // in the order of the families; empty: not known
  };

 private:
  const NamespaceLimits limits_;
  mutable std::mutex mutex_;
  std::vector<Figures> jobs_;
  std::vector<prometheus::MetricFamily> ofCluster_;
};

}  // namespace slaq::telemetry
