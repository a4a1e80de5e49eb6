#include "serve/page_server.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include "serve/connections.h"

namespace slaq::serve {

Result<std::unique_ptr<PageServer>> PageServer::start(int port, Handlers handlers) {
  const int socket = listenOnAll(port);
  if (socket >= 0) return std::unique_ptr<PageServer>(new PageServer(socket, std::move(handlers)));
  return failure(ErrorKind::Transient,
                 "port " + std::to_string(port) + " cannot be listened on: " + std::strerror(errno));
}

PageServer::PageServer(int socket, Handlers handlers)
    : handlers_(std::move(handlers)), loop_(socket, 0, [this](int client, const Request& request) {
        if (!request.head.starts_with("GET ")) return;
        if (answerWith(client, "200 OK", "text/plain; version=0.0.4", handlers_.page())) handlers_.sent();
      }) {}

int PageServer::port() const { return portOf(loop_.socket()); }

}  // namespace slaq::serve
