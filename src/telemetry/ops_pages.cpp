#include "telemetry/ops_pages.h"

#include <exception>
#include <utility>

namespace slaq::telemetry {
namespace {

constexpr const char* kMetrics = "text/plain; version=0.0.4; charset=utf-8";
constexpr std::string_view kBearer = "Bearer ";

OpsAnswer answerOf(const Health& health) {
  const std::string fallback = health.good ? "ok" : "not ok";
  return {health.good ? 200 : 503, (health.reason.empty() ? fallback : health.reason) + "\n"};
}

OpsAnswer notFound(const OpsPages& pages) {
  std::string there;
  for (const auto& [path, isThere] :
       {std::pair("/healthz", bool(pages.healthy)), std::pair("/readyz", bool(pages.ready)),
        std::pair("/metrics", bool(pages.metrics))}) {
    if (isThere) there += (there.empty() ? "" : ", ") + std::string(path);
  }
  return {404, "Here is " + there + ".\n"};
}

OpsAnswer pageAt(std::string_view path, const OpsPages& pages) {
  if (path == "/healthz" && pages.healthy) return answerOf(pages.healthy());
  if (path == "/readyz" && pages.ready) return answerOf(pages.ready());
  if (path == "/metrics" && pages.metrics) return {200, pages.metrics(), kMetrics};
  return notFound(pages);
}

int statusOf(ErrorKind kind) {
  if (kind == ErrorKind::Invalid) return 401;
  if (kind == ErrorKind::Forbidden) return 403;
  return 503;
}

std::string tokenIn(std::string_view authorization) {
  return authorization.starts_with(kBearer) ? std::string(authorization.substr(kBearer.size())) : "";
}

OpsAnswer pageFor(const OpsRequest& request, const OpsOptions& options, const OpsPages& pages) {
  if (request.method != "GET" && request.method != "HEAD") return {405, "Only GET and HEAD.\n"};
  if (options.authorize) {
    const auto may = options.authorize(tokenIn(request.authorization));
    if (!may) return {statusOf(may.error().kind), may.error().message + "\n"};
  }
  return pageAt(request.target.substr(0, request.target.find('?')), pages);
}

}  // namespace

OpsAnswer answerTo(const OpsRequest& request, const OpsOptions& options, const OpsPages& pages) {
  try {
    return pageFor(request, options, pages);
  } catch (const std::exception& e) {
    return {500, std::string(e.what()) + "\n"};
  }
}

}  // namespace slaq::telemetry
