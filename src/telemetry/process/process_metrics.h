// The metrics that Prometheus' client libraries export about their process: memory, processor time,
// descriptors, threads.
#pragma once

#include <prometheus/collectable.h>
#include <prometheus/metric_family.h>

#include <string>
#include <vector>

namespace slaq::telemetry::process {

// Each scrape reads /proc. A figure that can't be read is absent. Any thread may call it.
class ProcessMetrics final : public prometheus::Collectable {
 public:
  explicit ProcessMetrics(std::string folder = "/proc") : folder_(std::move(folder)) {}

  std::vector<prometheus::MetricFamily> Collect() const override;

 private:
  const std::string folder_;
};

}  // namespace slaq::telemetry::process
