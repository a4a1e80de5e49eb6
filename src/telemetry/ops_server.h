// The pages by which a process is operated: /healthz and /readyz for probes, /metrics for Prometheus. A
// server waits for all of its connections on one thread, so that clients that stall hold no other one up.
// Boost.Beast serves them and is seen only in source files.
#pragma once

#include <memory>

#include "base/result.h"
#include "telemetry/ops_options.h"

namespace slaq::telemetry {

class OpsServer {
 public:
  // An error when the port is taken, the address is not this machine's, or the certificate cannot be used.
  static Result<std::unique_ptr<OpsServer>> listen(const OpsOptions& options, OpsPages pages);
  ~OpsServer();

  int port() const;

 private:
  class Server;
  explicit OpsServer(std::unique_ptr<Server> server);

  std::unique_ptr<Server> server_;
};

}  // namespace slaq::telemetry
