// One TCP connection that carries whole messages. It says Alive every second and closes when the other
// side has been silent for several: a peer whose machine has gone sends no end of its own. A killed process
// is noticed at once, because its kernel closes the connection.
#pragma once

#include <array>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "trainer/protocol/message.h"

namespace slaq::trainer::net {

// The thread of the socket's executor calls everything.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  using Bytes = std::shared_ptr<const std::string>;
  using Socket = boost::asio::ip::tcp::socket;

  struct Handlers {
    std::function<void(protocol::Message)> onMessage;  // never Alive
    std::function<void()> onClose;                     // once, and not when close() was called
  };

  explicit Connection(Socket socket);

  void start(Handlers handlers);
  void send(const protocol::Message& message);
  void send(Bytes bytes);
  void close();

 private:
  using Instant = std::chrono::steady_clock::time_point;

  void read();
  void deliver();
  bool deliverNext();
  void write();
  void beat();
  void lose();

  Socket socket_;
  boost::asio::steady_timer pulse_;
  Handlers handlers_;
  std::array<char, 1 << 16> arriving_;
  std::string incoming_;          // what has arrived and is not a whole message yet
  std::vector<Bytes> waiting_;    // to be written next, all at once
  std::vector<Bytes> departing_;  // being written
  Instant heard_ = std::chrono::steady_clock::now();
};

}  // namespace slaq::trainer::net
