#include "trainer/training/metrics.h"

#include <prometheus/exposer.h>

#include <exception>
#include <string>

namespace slaq::trainer::training {
namespace {

using prometheus::MetricFamily;
using prometheus::MetricType;

MetricFamily family(const char* name, const char* help, MetricType type, double value) {
  prometheus::ClientMetric metric;
  (type == MetricType::Counter ? metric.counter.value : metric.gauge.value) = value;
  return {name, help, type, {metric}};
}

class ExposedMetrics final : public MetricsServer {
 public:
  ExposedMetrics(const std::shared_ptr<prometheus::Collectable>& metrics, std::uint16_t port)
      : exposer_("0.0.0.0:" + std::to_string(port)) {
    exposer_.RegisterCollectable(metrics);
  }
  std::uint16_t port() const override {
    return static_cast<std::uint16_t>(exposer_.GetListeningPorts().front());
  }

 private:
  prometheus::Exposer exposer_;
};

}  // namespace

void Metrics::setInitialLoss(double loss) {
  const std::lock_guard guard(lock_);
  initialLoss_ = loss;
}

void Metrics::setProgress(const Progress& progress) {
  const std::lock_guard guard(lock_);
  if (!initialLoss_) initialLoss_ = progress.loss;
  progress_ = progress;
}

void Metrics::setWorkers(std::int64_t workers) {
  const std::lock_guard guard(lock_);
  workers_ = workers;
}

void Metrics::addCpuSeconds(double seconds) {
  const std::lock_guard guard(lock_);
  cpuSeconds_ += seconds;
}

std::vector<MetricFamily> Metrics::Collect() const {
  const std::lock_guard guard(lock_);
  std::vector<MetricFamily> families;
  if (progress_) {
    families.push_back(family("slaq_training_loss", "Loss after the completed iterations.", MetricType::Gauge,
                              progress_->loss));
    families.push_back(family("slaq_training_initial_loss", "Loss before the first iteration.",
                              MetricType::Gauge, *initialLoss_));
  }
  families.push_back(family("slaq_training_iterations_total", "Completed iterations.", MetricType::Counter,
                            progress_ ? static_cast<double>(progress_->iteration) : 0.0));
  families.push_back(family("slaq_training_cpu_seconds_total", "CPU time that workers computed for.",
                            MetricType::Counter, cpuSeconds_));
  families.push_back(family("slaq_training_workers", "Workers connected to the driver.", MetricType::Gauge,
                            static_cast<double>(workers_)));
  return families;
}

Result<std::unique_ptr<MetricsServer>> serve(const std::shared_ptr<prometheus::Collectable>& metrics,
                                             std::uint16_t port) {
  try {
    return std::make_unique<ExposedMetrics>(metrics, port);
  } catch (const std::exception&) {  // its text is about civetweb's options
    return failure(ErrorKind::Invalid,
                   "cannot serve metrics on port " + std::to_string(port) + ": is it in use?");
  }
}

}  // namespace slaq::trainer::training
