#include "sources/loss_source.h"

#include "base/text_file.h"
#include "kube/auth/credentials.h"
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

// Nothing when no file is named.
Result<std::string> readOptional(const std::string& file) {
  if (file.empty()) return std::string();
  return readTextFile(file);
}

// "http://host:9090/prefix" is an endpoint and a path.
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
  options.deadline = std::max(Seconds(2), epoch);
  auto source = std::make_unique<prom::PrometheusSource>(options);
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

Result<PrometheusServer> prometheusServer(const config::PrometheusLoss& loss, const Clock& clock) {
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
  if (!loss.bearerTokenFile.empty()) {
    const auto token = std::make_shared<kube::auth::RereadFile>(loss.bearerTokenFile, clock);
    server.endpoint.bearerToken = [token] { return token->text(); };
  }
  return server;
}

Result<std::unique_ptr<LossSource>> makeLossSource(const config::LossSettings& settings, Seconds epoch,
                                                   const Clock& clock) {
  return std::visit([&](const auto& each) { return make(each, epoch, clock); }, settings);
}

}  // namespace slaq::sources
