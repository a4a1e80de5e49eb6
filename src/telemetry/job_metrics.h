// What the leader knows of each job and of the cluster, as metrics: the last epoch's
// figures, collected when somebody scrapes. Jobs that are gone leave nothing behind, because nothing is kept
// but the last report.
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

  // Takes over what the last epoch knew. Jobs are exported by the leader only: others clear().
  void update(const loop::EpochReport& report);
  void clear();

  std::vector<prometheus::MetricFamily> Collect() const override;

  // What is kept of one job: a small part of what its metrics take.
  struct Figures {
    JobKey job;
    JobState state = JobState::Pending;
    std::vector<std::optional<double>> gauges;  // in the order of the families; empty: nothing is known
  };

 private:
  const NamespaceLimits limits_;
  mutable std::mutex mutex_;
  std::vector<Figures> jobs_;
  std::vector<prometheus::MetricFamily> ofCluster_;
};

}  // namespace slaq::telemetry
