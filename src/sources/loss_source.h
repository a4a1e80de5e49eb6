// The loss source that the configuration asks for, and the server behind it.
#pragma once

#include <memory>

#include "base/clock.h"
#include "config/configuration.h"
#include "http/message.h"
#include "http/proxy.h"
#include "ports/loss_source.h"

namespace slaq::sources {

// Invalid when a file that the configuration names can't be read or used, or its address is not valid. The
// clock outlives the source.
Result<std::unique_ptr<LossSource>> makeLossSource(const config::LossSettings& settings, Seconds epoch,
                                                   const Clock& clock);

// A Prometheus server's address, how it is trusted, and the credentials for it.
struct PrometheusServer {
  http::HttpEndpoint endpoint;
  std::string pathPrefix;  // before /api/v1
};

// The server that the configuration names, reached by the proxy that the environment names for it. Invalid
// when a file that the configuration names can't be read or used, or its address is not valid.
Result<PrometheusServer> prometheusServer(const config::PrometheusLoss& loss, const Clock& clock,
                                          const http::Environment& environment = http::processEnvironment);

}  // namespace slaq::sources
