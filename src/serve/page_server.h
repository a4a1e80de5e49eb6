// An HTTP server for one page of text, on a thread of its own.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/result.h"
#include "serve/request_loop.h"

namespace slaq::serve {

class PageServer {
 public:
  // Both are called on the server's thread, one request after the other: `page` for the text of the answer,
  // and `sent` once a client has got all of it.
  struct Handlers {
    std::function<std::string()> page;
    std::function<void()> sent = [] {};
  };

  // Listens on all addresses of IPv4 and IPv6; port 0 takes any free port. Transient if another process has
  // the port. Everything that the handlers use outlives the server.
  static Result<std::unique_ptr<PageServer>> start(int port, Handlers handlers);
  PageServer(const PageServer&) = delete;
  PageServer& operator=(const PageServer&) = delete;

  int port() const;

 private:
  PageServer(int socket, Handlers handlers);
  const Handlers handlers_;
  RequestLoop loop_;  // the last member: it uses all the others
};

}  // namespace slaq::serve
