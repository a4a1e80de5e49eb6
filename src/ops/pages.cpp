#include "ops/pages.h"

#include <zlib.h>

#include <algorithm>
#include <exception>
#include <stdexcept>
#include <utility>

namespace slaq::ops {
namespace {

constexpr const char* kMetrics = "text/plain; version=0.0.4; charset=utf-8";
constexpr const char* kHtml = "text/html; charset=utf-8";
constexpr const char* kEvents = "text/event-stream";
constexpr std::string_view kBearer = "Bearer ";

constexpr int kGzip = 15 + 16;  // zlib's value for the gzip format with the largest window
constexpr int kMemoryLevel = 8;

// A client could also refuse gzip by "gzip;q=0", but no reader of metrics does so.
bool takesGzip(std::string_view encodings) { return encodings.find("gzip") != std::string_view::npos; }

std::string compressed(std::string text) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, kGzip, kMemoryLevel, Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::runtime_error("metrics can't be compressed");
  std::string out(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(text.data());
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int result = deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  if (result != Z_STREAM_END) throw std::runtime_error("metrics can't be compressed");
  return out;
}

Answer metricsOf(const Pages& pages, std::string_view encodings) {
  if (takesGzip(encodings)) return {200, compressed(pages.metrics()), kMetrics, true};
  return {200, pages.metrics(), kMetrics};
}

Answer answerOf(const Health& health) {
  const std::string fallback = health.good ? "ok" : "not ok";
  return {health.good ? 200 : 503, (health.reason.empty() ? fallback : health.reason) + "\n"};
}

Answer notFound(const Pages& pages) {
  std::string there;
  for (const auto& [path, isThere] :
       {std::pair("/healthz", bool(pages.healthy)), std::pair("/readyz", bool(pages.ready)),
        std::pair("/metrics", bool(pages.metrics)), std::pair("/", bool(pages.web))}) {
    if (isThere) there += (there.empty() ? "" : ", ") + std::string(path);
  }
  return {404, "Here is " + there + ".\n"};
}

// A page of another site could not read the events, but each of its connections would count as a client.
// Browsers say which site's page asks if they reach this server by HTTPS or by a name of their own machine.
bool isOfAnotherSite(std::string_view site) { return site == "cross-site" || site == "same-site"; }

Answer eventsFor(const Request& request, const Pages& pages) {
  if (isOfAnotherSite(request.site)) return {403, "Only this server's own page is told of events.\n"};
  return {.type = kEvents, .events = pages.events()};
}

Answer pageAt(std::string_view path, const Request& request, const Pages& pages) {
  if (path == "/healthz" && pages.healthy) return answerOf(pages.healthy());
  if (path == "/readyz" && pages.ready) return answerOf(pages.ready());
  if (path == "/metrics" && pages.metrics) return metricsOf(pages, request.encodings);
  if (path == "/" && pages.web) return {200, pages.web(), kHtml};
  if (path == "/events" && pages.events) return eventsFor(request, pages);
  return notFound(pages);
}

// The name in "localhost:8080" and in "[::1]:8080".
std::string_view nameIn(std::string_view host) {
  const auto end = host.starts_with('[') ? host.find(']') : host.find(':');
  if (end == std::string_view::npos) return host;
  return host.starts_with('[') ? host.substr(1, end - 1) : host.substr(0, end);
}

bool isKnown(std::string_view host, const Options& options) {
  return options.hosts.empty() || std::ranges::find(options.hosts, nameIn(host)) != options.hosts.end();
}

int statusOf(ErrorKind kind) {
  if (kind == ErrorKind::Invalid) return 401;
  if (kind == ErrorKind::Forbidden) return 403;
  return 503;
}

std::string tokenIn(std::string_view authorization) {
  return authorization.starts_with(kBearer) ? std::string(authorization.substr(kBearer.size())) : "";
}

Answer pageFor(const Request& request, const Options& options, const Pages& pages) {
  if (request.method != "GET" && request.method != "HEAD") return {405, "Only GET and HEAD.\n"};
  if (!isKnown(request.host, options)) return {403, "This server has another name.\n"};
  if (options.authorize) {
    const auto may = options.authorize(tokenIn(request.authorization));
    if (!may) return {statusOf(may.error().kind), may.error().message + "\n"};
  }
  return pageAt(request.target.substr(0, request.target.find('?')), request, pages);
}

}  // namespace

Answer answerTo(const Request& request, const Options& options, const Pages& pages) {
  try {
    return pageFor(request, options, pages);
  } catch (const std::exception& e) {
    return {500, std::string(e.what()) + "\n"};
  }
}

}  // namespace slaq::ops
