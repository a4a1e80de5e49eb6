// What the Prometheus that the controller reads says of itself and of what it scrapes.
#pragma once

#include <string>

#include "base/clock.h"
#include "cli/check/observed.h"
#include "http/client.h"

namespace slaq::cli::check {

// `ns` is the controllers' namespace. From outside the cluster Prometheus is asked by the API server's way to
// a service, `apiServer`; within it is null. NotFound: it can't be asked from here, or not with these
// credentials.
Result<PrometheusState> readPrometheus(const config::PrometheusLoss& loss, const std::string& ns,
                                       http::HttpClient* apiServer, const Clock& clock);

}  // namespace slaq::cli::check
