#include "cli/check/prometheus_sight.h"

#include "base/number.h"
#include "cli/cluster/loss_curve.h"
#include "kube/client/resource.h"
#include "kube/json/json_fields.h"
#include "sources/loss_source.h"

namespace slaq::cli::check {
namespace {

constexpr const char* kNoWay = " can't be asked from here";

// "http://NAME.NAMESPACE.svc:PORT" as "NAMESPACE/NAME:PORT"; empty where it is no such address.
std::string serviceOf(const std::string& url) {
  constexpr std::string_view kScheme = "http://";
  if (!url.starts_with(kScheme)) return "";
  const std::string host = url.substr(kScheme.size());
  const auto colon = host.find(':');
  const std::string name = host.substr(0, colon);
  const auto first = name.find('.');
  if (first == std::string::npos) return "";
  const auto second = name.find('.', first + 1);
  const std::string ns = name.substr(first + 1, second - first - 1);
  const bool isService = second != std::string::npos && (name.substr(second + 1) + ".").starts_with("svc.");
  if (!isService) return "";
  return ns + "/" + name.substr(0, first) + ":" +
         (colon == std::string::npos ? "80" : host.substr(colon + 1));
}

// The value of an instant query whose answer is one number; 0 where it is none.
Result<double> valueOf(http::HttpClient& http, const std::string& prefix, const std::string& query,
                       const std::map<std::string, std::string>& headers) {
  http::HttpRequest request;
  request.headers = headers;
  request.path = prefix + "/api/v1/query?query=" + kube::client::percentEncoded(query);
  const auto answer = http.send(request);
  if (!answer) return failure(answer.error());
  if (answer->status != 200)
    return failure(ErrorKind::Transient, "it answers " + std::to_string(answer->status) + " to a query");
  const auto document = kube::json::parseJson(answer->body);
  const auto* result = kube::json::at(document, {"data", "result"});
  if (!result || !result->IsArray())
    return failure(ErrorKind::Malformed, "what answers is no Prometheus; is there a path prefix?");
  const auto isValue = [](const rapidjson::Value& pair) {
    return pair.IsArray() && pair.Size() == 2 && pair[1].IsString();
  };
  const auto* pair = isValue(*result) ? result : nullptr;  // a scalar's
  if (!pair && !result->Empty()) pair = kube::json::at((*result)[0], {"value"});
  if (!pair || !isValue(*pair)) return 0;
  return numberFrom<double>((*pair)[1].GetString()).value_or(0);
}

Result<PrometheusSight> sightOf(const std::string& address, http::HttpClient& http, const std::string& prefix,
                                const config::PrometheusLoss& loss) {
  const auto ask = [&](const std::string& query) { return valueOf(http, prefix, query, loss.headers); };
  const auto now = ask("time()");
  if (!now) return failure(now.error().kind, address + ": " + now.error().message);
  const auto controllers = ask("count(slaq_leader)");
  const auto trainings = ask("count(up{" + loss.labels.job + "!=\"\"," + loss.labels.uid + "!=\"\"})");
  return PrometheusSight{address, Time(Seconds(*now)), controllers.value_or(0), trainings.value_or(0)};
}

}  // namespace

Result<PrometheusSight> readPrometheus(const config::PrometheusLoss& loss, http::HttpClient& apiServer,
                                       bool inCluster, const Clock& clock) {
  const std::string& address = loss.serverAddress;
  if (inCluster) {
    const auto server = sources::prometheusServer(loss, clock);
    if (!server) return failure(server.error());
    return sightOf(address, *http::makeHttpClient(server->endpoint), server->pathPrefix, loss);
  }
  const auto slash = std::min(address.find('/', address.find("://") + 3), address.size());
  const std::string service = serviceOf(address.substr(0, slash));
  // Credentials do not go along the API server's way.
  if (service.empty() || !loss.bearerTokenFile.empty()) return failure(ErrorKind::NotFound, address + kNoWay);
  const auto way = cluster::prometheusFrom(service);
  if (!way) return failure(way.error());
  return sightOf(address, apiServer, way->path + address.substr(slash), loss);
}

}  // namespace slaq::cli::check
