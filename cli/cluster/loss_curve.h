// The loss of a job over time, out of a Prometheus that scrapes slaq's controller.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/terminal/plot.h"
#include "http/client.h"
#include "job/job.h"

namespace slaq::cli::cluster {

// Where a Prometheus is: behind a URL, or behind the API server as a service.
struct PrometheusAddress {
  std::string url;   // "http://host:9090"; empty: the API server's
  std::string path;  // before /api/v1: a prefix, or the API server's way to the service

  bool operator==(const PrometheusAddress&) const = default;
};

// From "http://host:9090/prefix", or "NAMESPACE/SERVICE:PORT". Invalid when it is neither.
Result<PrometheusAddress> prometheusFrom(const std::string& text);

// At most some 200 points from `begin` to `end`, ascending in time.
Result<std::vector<terminal::CurvePoint>> lossCurve(http::HttpClient& http, const std::string& path,
                                                    const JobKey& job, Time begin, Time end);

}  // namespace slaq::cli::cluster
