// What the driver tells Prometheus. One lock covers a whole scrape, so that loss and iteration always
// belong together.
#pragma once

#include <prometheus/collectable.h>
#include <prometheus/metric_family.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "base/result.h"
#include "serve/page_server.h"
#include "trainer/training/training.h"

namespace slaq::trainer::training {

// The driver's thread writes, the server's thread collects.
class Metrics final : public prometheus::Collectable {
 public:
  // Before the first progress, if that is not the beginning.
  void setInitialLoss(double loss);
  void setProgress(const Progress& progress);
  void setWorkers(std::int64_t workers);
  void addCpuSeconds(double seconds);

  std::vector<prometheus::MetricFamily> Collect() const override;

 private:
  mutable std::mutex lock_;
  std::optional<Progress> progress_;  // guarded by lock_, as is all that follows
  std::optional<double> initialLoss_;
  std::int64_t workers_ = 0;
  double cpuSeconds_ = 0;
};

// Serves them on all addresses until the server is destroyed. Port 0 takes a free one. Invalid if the port is
// in use.
Result<std::unique_ptr<serve::PageServer>> serveMetrics(const std::shared_ptr<Metrics>& metrics,
                                                        std::uint16_t port);

}  // namespace slaq::trainer::training
