#include "trainer/training/metrics.h"

#include <prometheus/text_serializer.h>

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

Result<std::unique_ptr<serve::PageServer>> serveMetrics(const std::shared_ptr<Metrics>& metrics,
                                                        std::uint16_t port) {
  auto server = serve::PageServer::start(
      port, {.page = [metrics] { return prometheus::TextSerializer().Serialize(metrics->Collect()); }});
  if (server) return server;
  return failure(ErrorKind::Invalid,
                 "cannot serve metrics on port " + std::to_string(port) + ": is it in use?");
}

}  // namespace slaq::trainer::training
