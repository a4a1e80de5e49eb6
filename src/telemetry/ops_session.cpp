#include "telemetry/ops_session.h"

#include <boost/asio/ssl/stream.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/serializer.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <chrono>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

#include "telemetry/ops_pages.h"

namespace slaq::telemetry {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using boost::system::error_code;

using Plain = beast::tcp_stream;
using Encrypted = asio::ssl::stream<beast::tcp_stream>;

constexpr std::uint32_t kLongestHead = 16 * 1024;
constexpr std::uint64_t kLongestBody = 4 * 1024;

std::string_view view(beast::string_view text) { return {text.data(), text.size()}; }

// The answer to a HEAD has a Content-Length and no body.
http::response<http::string_body> responseOf(OpsAnswer answer, http::verb method) {
  http::response<http::string_body> response(http::int_to_status(static_cast<unsigned>(answer.status)), 11);
  response.set(http::field::content_type, answer.type);
  response.set(http::field::cache_control, "no-store");
  response.set(http::field::connection, "close");
  if (answer.isGzip) response.set(http::field::content_encoding, "gzip");
  if (answer.status == 405) response.set(http::field::allow, "GET, HEAD");
  if (answer.status == 401) response.set(http::field::www_authenticate, "Bearer");
  response.content_length(answer.body.size());
  if (method != http::verb::head) response.body() = std::move(answer.body);
  return response;
}

template <class Stream>
class Session final : public OpsSession, public std::enable_shared_from_this<Session<Stream>> {
 public:
  template <class... Arguments>
  Session(const OpsOptions& options, const OpsPages& pages, Arguments&&... stream)
      : options_(options), pages_(pages), stream_(std::forward<Arguments>(stream)...) {
    parser_.header_limit(kLongestHead);
    parser_.body_limit(kLongestBody);
  }

  void begin() {
    renewDeadline();
    if constexpr (std::is_same_v<Stream, Encrypted>) {
      stream_.async_handshake(asio::ssl::stream_base::server,
                              [self = this->shared_from_this()](error_code error) {
                                if (!error) self->read();
                              });
    } else {
      read();
    }
  }

  void close() override { tcp().close(); }

 private:
  Plain& tcp() { return beast::get_lowest_layer(stream_); }

  void read() {
    http::async_read(stream_, buffer_, parser_,
                     [self = this->shared_from_this()](error_code error, std::size_t) {
                       if (!error) self->answer();
                     });
  }

  void answer() {
    const auto& request = parser_.get();
    const OpsRequest asked{view(request.method_string()), view(request.target()),
                           view(request[http::field::authorization]),
                           view(request[http::field::accept_encoding])};
    response_ = responseOf(answerTo(asked, options_, pages_), request.method());
    serializer_.emplace(response_);
    writeOn();
  }

  // In steps, since a client that reads slowly, but goes on, is to get all: that of many thousand jobs is of
  // megabytes.
  void writeOn() {
    renewDeadline();
    http::async_write_some(stream_, *serializer_,
                           [self = this->shared_from_this()](error_code error, std::size_t) {
                             if (error) return;
                             self->serializer_->is_done() ? self->end() : self->writeOn();
                           });
  }

  // For the next step of the client.
  void renewDeadline() {
    tcp().expires_after(std::chrono::duration_cast<std::chrono::nanoseconds>(options_.patience));
  }

  // The client closes first, so that it has read all of the answer.
  void end() {
    if constexpr (std::is_same_v<Stream, Encrypted>) {
      stream_.async_shutdown([self = this->shared_from_this()](error_code) {});
    } else {
      error_code ignored;
      tcp().socket().shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
    }
  }

  const OpsOptions& options_;
  const OpsPages& pages_;
  Stream stream_;
  beast::flat_buffer buffer_;
  http::request_parser<http::string_body> parser_;
  http::response<http::string_body> response_;
  std::optional<http::response_serializer<http::string_body>> serializer_;
};

template <class Stream, class... Arguments>
std::weak_ptr<OpsSession> begin(const OpsOptions& options, const OpsPages& pages, Arguments&&... stream) {
  const auto session = std::make_shared<Session<Stream>>(options, pages, std::forward<Arguments>(stream)...);
  session->begin();
  return session;
}

}  // namespace

std::weak_ptr<OpsSession> serve(asio::ip::tcp::socket socket, asio::ssl::context* tls,
                                const OpsOptions& options, const OpsPages& pages) {
  if (tls) return begin<Encrypted>(options, pages, std::move(socket), *tls);
  return begin<Plain>(options, pages, std::move(socket));
}

}  // namespace slaq::telemetry
