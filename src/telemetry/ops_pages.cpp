#include "telemetry/ops_pages.h"

#include <exception>
#include <string_view>
#include <utility>

namespace slaq::telemetry {
namespace {

namespace http = boost::beast::http;

constexpr const char* kPlain = "text/plain; charset=utf-8";
constexpr const char* kMetrics = "text/plain; version=0.0.4; charset=utf-8";
constexpr std::string_view kBearer = "Bearer ";

struct Page {
  http::status status = http::status::ok;
  std::string body;
  const char* type = kPlain;
};

Page pageOf(const Health& health) {
  const std::string fallback = health.good ? "ok" : "not ok";
  return {health.good ? http::status::ok : http::status::service_unavailable,
          (health.reason.empty() ? fallback : health.reason) + "\n"};
}

Page missingPage(const OpsPages& pages) {
  std::string there;
  for (const auto& [path, isThere] :
       {std::pair("/healthz", bool(pages.healthy)), std::pair("/readyz", bool(pages.ready)),
        std::pair("/metrics", bool(pages.metrics))}) {
    if (isThere) there += (there.empty() ? "" : ", ") + std::string(path);
  }
  return {http::status::not_found, "Here is " + there + ".\n"};
}

Page pageAt(std::string_view path, const OpsPages& pages) {
  if (path == "/healthz" && pages.healthy) return pageOf(pages.healthy());
  if (path == "/readyz" && pages.ready) return pageOf(pages.ready());
  if (path == "/metrics" && pages.metrics) return {http::status::ok, pages.metrics(), kMetrics};
  return missingPage(pages);
}

http::status statusOf(ErrorKind kind) {
  if (kind == ErrorKind::Invalid) return http::status::unauthorized;
  if (kind == ErrorKind::Forbidden) return http::status::forbidden;
  return http::status::service_unavailable;
}

// The bearer token of a request; empty without one.
std::string tokenOf(const OpsRequest& request) {
  const auto found = request[http::field::authorization];
  const std::string_view value(found.data(), found.size());
  return value.starts_with(kBearer) ? std::string(value.substr(kBearer.size())) : "";
}

Page pageFor(const OpsRequest& request, const OpsOptions& options, const OpsPages& pages) {
  if (request.method() != http::verb::get && request.method() != http::verb::head)
    return {http::status::method_not_allowed, "Only GET and HEAD.\n"};
  if (options.authorize) {
    const auto may = options.authorize(tokenOf(request));
    if (!may) return {statusOf(may.error().kind), may.error().message + "\n"};
  }
  const std::string_view target(request.target().data(), request.target().size());
  return pageAt(target.substr(0, target.find('?')), pages);
}

}  // namespace

OpsResponse answerTo(const OpsRequest& request, const OpsOptions& options, const OpsPages& pages) {
  Page page;
  try {
    page = pageFor(request, options, pages);
  } catch (const std::exception& e) {
    page = {http::status::internal_server_error, std::string(e.what()) + "\n"};
  }
  OpsResponse response(page.status, 11);
  response.set(http::field::content_type, page.type);
  response.set(http::field::cache_control, "no-store");
  response.set(http::field::connection, "close");
  if (page.status == http::status::method_not_allowed) response.set(http::field::allow, "GET, HEAD");
  if (page.status == http::status::unauthorized) response.set(http::field::www_authenticate, "Bearer");
  response.content_length(page.body.size());
  if (request.method() != http::verb::head) response.body() = std::move(page.body);
  return response;
}

}  // namespace slaq::telemetry
