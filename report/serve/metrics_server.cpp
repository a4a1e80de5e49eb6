#include "report/serve/metrics_server.h"

#include <utility>

namespace slaq::report {

std::string metricsPage(const std::optional<Report>& report) {
  if (!report) return "";
  return "# HELP slaq_training_loss Loss after the last iteration.\n"
         "# TYPE slaq_training_loss gauge\n"
         "slaq_training_loss " +
         toText(report->loss) +
         "\n# HELP slaq_training_iterations_total Completed iterations.\n"
         "# TYPE slaq_training_iterations_total counter\n"
         "slaq_training_iterations_total " +
         toText(report->iteration) + "\n";
}

Result<void> MetricsServer::listen() {
  auto server =
      serve::PageServer::start(port_, {.page = [this] { return page(); }, .sent = [this] { noteSent(); }});
  if (!server) return failure(server.error());
  server_ = std::move(*server);
  return {};
}

void MetricsServer::publish(const Report& report) {
  const std::lock_guard lock(mutex_);
  newest_ = report;
  isRead_ = false;
}

void MetricsServer::waitForReader(std::chrono::milliseconds longest) {
  std::unique_lock lock(mutex_);
  read_.wait_for(lock, longest, [this] { return isRead_; });
}

std::string MetricsServer::page() {
  const std::lock_guard lock(mutex_);
  sent_ = newest_;
  return metricsPage(sent_);
}

void MetricsServer::noteSent() {
  const std::lock_guard lock(mutex_);
  if (newest_ == sent_) isRead_ = true;
  read_.notify_all();
}

}  // namespace slaq::report
