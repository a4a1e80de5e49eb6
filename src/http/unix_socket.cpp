#include "http/unix_socket.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/beast/core/basic_stream.hpp>
#include <boost/beast/core/error.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <cerrno>
#include <cstring>
#include <utility>

#include "http/answer_head.h"

namespace slaq::http {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace messages = boost::beast::http;
using boost::system::error_code;
using SteadyClock = std::chrono::steady_clock;
using UnixStream = beast::basic_stream<asio::local::stream_protocol>;

constexpr std::string_view kScheme = "unix:";
constexpr std::uint32_t kLongestHead = 64 << 10;

// Anybody may make a socket where another user expects one.
bool isTrusted(int socket) {
  ucred peer{};
  socklen_t size = sizeof peer;
  return ::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 &&
         (peer.uid == 0 || peer.uid == ::geteuid());
}

// Waits if the queue of the server's socket is full. A socket that does not block would fail at once.
Result<int> connectTo(const std::string& path, Seconds patience) {
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (socket < 0) return failure(ErrorKind::Transient, std::strerror(errno));
  const auto micros = std::max<std::int64_t>(1, static_cast<std::int64_t>(patience.count() * 1e6));
  const timeval wait{micros / 1'000'000, micros % 1'000'000};
  ::setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &wait, sizeof wait);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  int refused = 0;
  do {
    refused = ::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 ? 0 : errno;
  } while (refused == EINTR);
  if (refused == 0 && isTrusted(socket)) return socket;
  ::close(socket);
  if (refused == 0)
    return failure(ErrorKind::Forbidden, "it is the server of another user, who is not root either");
  return failure(ErrorKind::Transient, refused == ECONNREFUSED ? "the connection is refused"
                                       : refused == EAGAIN     ? "the server takes no connection"
                                                               : std::strerror(refused));
}

messages::request<messages::string_body> messageOf(const HttpRequest& request, const HttpEndpoint& endpoint) {
  messages::request<messages::string_body> message;
  message.version(11);
  message.method_string(request.method);
  message.target(request.path.empty() ? "/" : request.path);
  message.set(messages::field::host, "localhost");
  message.set(messages::field::connection, "close");
  if (!request.contentType.empty()) message.set(messages::field::content_type, request.contentType);
  for (const auto* headers : {&endpoint.headers, &request.headers}) {
    for (const auto& [name, value] : *headers) message.set(name, value);
  }
  message.body() = request.body;
  message.prepare_payload();
  return message;
}

using Parser = messages::response_parser<messages::string_body>;

void finish(asio::io_context& context) {
  context.restart();
  context.run();
}

// The head by itself: with a body in one, the library forgets that the body is too long.
error_code readAnswer(asio::io_context& context, UnixStream& stream, Parser& parser) {
  beast::flat_buffer buffer;
  error_code problem;
  const auto note = [&](error_code error, std::size_t) { problem = error; };
  messages::async_read_header(stream, buffer, parser, note);
  finish(context);
  if (problem || parser.is_done()) return problem;
  messages::async_read(stream, buffer, parser, note);
  finish(context);
  return problem;
}

Error errorOf(error_code error, Seconds deadline, std::size_t longestBody) {
  if (error == beast::error::timeout)
    return {ErrorKind::Transient, "no whole answer within " + toDecimal(deadline.count(), 3) + " s"};
  if (error == messages::error::body_limit)
    return {ErrorKind::Malformed, "the answer is longer than " + std::to_string(longestBody) + " bytes"};
  const bool isCut = error == messages::error::end_of_stream || error == messages::error::partial_message;
  if (error.category() == make_error_code(messages::error::end_of_stream).category() && !isCut)
    return {ErrorKind::Malformed, "what came back is not HTTP"};
  return {ErrorKind::Transient, "the connection broke (" + error.message() + ")"};
}

HttpResponse responseOf(Parser& parser) {
  const auto header = [&](const char* name) {
    const auto found = parser.get().find(name);
    return found == parser.get().end() ? std::nullopt : std::optional(std::string(found->value()));
  };
  HttpResponse response = headOf(static_cast<int>(parser.get().result_int()), header);
  response.body = std::move(parser.get().body());
  return response;
}

// A server may refuse a request before it has read all of it, so that the rest can't be sent: its answer
// counts.
Result<HttpResponse> exchangeOver(int socket, const HttpEndpoint& endpoint, const HttpRequest& request,
                                  SteadyClock::time_point until) {
  asio::io_context context(1);
  UnixStream stream(context);
  stream.socket().assign(asio::local::stream_protocol(), socket);
  stream.expires_at(until);
  const auto message = messageOf(request, endpoint);
  error_code written;
  messages::async_write(stream, message, [&](error_code error, std::size_t) { written = error; });
  finish(context);
  const std::size_t longest =
      std::min(endpoint.maxBodyBytes, request.maxBodyBytes.value_or(endpoint.maxBodyBytes));
  Parser parser;
  parser.header_limit(kLongestHead);
  parser.body_limit(longest);
  parser.skip(request.method == "HEAD");
  const error_code read = readAnswer(context, stream, parser);
  if (read) return failure(errorOf(written ? written : read, request.deadline, longest));
  return responseOf(parser);
}

}  // namespace

std::optional<std::string> socketOf(const std::string& url) {
  if (!url.starts_with(kScheme)) return std::nullopt;
  return url.substr(kScheme.size());
}

Result<void> checkSocketPath(const std::string& path) {
  constexpr std::size_t kLongest = sizeof sockaddr_un{}.sun_path - 1;
  if (!path.starts_with('/'))
    return failure(ErrorKind::Invalid,
                   "'unix:" + path + "' can't be used: the path of a socket begins with /");
  if (path.size() > kLongest || path.find('\0') != std::string::npos)
    return failure(ErrorKind::Invalid, "'unix:" + printable(path) +
                                           "' can't be used: the path of a socket has " +
                                           std::to_string(kLongest) + " characters at most");
  return {};
}

Result<HttpResponse> sendToSocket(const HttpEndpoint& endpoint, const std::string& path,
                                  const HttpRequest& request) {
  const Seconds patience = std::min(request.deadline, Seconds(1e8));  // what the clock can still add
  const auto until = SteadyClock::now() + std::chrono::duration_cast<SteadyClock::duration>(patience);
  const auto socket = connectTo(path, patience);
  if (!socket) return failure(socket.error());
  try {
    return exchangeOver(*socket, endpoint, request, until);
  } catch (const std::exception& e) {
    return failure(ErrorKind::Invalid, e.what());
  }
}

}  // namespace slaq::http
