#include "report/serve/metrics_server.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "report/serve/connections.h"

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

Result<std::unique_ptr<MetricsServer>> MetricsServer::start(int port) {
  const int socket = listenOnAll(port);
  if (socket < 0)
    return failure(ErrorKind::Transient,
                   "port " + std::to_string(port) + " cannot be listened on: " + std::strerror(errno));
  return std::unique_ptr<MetricsServer>(new MetricsServer(socket));
}

MetricsServer::MetricsServer(int socket)
    : socket_(socket), thread_([this](std::stop_token stop) { serve(stop); }) {}

MetricsServer::~MetricsServer() {
  thread_.request_stop();
  thread_.join();
  ::close(socket_);
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

void MetricsServer::serve(std::stop_token stop) {
  while (!stop.stop_requested()) {
    const int client = acceptSoon(socket_);
    if (client < 0) continue;
    answer(client);
    ::close(client);
  }
}

void MetricsServer::answer(int client) {
  const auto request = readRequest(client, 0);
  if (!request || !request->head.starts_with("GET ")) return;
  std::optional<Report> report;
  {
    const std::lock_guard lock(mutex_);
    report = newest_;
  }
  const bool isSent = answerWith(client, "200 OK", "text/plain; version=0.0.4", metricsPage(report));
  const std::lock_guard lock(mutex_);
  if (isSent && newest_ == report) isRead_ = true;
  read_.notify_all();
}

}  // namespace slaq::report
