#include "trainer/connection.h"

#include <boost/asio/buffer.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <utility>

namespace slaq::trainer {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;

constexpr std::chrono::seconds kPulse{1};
// Long enough for a worker that shares a fifth of a busy CPU.
constexpr std::chrono::seconds kSilence{8};

}  // namespace

Connection::Connection(Socket socket) : socket_(std::move(socket)), pulse_(socket_.get_executor()) {
  error_code ignored;
  socket_.set_option(asio::ip::tcp::no_delay(true), ignored);
}

void Connection::start(Handlers handlers) {
  handlers_ = std::move(handlers);
  readLength();
  beat();
}

void Connection::readLength() {
  incoming_.resize(kLengthBytes);
  asio::async_read(socket_, asio::buffer(incoming_),
                   [this, self = shared_from_this()](error_code error, std::size_t) {
                     if (error) return lose();
                     const auto length = decodeLength(incoming_);
                     length ? readBody(*length) : lose();
                   });
}

void Connection::readBody(std::size_t length) {
  incoming_.resize(length);
  asio::async_read(socket_, asio::buffer(incoming_),
                   [this, self = shared_from_this()](error_code error, std::size_t) {
                     error ? lose() : deliver();
                   });
}

void Connection::deliver() {
  heard_ = std::chrono::steady_clock::now();
  auto message = decodeBody(incoming_);
  if (!message) return lose();
  // A copy, because the handler may close the connection, which drops the handlers.
  const auto onMessage = handlers_.onMessage;
  if (onMessage && !std::holds_alternative<Alive>(*message)) onMessage(std::move(*message));
  if (socket_.is_open()) readLength();
}

void Connection::send(Bytes bytes) {
  if (!socket_.is_open()) return;
  queue_.push_back(std::move(bytes));
  if (queue_.size() == 1) write();
}

void Connection::write() {
  asio::async_write(socket_, asio::buffer(*queue_.front()),
                    [this, self = shared_from_this()](error_code error, std::size_t) {
                      if (error) return lose();
                      queue_.pop_front();
                      if (!queue_.empty()) write();
                    });
}

void Connection::beat() {
  if (std::chrono::steady_clock::now() - heard_ > kSilence) return lose();
  send(Alive{});
  pulse_.expires_after(kPulse);
  pulse_.async_wait([this, self = shared_from_this()](error_code error) {
    if (!error && socket_.is_open()) beat();
  });
}

void Connection::lose() {
  const auto onClose = std::exchange(handlers_.onClose, nullptr);
  close();
  if (onClose) onClose();
}

void Connection::close() {
  handlers_ = {};
  pulse_.cancel();
  error_code ignored;
  socket_.close(ignored);
}

}  // namespace slaq::trainer
