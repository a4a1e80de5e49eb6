#include "cli/cluster/prometheus_history.h"

#include <algorithm>

#include "kube/client/resource.h"
#include "prometheus/matrix.h"

namespace slaq::cli::cluster {
namespace {

constexpr double kMostPoints = 200;

std::string secondsText(Time time) { return toDecimal(time.time_since_epoch().count(), 13); }

std::unique_ptr<http::HttpClient> clientOf(const std::string& url) {
  http::HttpEndpoint endpoint;
  endpoint.url = url;
  return makeHttpClient(endpoint);
}

Result<prom::Matrix> ask(http::HttpClient& http, const std::string& path, const std::string& query,
                         const Range& range) {
  http::HttpRequest request;
  request.path = path + "/api/v1/query_range?query=" + kube::client::percentEncoded(query) +
                 "&start=" + secondsText(range.begin) + "&end=" + secondsText(range.end) +
                 "&step=" + toDecimal(range.step.count(), 6);
  auto response = http.send(request);
  if (!response) return failure(response.error());
  return prom::readAnswer(std::move(*response));
}

Curve curveOf(const prom::Series& series) {
  Curve curve;
  for (const auto& point : series.points) curve.push_back({point.time, point.value});
  return curve;
}

// Returns the only series. The query gives one series at most.
Result<Curve> one(const Result<prom::Matrix>& matrix) {
  if (!matrix) return failure(matrix.error());
  return matrix->series.empty() ? Curve() : curveOf(matrix->series.front());
}

}  // namespace

Result<PrometheusAddress> prometheusFrom(const std::string& text) {
  const auto scheme = text.find("://");
  if (scheme != std::string::npos) {
    const auto slash = std::min(text.find('/', scheme + 3), text.size());
    std::string path = text.substr(slash);
    while (path.ends_with('/')) path.pop_back();
    return PrometheusAddress{text.substr(0, slash), path};
  }
  const auto slash = text.find('/');
  const auto colon = text.find(':');
  if (slash == std::string::npos || colon == std::string::npos || slash == 0 || colon < slash + 2 ||
      colon + 1 == text.size() || text.find('/', slash + 1) != std::string::npos) {
    return failure(ErrorKind::Invalid, "--prometheus: \"" + text +
                                           "\" is neither a URL such as http://localhost:9090 nor a service "
                                           "such as monitoring/prometheus-operated:9090");
  }
  return PrometheusAddress{"", "/api/v1/namespaces/" + kube::client::percentEncoded(text.substr(0, slash)) +
                                   "/services/" +
                                   kube::client::percentEncoded(text.substr(slash + 1, colon - slash - 1)) +
                                   ":" + kube::client::percentEncoded(text.substr(colon + 1)) + "/proxy"};
}

PrometheusHistory::PrometheusHistory(const PrometheusAddress& address, http::HttpClient& apiServer)
    : own_(address.url.empty() ? nullptr : clientOf(address.url)),
      http_(own_ ? *own_ : apiServer),
      path_(address.path) {}

Result<Curve> PrometheusHistory::losses(const JobKey& job, Time begin, Time end) {
  const Range range{begin, end, Seconds(std::max(1.0, (end - begin).count() / kMostPoints))};
  return one(ask(
      http_, path_,
      "max(slaq_job_loss{training_namespace=\"" + job.ns + "\",training_job=\"" + job.name + "\"})", range));
}

Result<Curve> PrometheusHistory::ofController(const std::string& metric, const Range& range) {
  return one(ask(http_, path_, "max(" + metric + ")", range));
}

Result<std::vector<JobCurve>> PrometheusHistory::ofJobs(const std::string& metric, const std::string& ns,
                                                        const Range& range) {
  const std::string selector = ns.empty() ? "" : "{training_namespace=\"" + ns + "\"}";
  const auto matrix = ask(
      http_, path_, "max by (training_namespace, training_job, state) (" + metric + selector + ")", range);
  if (!matrix) return failure(matrix.error());
  std::vector<JobCurve> curves;
  for (const auto& series : matrix->series) {
    curves.push_back({.job = {std::string(prom::labelOf(series, "training_namespace")),
                              std::string(prom::labelOf(series, "training_job"))},
                      .state = std::string(prom::labelOf(series, "state")),
                      .points = curveOf(series)});
  }
  return curves;
}

}  // namespace slaq::cli::cluster
