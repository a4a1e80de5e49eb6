#include "ops/session.h"

#include <boost/asio/buffer.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/steady_timer.hpp>
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

#include "ops/pages.h"

namespace slaq::ops {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using boost::system::error_code;

using Plain = beast::tcp_stream;
using Encrypted = asio::ssl::stream<beast::tcp_stream>;

constexpr std::uint32_t kLongestHead = 16 * 1024;
constexpr std::uint64_t kLongestBody = 4 * 1024;
constexpr std::chrono::milliseconds kLook{100};  // between two looks for an event
constexpr int kLooksInSilence = 150;  // then a comment is sent to find out whether the client is still there

std::string_view view(beast::string_view text) { return {text.data(), text.size()}; }

// The answer to a HEAD has a Content-Length and no body.
http::response<http::string_body> responseOf(Answer answer, http::verb method) {
  http::response<http::string_body> response(http::int_to_status(static_cast<unsigned>(answer.status)), 11);
  response.set(http::field::content_type, answer.type);
  response.set(http::field::cache_control, "no-store");
  response.set(http::field::connection, "close");
  if (answer.isGzip) response.set(http::field::content_encoding, "gzip");
  if (answer.status == 405) response.set(http::field::allow, "GET, HEAD");
  if (answer.status == 401) response.set(http::field::www_authenticate, "Bearer");
  response.set("X-Content-Type-Options", "nosniff");
  response.set("X-Frame-Options", "DENY");
  response.set("Referrer-Policy", "no-referrer");
  if (answer.events) return response;  // its body ends with the connection
  response.content_length(answer.body.size());
  if (method != http::verb::head) response.body() = std::move(answer.body);
  return response;
}

template <class Stream>
class SessionOver final : public Session, public std::enable_shared_from_this<SessionOver<Stream>> {
 public:
  template <class... Arguments>
  SessionOver(const Options& options, const Pages& pages, Arguments&&... stream)
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

  bool endEvents() override {
    isLastRound_ = true;
    return events_ && tcp().socket().is_open();
  }

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
    const Request asked{view(request.method_string()),
                        view(request.target()),
                        view(request[http::field::authorization]),
                        view(request[http::field::accept_encoding]),
                        view(request[http::field::host]),
                        view(request["Sec-Fetch-Site"])};
    Answer answer = answerTo(asked, options_, pages_);
    if (request.method() != http::verb::head) events_ = answer.events;
    response_ = responseOf(std::move(answer), request.method());
    serializer_.emplace(response_);
    events_ ? writeHead() : writeOn();
  }

  void writeHead() {
    renewDeadline();
    http::async_write_header(stream_, *serializer_,
                             [self = this->shared_from_this()](error_code error, std::size_t) {
                               if (!error) self->tellNext();
                             });
  }

  // Sends the next event, if there is one, as a server-sent event. After a long silence it sends a comment
  // instead, which fails if the client is gone.
  void tellNext() {
    auto event = nextEvent();
    if (event) {
      text_ = "data: " + *event + "\n\n";
    } else if (isLastRound_) {
      events_ = {};
      renewDeadline();
      end();
      return;
    } else if (++silence_ >= kLooksInSilence) {
      text_ = ": still there\n\n";
    } else {
      lookAgain();
      return;
    }
    silence_ = 0;
    written_ = 0;
    writeEventOn();
  }

  // Writes in steps, as writeOn() does.
  void writeEventOn() {
    renewDeadline();
    stream_.async_write_some(asio::buffer(text_) + written_, [self = this->shared_from_this()](
                                                                 error_code error, std::size_t count) {
      if (error) return;
      self->written_ += count;
      self->written_ == self->text_.size() ? self->lookAgain() : self->writeEventOn();
    });
  }

  // An exception ends the connection; the client connects again.
  std::optional<std::string> nextEvent() {
    try {
      return events_();
    } catch (const std::exception&) {
      close();
      return std::nullopt;
    }
  }

  void lookAgain() {
    tcp().expires_never();
    timer_.expires_after(kLook);
    timer_.async_wait([self = this->shared_from_this()](error_code error) {
      if (!error && self->tcp().socket().is_open()) self->tellNext();
    });
  }

  // Writes in steps, so that a client that reads slowly, but goes on, gets the whole answer: with many
  // thousand jobs it has megabytes.
  void writeOn() {
    renewDeadline();
    http::async_write_some(stream_, *serializer_,
                           [self = this->shared_from_this()](error_code error, std::size_t) {
                             if (error) return;
                             self->serializer_->is_done() ? self->end() : self->writeOn();
                           });
  }

  // Gives the client its time for the next step.
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

  const Options& options_;
  const Pages& pages_;
  Stream stream_;
  beast::flat_buffer buffer_;
  http::request_parser<http::string_body> parser_;
  http::response<http::string_body> response_;
  std::optional<http::response_serializer<http::string_body>> serializer_;
  Events events_;
  std::string text_;         // the event that is being written
  std::size_t written_ = 0;  // bytes of `text_`
  int silence_ = 0;          // looks since the last event
  bool isLastRound_ = false;
  asio::steady_timer timer_{stream_.get_executor()};
};

template <class Stream, class... Arguments>
std::weak_ptr<Session> begin(const Options& options, const Pages& pages, Arguments&&... stream) {
  const auto session =
      std::make_shared<SessionOver<Stream>>(options, pages, std::forward<Arguments>(stream)...);
  session->begin();
  return session;
}

}  // namespace

std::weak_ptr<Session> serve(asio::ip::tcp::socket socket, asio::ssl::context* tls, const Options& options,
                             const Pages& pages) {
  if (tls) return begin<Encrypted>(options, pages, std::move(socket), *tls);
  return begin<Plain>(options, pages, std::move(socket));
}

}  // namespace slaq::ops
