#include "cli/check/prometheus_state.h"

#include "base/text.h"
#include "cli/cluster/prometheus_history.h"
#include "kube/client/resource.h"
#include "kube/json/json_fields.h"
#include "sources/loss_source.h"

namespace slaq::cli::check {
namespace {

// Turns "http://NAME.NAMESPACE.svc:PORT" into "NAMESPACE/NAME:PORT"; empty for any other address.
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

bool isValue(const rapidjson::Value& pair) {
  return pair.IsArray() && pair.Size() == 2 && pair[1].IsString();
}

// A connection to Prometheus from this machine.
struct Reached {
  http::HttpClient& http;
  std::string prefix;  // before /api/v1
  std::map<std::string, std::string> headers;
};

// The value of an instant query whose answer is one number; 0 if the answer has none.
Result<double> valueOf(const Reached& prometheus, const std::string& query) {
  http::HttpRequest request;
  request.headers = prometheus.headers;
  request.path = prometheus.prefix + "/api/v1/query?query=" + kube::client::percentEncoded(query);
  const auto answer = prometheus.http.send(request);
  if (!answer) return failure(answer.error());
  if (answer->status != 200) {
    const bool isRefused = answer->status == 401 || answer->status == 403;
    return failure(isRefused ? ErrorKind::Forbidden : ErrorKind::Transient,
                   "it answers " + std::to_string(answer->status) + " to a query");
  }
  const auto document = kube::json::parseJson(answer->body);
  const auto* result = kube::json::at(document, {"data", "result"});
  if (!result || !result->IsArray())
    return failure(ErrorKind::Malformed, "what answers is no Prometheus; is there a path prefix?");
  const auto* pair = isValue(*result) ? result : nullptr;  // the pair of a scalar
  if (!pair && !result->Empty()) pair = kube::json::at((*result)[0], {"value"});
  if (!pair || !isValue(*pair)) return 0;
  return numberFrom<double>((*pair)[1].GetString()).value_or(0);
}

Result<PrometheusState> stateOf(const config::PrometheusLoss& loss, const std::string& ns,
                                const Reached& prometheus, const Clock& clock) {
  const Time before = clock.now();
  const auto time = valueOf(prometheus, "time()");
  const Time after = clock.now();
  if (!time) return failure(time.error().kind, loss.serverAddress + ": " + time.error().message);
  const std::string labelled = loss.labels.job + "!=\"\"," + loss.labels.uid + "!=\"\"";
  return PrometheusState{.address = loss.serverAddress,
                         .clock = {before, after, Time(Seconds(*time))},
                         .controllers = valueOf(prometheus, "count(slaq_leader{namespace=\"" + ns + "\"})"),
                         .trainings = valueOf(prometheus, "count(up{" + labelled + "})")};
}

// True if the token is a service account's: the token that is read here is this pod's, maybe not the
// controller's.
bool hasOwnToken(const config::PrometheusLoss& loss) {
  return loss.bearerTokenFile.starts_with("/var/run/secrets/kubernetes.io/serviceaccount");
}

Error unreachable(const config::PrometheusLoss& loss, const std::string& why) {
  return {ErrorKind::NotFound, loss.serverAddress + " can't be asked from here: " + why};
}

}  // namespace

Result<PrometheusState> readPrometheus(const config::PrometheusLoss& loss, const std::string& ns,
                                       http::HttpClient* apiServer, const Clock& clock) {
  if (!apiServer) {
    const auto server = sources::prometheusServer(loss, clock);
    if (!server) return failure(server.error());
    const auto http = http::makeHttpClient(server->endpoint);
    auto state = stateOf(loss, ns, {*http, server->pathPrefix, loss.headers}, clock);
    if (!state && state.error().kind == ErrorKind::Forbidden && hasOwnToken(loss))
      return failure(unreachable(loss, "it does not take the token of this pod"));
    return state;
  }
  const auto address = cluster::prometheusFrom(loss.serverAddress);
  const std::string service = address ? serviceOf(address->url) : "";
  // The API server does not pass credentials on.
  if (service.empty() || !loss.bearerTokenFile.empty() || !loss.usernameFile.empty())
    return failure(unreachable(loss, "only a pod of the cluster can"));
  const auto way = cluster::prometheusFrom(service);
  if (!way) return failure(way.error());
  const auto state = stateOf(loss, ns, {*apiServer, way->path + address->path, loss.headers}, clock);
  if (!state) return failure(unreachable(loss, state.error().message));
  return state;
}

}  // namespace slaq::cli::check
