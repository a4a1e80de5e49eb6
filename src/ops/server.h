// The pages for operating a process: /healthz and /readyz for probes, /metrics for Prometheus. A server waits
// for all of its connections on one thread, so that a client that stalls delays no other one. Only source
// files use Boost.Beast, which serves the pages.
#pragma once

#include <memory>

#include "base/result.h"
#include "base/units.h"
#include "ops/options.h"

namespace slaq::ops {

class Server {
 public:
  // An error when the port is taken, the address is not this machine's, or the certificate cannot be used.
  static Result<std::unique_ptr<Server>> listen(const Options& options, Pages pages);
  ~Server();

  int port() const;

  // Ends each stream of events once its client has got all events that there are, and waits for that, but at
  // most `atMost`.
  void endEvents(Seconds atMost);

 private:
  class Impl;
  explicit Server(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace slaq::ops
