// Serves the newest report to whoever asks, as Prometheus reads it: loss and iteration are always those of
// one report.
#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "base/result.h"
#include "report/output/report.h"

namespace slaq::report {

// The page that shows a report; without one it has no samples.
std::string metricsPage(const std::optional<Report>& report);

class MetricsServer {
 public:
  // Listens on all addresses of IPv4 and IPv6. Transient if another process has the port.
  static Result<std::unique_ptr<MetricsServer>> start(int port);
  ~MetricsServer();
  MetricsServer(const MetricsServer&) = delete;
  MetricsServer& operator=(const MetricsServer&) = delete;

  // Any thread may call these.
  void publish(const Report& report);
  // Waits until a client has read the newest report, but no longer than `longest`.
  void waitForReader(std::chrono::milliseconds longest);

 private:
  explicit MetricsServer(int socket);
  void serve(std::stop_token stop);
  void answer(int client);

  const int socket_;
  std::mutex mutex_;
  std::condition_variable read_;
  std::optional<Report> newest_;
  bool isRead_ = true;
  std::jthread thread_;  // the last member: it uses all the others
};

}  // namespace slaq::report
