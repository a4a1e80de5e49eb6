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
  // Serves on this port once listen() has succeeded, also a report that was published before.
  explicit MetricsServer(int port) : port_(port) {}

  // Listens on all addresses of IPv4 and IPv6, and answers on a thread of its own. Transient if the port
  // can't be listened on; the caller may try again. REQUIRES: !isListening(); one thread calls these two.
  Result<void> listen();
  bool isListening() const { return server_ != nullptr; }

  // Any thread may call these.
  void publish(const Report& report);
  // Waits until a client has read the newest report, but no longer than `longest`.
  void waitForReader(std::chrono::milliseconds longest);

 private:
  std::string page();
  void noteSent();

  const int port_;
  std::mutex mutex_;
  std::condition_variable read_;
  std::optional<Report> newest_;
  std::optional<Report> sent_;  // in the current answer, or the last one
  bool isRead_ = true;
  std::unique_ptr<serve::PageServer> server_;  // the last member: its thread uses all the others
};

}  // namespace slaq::report
