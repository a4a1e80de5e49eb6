#include "trainer/net/connection.h"

#include <boost/asio/buffer.hpp>
#include <boost/asio/write.hpp>
#include <utility>

namespace slaq::trainer::net {
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
  read();
  beat();
}

void Connection::read() {
  socket_.async_read_some(asio::buffer(arriving_),
                          [this, self = shared_from_this()](error_code error, std::size_t size) {
                            if (error) return lose();
                            heard_ = std::chrono::steady_clock::now();
                            incoming_.append(arriving_.data(), size);
                            deliver();
                          });
}

void Connection::deliver() {
  while (deliverNext()) {
  }
  if (socket_.is_open()) read();
}

// Whether there was a whole message.
bool Connection::deliverNext() {
  if (!socket_.is_open() || incoming_.size() < protocol::kLengthBytes) return false;
  const auto length = protocol::decodeLength(std::string_view(incoming_).substr(0, protocol::kLengthBytes));
  if (!length) return lose(), false;
  if (incoming_.size() < protocol::kLengthBytes + *length) return false;
  auto message = protocol::decodeBody(std::string_view(incoming_).substr(protocol::kLengthBytes, *length));
  if (!message) return lose(), false;
  incoming_.erase(0, protocol::kLengthBytes + *length);
  // A copy, because the handler may close the connection, which drops the handlers.
  const auto onMessage = handlers_.onMessage;
  if (onMessage && !std::holds_alternative<protocol::Alive>(*message)) onMessage(std::move(*message));
  return true;
}

void Connection::send(const protocol::Message& message) {
  send(std::make_shared<const std::string>(protocol::encode(message)));
}

void Connection::send(Bytes bytes) {
  if (!socket_.is_open()) return;
  waiting_.push_back(std::move(bytes));
  if (departing_.empty()) write();
}

void Connection::write() {
  departing_.swap(waiting_);
  std::vector<asio::const_buffer> buffers;
  for (const Bytes& bytes : departing_) buffers.push_back(asio::buffer(*bytes));
  asio::async_write(socket_, buffers, [this, self = shared_from_this()](error_code error, std::size_t) {
    if (error) return lose();
    departing_.clear();
    if (!waiting_.empty()) write();
  });
}

void Connection::beat() {
  if (std::chrono::steady_clock::now() - heard_ > kSilence) return lose();
  send(protocol::Alive{});
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

}  // namespace slaq::trainer::net
