// What the Prometheus that the controller reads says of itself and of what it scrapes.
#pragma once

#include "base/clock.h"
#include "cli/check/observed.h"
#include "http/client.h"

namespace slaq::cli::check {

// From within the cluster it is asked itself, from outside by the API server's way to a service, which is
// `apiServer`. NotFound where there is no such way.
Result<PrometheusSight> readPrometheus(const config::PrometheusLoss& loss, http::HttpClient& apiServer,
                                       bool inCluster, const Clock& clock);

}  // namespace slaq::cli::check
