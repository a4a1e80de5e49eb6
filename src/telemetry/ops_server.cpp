#include "telemetry/ops_server.h"

#include <CivetServer.h>

#include <string_view>
#include <utility>
#include <vector>

namespace slaq::telemetry {

namespace {

constexpr const char* kPlain = "text/plain; charset=utf-8";
constexpr const char* kMetrics = "text/plain; version=0.0.4; charset=utf-8";

struct Page {
  int status = 200;
  std::string body;
  const char* type = kPlain;
};

std::string_view phraseOf(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 503:
      return "Service Unavailable";
    default:
      return "Internal Server Error";
  }
}

Page pageOf(const Health& health) {
  const std::string fallback = health.good ? "ok" : "not ok";
  return {health.good ? 200 : 503, (health.reason.empty() ? fallback : health.reason) + "\n"};
}

Page pageAt(std::string_view path, const OpsPages& pages) {
  if (path == "/healthz") return pageOf(pages.healthy());
  if (path == "/readyz") return pageOf(pages.ready());
  if (path == "/metrics") return {200, pages.metrics(), kMetrics};
  return {404, "There is /healthz, /readyz and /metrics.\n"};
}

void write(mg_connection* connection, const Page& page, bool withBody) {
  std::string answer = "HTTP/1.1 " + std::to_string(page.status) + " " + std::string(phraseOf(page.status)) +
                       "\r\nContent-Type: " + page.type +
                       "\r\nContent-Length: " + std::to_string(page.body.size()) +
                       "\r\nCache-Control: no-store\r\nConnection: close\r\n";
  if (page.status == 405) answer += "Allow: GET, HEAD\r\n";
  answer += "\r\n";
  if (withBody) answer += page.body;
  mg_write(connection, answer.data(), answer.size());
}

int logNothing(const mg_connection*, const char*) { return 1; }

CivetCallbacks quietly() {
  CivetCallbacks callbacks;
  callbacks.log_message = &logNothing;  // what goes wrong is told by a Result
  return callbacks;
}

std::string portOption(const std::string& address, int port) {
  const bool bare = address.find(':') != std::string::npos && address.front() != '[';
  return (bare ? "[" + address + "]" : address) + ":" + std::to_string(port);
}

}  // namespace

class OpsServer::Server final : public CivetHandler {
 public:
  Server(const std::string& listening, OpsPages pages)
      : pages_(std::move(pages)), callbacks_(quietly()), server_(options(listening), &callbacks_) {
    server_.addHandler("**", this);
  }
  ~Server() override { server_.close(); }

  int port() { return server_.getListeningPorts().at(0); }

  bool handleGet(CivetServer*, mg_connection* connection) override { return answer(connection, true); }
  bool handleHead(CivetServer*, mg_connection* connection) override { return answer(connection, false); }
  bool handlePost(CivetServer*, mg_connection* connection) override { return refuse(connection); }
  bool handlePut(CivetServer*, mg_connection* connection) override { return refuse(connection); }
  bool handleDelete(CivetServer*, mg_connection* connection) override { return refuse(connection); }
  bool handleOptions(CivetServer*, mg_connection* connection) override { return refuse(connection); }
  bool handlePatch(CivetServer*, mg_connection* connection) override { return refuse(connection); }

 private:
  static std::vector<std::string> options(const std::string& listening) {
    // A client that stalls gives its thread back after the time-out.
    return {"listening_ports", listening, "num_threads", "2", "request_timeout_ms", "5000"};
  }

  bool answer(mg_connection* connection, bool withBody) {
    try {
      write(connection, pageAt(mg_get_request_info(connection)->local_uri, pages_), withBody);
    } catch (const std::exception& e) {
      write(connection, {500, std::string(e.what()) + "\n"}, withBody);
    }
    return true;
  }

  static bool refuse(mg_connection* connection) {
    write(connection, {405, "Only GET and HEAD.\n"}, true);
    return true;
  }

  const OpsPages pages_;
  CivetCallbacks callbacks_;
  CivetServer server_;
};

Result<std::unique_ptr<OpsServer>> OpsServer::listen(const std::string& address, int port, OpsPages pages) {
  const std::string listening = portOption(address, port);
  try {
    return std::unique_ptr<OpsServer>(new OpsServer(std::make_unique<Server>(listening, std::move(pages))));
  } catch (const std::exception&) {
    return failure(ErrorKind::Invalid, "can't listen on " + listening +
                                           ": the port is taken, or the address is not this machine's");
  }
}

OpsServer::OpsServer(std::unique_ptr<Server> server) : server_(std::move(server)) {}

OpsServer::~OpsServer() = default;

int OpsServer::port() const { return server_->port(); }

}  // namespace slaq::telemetry
