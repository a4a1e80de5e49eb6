#include "cli/cluster/loss_curve.h"

#include <algorithm>

#include "kube/client/resource.h"
#include "prometheus/matrix.h"

namespace slaq::cli::cluster {
namespace {

constexpr double kMostPoints = 200;

std::string secondsText(Time time) { return toDecimal(time.time_since_epoch().count(), 13); }

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

Result<std::vector<terminal::CurvePoint>> lossCurve(http::HttpClient& http, const std::string& path,
                                                    const JobKey& job, Time begin, Time end) {
  // The controller may have been another pod before: the largest is the one that there is.
  const std::string query =
      "max(slaq_job_loss{training_namespace=\"" + job.ns + "\",training_job=\"" + job.name + "\"})";
  const double step = std::max(1.0, (end - begin).count() / kMostPoints);
  http::HttpRequest request;
  request.path = path + "/api/v1/query_range?query=" + kube::client::percentEncoded(query) +
                 "&start=" + secondsText(begin) + "&end=" + secondsText(end) + "&step=" + toDecimal(step, 6);
  auto response = http.send(request);
  if (!response) return failure(response.error());
  const auto matrix = prom::readAnswer(std::move(*response));
  if (!matrix) return failure(matrix.error());
  std::vector<terminal::CurvePoint> points;
  for (const auto& series : matrix->series) {
    for (const auto& point : series.points) points.push_back({point.time, point.value});
  }
  return points;
}

}  // namespace slaq::cli::cluster
