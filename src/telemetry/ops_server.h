// The pages by which a process is operated: /healthz and /readyz for probes, /metrics for Prometheus.
// civetweb serves them in two threads and is seen only in the source file.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/result.h"

namespace slaq::telemetry {

struct Health {
  bool good = true;
  std::string reason;  // a sentence for a person, shown either way
};

// Called on the server's threads, side by side.
struct OpsPages {
  std::function<Health()> healthy;       // false: restart me
  std::function<Health()> ready;         // false: not yet, or not now
  std::function<std::string()> metrics;  // Prometheus's text format 0.0.4
};

class OpsServer {
 public:
  // Listens on `address` ("0.0.0.0", "127.0.0.1", "::") and `port`; port 0 takes a free one. An error when
  // the port is taken or the address is not this machine's.
  static Result<std::unique_ptr<OpsServer>> listen(const std::string& address, int port, OpsPages pages);
  ~OpsServer();

  int port() const;

 private:
  class Server;
  explicit OpsServer(std::unique_ptr<Server> server);

  std::unique_ptr<Server> server_;
};

}  // namespace slaq::telemetry
