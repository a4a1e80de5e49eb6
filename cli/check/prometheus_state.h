// The state of the Prometheus that the controller reads, and of its scrape targets.
#pragma once

#include <string>

#include "base/clock.h"
#include "cli/check/observed.h"
#include "http/client.h"

namespace slaq::cli::check {

// `ns` is the controllers' namespace. `apiServer` is null within the cluster. Outside of it, Prometheus is
// asked through the API server as a service. NotFound: it can't be asked from here, or not with these
// credentials.
Result<PrometheusState> readPrometheus(const config::PrometheusLoss& loss, const std::string& ns,
                                       http::HttpClient* apiServer, const Clock& clock);

}  // namespace slaq::cli::check
