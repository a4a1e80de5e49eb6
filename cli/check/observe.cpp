#include "cli/check/observe.h"

#include "cli/check/definition.h"
#include "cli/check/other_controllers.h"
#include "cli/check/prometheus_state.h"
#include "cli/check/rights.h"
#include "config/read_configuration.h"
#include "kube/client/api.h"
#include "kube/json/json_fields.h"
#include "release/version.h"

namespace slaq::cli::check {
namespace {

using kube::json::at;
using kube::json::intAt;
using kube::json::parseJson;
using kube::json::stringAt;

constexpr const char* kOpenApi = "/openapi/v3/apis/slaq.io/v1alpha1";
constexpr const char* kSchema = "io.slaq.v1alpha1.TrainingJob";

Result<http::HttpResponse> get(http::HttpClient& http, const std::string& path) {
  http::HttpRequest request;
  request.path = path;
  auto answer = http.send(request);
  if (!answer) return failure(answer.error());
  if (answer->status != 200)
    return failure(kube::client::errorOf(answer->status, answer->body, {{"", "", path}, ""}));
  return answer;
}

Result<Server> readServer(http::HttpClient& http, const kube::auth::Access& access, const Clock& clock) {
  const Time before = clock.now();
  const auto version = get(http, "/version");
  const Time after = clock.now();
  if (!version) {
    return failure(version.error().kind,
                   "the one at " + access.endpoint.url + " does not answer: " + version.error().message);
  }
  Server server{
      .url = access.endpoint.url, .version = stringAt(parseJson(version->body), {"gitVersion"}), .clock = {}};
  if (version->date) server.clock = ClockReading{before, after, *version->date, Seconds(1)};
  if (const auto core = get(http, "/api/v1"))
    server.resizesPods = core->body.find("\"pods/resize\"") != std::string::npos;
  return server;
}

Result<std::vector<std::string>> readDefinition(http::HttpClient& http) {
  const auto answer = get(http, kOpenApi);
  if (!answer) return failure(answer.error());
  const auto document = parseJson(answer->body);
  const auto* schema = at(document, {"components", "schemas", kSchema});
  if (!schema) return failure(ErrorKind::NotFound, "no TrainingJobs");
  return missingFields(*schema);
}

Result<LeaderLease> readLease(kube::client::Api& api, const config::LeaderElection& election,
                              const std::string& ns) {
  const auto lease = api.get({kube::client::kLeases, election.ns.empty() ? ns : election.ns, election.name});
  if (!lease) return failure(lease.error());
  return LeaderLease{stringAt(*lease, {"spec", "holderIdentity"}),
                     parseRfc3339(stringAt(*lease, {"spec", "renewTime"})).value_or(Time()),
                     Seconds(intAt(*lease, {"spec", "leaseDurationSeconds"}))};
}

// Empty if the cluster has no Kueue.
std::optional<Result<Kueue>> observeKueue(http::HttpClient& http, kube::client::Api& api) {
  const auto group = get(http, std::string("/apis/") + kKueueGroup);
  if (!group && group.error().kind == ErrorKind::NotFound) return std::nullopt;
  if (!group) return failure(group.error());
  return readKueue(api, stringAt(parseJson(group->body), {"preferredVersion", "version"}));
}

// Observes the parts that depend on the configuration.
void observeWith(const config::Configuration& configuration, cluster::TrainingCluster& cluster,
                 kube::client::Api& api, const Clock& clock, Observed& seen) {
  if (configuration.leaderElection.enabled)
    seen.lease = readLease(api, configuration.leaderElection, seen.installation->ns);
  seen.now = clock.now();
  seen.rights = readRights(api, configuration, *seen.installation);
  if (const auto* loss = std::get_if<config::PrometheusLoss>(&configuration.loss)) {
    seen.prometheus =
        readPrometheus(*loss, seen.installation->ns, seen.inCluster ? nullptr : &cluster.http(), clock);
  }
  seen.jobs = cluster.jobs(configuration.ns);
  seen.kueue = observeKueue(cluster.http(), api);
  if (!*seen.jobs) return;
  seen.autoscalers = readAutoscalers(api, configuration.ns, **seen.jobs);
  seen.resize = tryResize(cluster.http(), api, **seen.jobs);
}

}  // namespace

Observed observe(cluster::TrainingCluster& cluster, const kube::auth::Access& access, const Clock& clock,
                 const WhichInstallation& which) {
  Observed seen{.version = release::thisBuild().version, .inCluster = access.inCluster, .now = clock.now()};
  seen.server = readServer(cluster.http(), access, clock);
  if (!seen.server) return seen;
  kube::client::ApiOptions options;
  options.refreshCredentials = access.refresh;
  options.tries = 2;
  kube::client::Api api(cluster.http(), options);
  seen.missingFields = readDefinition(cluster.http());
  seen.installation = readInstallation(api, which);
  if (!seen.installation) return seen;
  seen.configurationText = readConfigurationText(api, *seen.installation);
  if (!*seen.configurationText) return seen;
  seen.configuration = config::readConfiguration("config.yaml", **seen.configurationText);
  if (*seen.configuration) observeWith(**seen.configuration, cluster, api, clock, seen);
  return seen;
}

}  // namespace slaq::cli::check
