// Serves the newest report to clients in Prometheus's format: loss and iteration always belong to the same
// report.
#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "base/result.h"
#include "report/output/report.h"
#include "serve/page_server.h"

namespace slaq::report {

// The page for a report; without a report it has no samples.
std::string metricsPage(const std::optional<Report>& report);

class MetricsServer {
 public:
  // Listens on all addresses of IPv4 and IPv6. Transient if another process has the port.
  static Result<std::unique_ptr<MetricsServer>> start(int port);

  // Any thread may call these.
  void publish(const Report& report);
  // Waits until a client has read the newest report, but no longer than `longest`.
  void waitForReader(std::chrono::milliseconds longest);

 private:
  MetricsServer() = default;
  std::string page();
  void noteSent();

  std::mutex mutex_;
  std::condition_variable read_;
  std::optional<Report> newest_;
  std::optional<Report> sent_;  // in the current answer, or the last one
  bool isRead_ = true;
  std::unique_ptr<serve::PageServer> server_;  // the last member: its thread uses all the others
};

}  // namespace slaq::report
