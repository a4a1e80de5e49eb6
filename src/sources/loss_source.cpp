#include "sources/loss_source.h"

#include "base/text_file.h"
#include "http/client.h"
#include "kube/auth/credentials.h"
#include "prometheus/cpu/cpu_use_source.h"
#include "prometheus/prometheus_source.h"
#include "prometheus/query_source.h"
#include "prometheus/scrape/scrape_source.h"

namespace slaq::sources {
namespace {

constexpr const char* kNotAllowed =
    "spec.loss.query is not allowed here; give spec.loss.metric and iterationMetric, or have the "
    "administrator set "
    "loss.prometheus.queries.allowed";
constexpr const char* kNoPrometheus =
    "spec.loss.query needs Prometheus, and the loss is read from the pods here; give spec.loss.metric and "
    "iterationMetric";

// A secret in a file. The file may be replaced while the program runs, so it is read again.
using Secret = std::function<std::string()>;

Result<Secret> secretIn(const std::string& file, const Clock& clock) {
  const auto text = readTextFile(file);
  if (!text) return failure(text.error());
  const auto secret = std::make_shared<kube::auth::RereadFile>(file, clock);
  if (secret->text().empty()) return failure(ErrorKind::Invalid, file + " is empty");
  return [secret] { return secret->text(); };
}

// Sets the token, or the user's name and password, that requests send.
Result<void> setCredentials(http::HttpEndpoint& endpoint, const config::PrometheusLoss& loss,
                            const Clock& clock) {
  if (!loss.bearerTokenFile.empty()) {
    const auto token = secretIn(loss.bearerTokenFile, clock);
    if (!token) return failure(token.error());
    endpoint.bearerToken = *token;
  }
  if (loss.usernameFile.empty()) return {};
  const auto user = secretIn(loss.usernameFile, clock);
  const auto password = secretIn(loss.passwordFile, clock);
  for (const auto* secret : {&user, &password}) {
    if (!*secret) return failure(secret->error());
  }
  if ((*user)().find(':') != std::string::npos)
    return failure(ErrorKind::Invalid, loss.usernameFile + " holds a name with a colon, which ends the name");
  endpoint.userAndPassword = [user = *user, password = *password] { return user() + ":" + password(); };
  return {};
}

// Empty when no file is named.
Result<std::string> readOptional(const std::string& file) {
  if (file.empty()) return std::string();
  return readTextFile(file);
}

// Splits "http://host:9090/prefix" into the endpoint and the path.
std::pair<std::string, std::string> splitAddress(const std::string& address) {
  const auto slash = address.find('/', address.find("://") + 3);
  if (slash == std::string::npos) return {address, ""};
  return {address.substr(0, slash), address.substr(slash)};
}

Result<std::unique_ptr<LossSource>> make(const config::PrometheusLoss& loss, Seconds epoch,
                                         const Clock& clock) {
  const auto server = prometheusServer(loss, clock);
  if (!server) return failure(server.error());
  prom::PrometheusOptions options;
  options.endpoint = server->endpoint;
  options.pathPrefix = server->pathPrefix;
  options.headers = loss.headers;
  options.labels = {loss.labels.ns, loss.labels.job, loss.labels.uid};
  options.scrapeInterval = loss.scrapeInterval;
  // An outage of the source must not hold up decisions for long.
  options.deadline = std::clamp(epoch, Seconds(2), Seconds(10));
  const prom::CpuUseOptions cpu{
      .endpoint = options.endpoint, .pathPrefix = options.pathPrefix, .headers = options.headers};
  std::unique_ptr<LossSource> source =
      std::make_unique<prom::CpuUseSource>(cpu, std::make_unique<prom::PrometheusSource>(options, clock));
  if (!loss.queriesAllowed) return std::make_unique<prom::QueryRefusal>(kNotAllowed, std::move(source));
  const prom::QueryOptions queries{.endpoint = options.endpoint,
                                   .pathPrefix = options.pathPrefix,
                                   .headers = options.headers,
                                   .step = options.scrapeInterval};
  return std::make_unique<prom::QuerySource>(queries, std::move(source));
}

Result<std::unique_ptr<LossSource>> make(const config::PodsLoss& loss, Seconds, const Clock& clock) {
  return std::make_unique<prom::QueryRefusal>(
      kNoPrometheus,
      std::make_unique<prom::ScrapeSource>(prom::ScrapeOptions{.interval = loss.interval}, clock));
}

}  // namespace

Result<PrometheusServer> prometheusServer(const config::PrometheusLoss& loss, const Clock& clock,
                                          const http::Environment& environment) {
  const auto ca = readOptional(loss.caFile);
  const auto certificate = readOptional(loss.clientCertificateFile);
  const auto key = readOptional(loss.clientKeyFile);
  for (const auto* file : {&ca, &certificate, &key}) {
    if (!*file) return failure(file->error());
  }
  PrometheusServer server;
  std::tie(server.endpoint.url, server.pathPrefix) = splitAddress(loss.serverAddress);
  server.endpoint.caPem = *ca;
  server.endpoint.clientCertificatePem = *certificate;
  server.endpoint.clientKeyPem = *key;
  kube::auth::followCertificates(server.endpoint,
                                 {loss.caFile, loss.clientCertificateFile, loss.clientKeyFile}, clock);
  server.endpoint.proxyUrl = http::proxyFor(server.endpoint.url, environment);
  if (const auto set = setCredentials(server.endpoint, loss, clock); !set) return failure(set.error());
  if (const auto usable = http::check(server.endpoint); !usable) return failure(usable.error());
  return server;
}

Result<std::unique_ptr<LossSource>> makeLossSource(const config::LossSettings& settings, Seconds epoch,
                                                   const Clock& clock) {
  return std::visit([&](const auto& each) { return make(each, epoch, clock); }, settings);
}

}  // namespace slaq::sources
