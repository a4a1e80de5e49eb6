// Reads the metrics of slaq's controller over time out of a Prometheus that scrapes it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/terminal/plot.h"
#include "http/client.h"
#include "job/job.h"

namespace slaq::cli::cluster {

// The address of a Prometheus: a URL, or a service that is reached through the API server.
struct PrometheusAddress {
  std::string url;   // "http://host:9090"; empty: through the API server
  std::string path;  // before /api/v1: a prefix, or the API server's path to the service

  bool operator==(const PrometheusAddress&) const = default;
};

// Reads "http://host:9090/prefix" or "NAMESPACE/SERVICE:PORT". Returns Invalid when the text is neither.
Result<PrometheusAddress> prometheusFrom(const std::string& text);

// The times `begin`, `begin` + `step` and so on, up to `end`.
struct Range {
  Time begin;
  Time end;
  Seconds step{15};
};

// Ascending in time.
using Curve = std::vector<terminal::CurvePoint>;

// One of the controller's metrics for one job.
struct JobCurve {
  JobKey job;
  std::string state;  // the value of the label in slaq_job_state
  Curve points;
};

// One thread uses it. Where an earlier pod of the controller exported the metric too, the largest value
// counts.
class PrometheusHistory {
 public:
  // REQUIRES: `apiServer` outlives this. It is used for an address without a URL.
  PrometheusHistory(const PrometheusAddress& address, http::HttpClient& apiServer);

  // At most some 200 points from `begin` to `end`.
  Result<Curve> losses(const JobKey& job, Time begin, Time end);
  // A metric of each job of the namespace, or of all jobs where `ns` is empty.
  Result<std::vector<JobCurve>> ofJobs(const std::string& metric, const std::string& ns, const Range& range);
  // A metric of the controller; empty where there is none.
  Result<Curve> ofController(const std::string& metric, const Range& range);

 private:
  std::unique_ptr<http::HttpClient> own_;  // null where the API server is asked
  http::HttpClient& http_;
  std::string path_;
};

}  // namespace slaq::cli::cluster
