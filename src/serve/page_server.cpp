#include "serve/page_server.h"

#include <unistd.h>

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
    : socket_(socket),
      handlers_(std::move(handlers)),
      thread_([this](const std::stop_token& stop) { serve(stop); }) {}

PageServer::~PageServer() {
  thread_.request_stop();
  thread_.join();
  ::close(socket_);
}

int PageServer::port() const { return portOf(socket_); }

void PageServer::serve(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    const int client = acceptSoon(socket_);
    if (client < 0) continue;
    answer(client);
    ::close(client);
  }
}

void PageServer::answer(int client) {
  const auto request = readHead(client);
  if (!request || !request->head.starts_with("GET ")) return;
  if (answerWith(client, "200 OK", "text/plain; version=0.0.4", handlers_.page())) handlers_.sent();
}

}  // namespace slaq::serve
