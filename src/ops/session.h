// One connection to the operations server: one request, one answer, some seconds at most.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <memory>

#include "ops/options.h"

namespace slaq::ops {

class Session {
 public:
  virtual ~Session() = default;
  // Ends the session whatever it waits for.
  virtual void close() = 0;
  // Has the stream of events end as soon as there is no further event. True while it sends events.
  virtual bool endEvents() = 0;
};

// Begins to serve a connection, over TLS if there is a context for it. The session lives until it has
// answered, its time is over, or it is closed. All of it runs on the socket's one thread. `options` and
// `pages` outlive it.
std::weak_ptr<Session> serve(boost::asio::ip::tcp::socket socket, boost::asio::ssl::context* tls,
                             const Options& options, const Pages& pages);

}  // namespace slaq::ops
