#include "http/client.h"

#include <algorithm>
#include <limits>
#include <mutex>
#include <utility>

#include "http/exchange.h"
#include "http/lines.h"
#include "http/server_url.h"
#include "http/transport.h"
#include "http/unix_socket.h"

namespace slaq::http {

namespace {

// The sender of a stream is slowed down when the reader is this many bytes behind.
constexpr std::size_t kUnreadStreamBytes = 1u << 20;

Exchange::Clock::time_point after(Seconds wait) {
  const Seconds bounded = std::min(wait, Seconds(1e8));  // what the clock can still add
  return Exchange::Clock::now() + std::chrono::duration_cast<Exchange::Clock::duration>(bounded);
}

Error aboutRequest(const std::string& url, const HttpRequest& request, const Error& error) {
  const std::string path = request.path.substr(0, request.path.find('?'));
  return {error.kind, request.method + " " + url + path + ": " + error.message};
}

// Closes the connection and refuses all further bytes when the waiting thread stops to wait.
class Leaving {
 public:
  Leaving(std::shared_ptr<Exchange> exchange, std::function<void()> cancel)
      : exchange_(std::move(exchange)), cancel_(std::move(cancel)) {}
  ~Leaving() {
    const bool whole = exchange_->ended() && !exchange_->error();
    exchange_->leave();
    if (!whole) cancel_();
  }
  Leaving(const Leaving&) = delete;
  Leaving& operator=(const Leaving&) = delete;

 private:
  std::shared_ptr<Exchange> exchange_;
  std::function<void()> cancel_;
};

class CpprestClient final : public HttpClient {
 public:
  CpprestClient(std::string url, std::size_t maxBodyBytes, Result<std::unique_ptr<Transport>> transport)
      : url_(std::move(url)), maxBodyBytes_(maxBodyBytes), transport_(std::move(transport)) {}

  Result<HttpResponse> send(const HttpRequest& request) override {
    if (!transport_) return failure(transport_.error());
    const auto deadline = after(request.deadline);
    const std::size_t longest = std::min(maxBodyBytes_, request.maxBodyBytes.value_or(maxBodyBytes_));
    const auto exchange = std::make_shared<Exchange>(std::numeric_limits<std::size_t>::max(), longest);
    const Leaving leaving(exchange, (*transport_)->begin(request, AnswerKind::Whole, exchange));
    return wholeAnswer(request, *exchange, deadline);
  }

  Result<HttpResponse> stream(const HttpRequest& request,
                              const std::function<bool(const std::string& line)>& onLine,
                              std::stop_token stop) override {
    if (!transport_) return failure(transport_.error());
    const auto exchange = std::make_shared<Exchange>(kUnreadStreamBytes, maxBodyBytes_ + kUnreadStreamBytes);
    const std::stop_callback wake(stop, [&exchange] { exchange->interrupt(); });
    const Leaving leaving(exchange, (*transport_)->begin(request, AnswerKind::Stream, exchange));
    if (!exchange->waitForHead(after(request.deadline))) {
      if (exchange->interrupted()) return explain(request, {ErrorKind::Transient, "stopped"});
      return explain(request, silence(request));
    }
    const auto head = exchange->head();
    if (!head) return explain(request, *exchange->error());
    if (head->status != 200) return refusal(request, *exchange);
    return readLines(request, *exchange, onLine);
  }

 private:
  Result<HttpResponse> wholeAnswer(const HttpRequest& request, Exchange& exchange,
                                   Exchange::Clock::time_point deadline) const {
    if (!exchange.waitForEnd(deadline)) {
      if (exchange.interrupted()) return explain(request, {ErrorKind::Transient, "stopped"});
      return explain(request, silence(request));
    }
    if (auto error = exchange.error()) return explain(request, *error);
    HttpResponse response = *exchange.head();
    response.body = exchange.take();
    return response;
  }

  // A short body that tells why there is no stream. A long one is given up when the exchange is full.
  Result<HttpResponse> refusal(const HttpRequest& request, Exchange& exchange) const {
    return wholeAnswer(request, exchange, after(request.deadline));
  }

  Result<HttpResponse> readLines(const HttpRequest& request, Exchange& exchange,
                                 const std::function<bool(const std::string&)>& onLine) const {
    LineCutter lines(maxBodyBytes_);
    while (exchange.waitForBytes(after(request.deadline))) {
      const std::string bytes = exchange.take();
      if (bytes.empty()) break;  // the end, and nothing left before it
      switch (lines.feed(bytes,
                         [&](const std::string& line) { return !exchange.interrupted() && onLine(line); })) {
        case LineCutter::Outcome::More:
          break;
        case LineCutter::Outcome::Stopped:
          return *exchange.head();
        case LineCutter::Outcome::TooLong:
          return explain(request, {ErrorKind::Malformed,
                                   "a line is longer than " + std::to_string(maxBodyBytes_) + " bytes"});
      }
    }
    if (exchange.interrupted()) return *exchange.head();
    if (auto error = exchange.error()) return explain(request, *error);
    if (exchange.ended()) return *exchange.head();
    return explain(
        request, {ErrorKind::Transient, "nothing came for " + toDecimal(request.deadline.count(), 3) + " s"});
  }

  static Error silence(const HttpRequest& request) {
    return {ErrorKind::Transient, "no whole answer within " + toDecimal(request.deadline.count(), 3) + " s"};
  }

  tl::unexpected<Error> explain(const HttpRequest& request, const Error& error) const {
    return failure(aboutRequest(url_, request, error));
  }

  const std::string url_;
  const std::size_t maxBodyBytes_;
  const Result<std::unique_ptr<Transport>> transport_;
};

class UnixClient final : public HttpClient {
 public:
  UnixClient(HttpEndpoint endpoint, std::string path)
      : endpoint_(std::move(endpoint)), path_(std::move(path)) {}

  Result<HttpResponse> send(const HttpRequest& request) override {
    if (const auto usable = checkSocketPath(path_); !usable) return failure(usable.error());
    auto response = sendToSocket(endpoint_, path_, request);
    if (!response) return failure(aboutRequest(endpoint_.url, request, response.error()));
    return response;
  }

  Result<HttpResponse> stream(const HttpRequest& request, const std::function<bool(const std::string&)>&,
                              std::stop_token) override {
    return failure(aboutRequest(endpoint_.url, request,
                                {ErrorKind::Invalid, "a Unix socket is asked for whole answers alone"}));
  }

 private:
  const HttpEndpoint endpoint_;
  const std::string path_;
};

class RenewingClient final : public HttpClient {
 public:
  RenewingClient(HttpEndpoint endpoint, ClientFactory make)
      : endpoint_(std::move(endpoint)),
        make_(std::move(make)),
        known_(endpoint_.certificates(Reading::Kept)),
        client_(make_(endpointWith(known_))) {}

  Result<HttpResponse> send(const HttpRequest& request) override { return noted(current()->send(request)); }

  Result<HttpResponse> stream(const HttpRequest& request,
                              const std::function<bool(const std::string&)>& onLine,
                              std::stop_token stop) override {
    return noted(current()->stream(request, onLine, stop));
  }

 private:
  // Requests under way keep the client that they began with. A certificate and its key are two files, which
  // may be replaced one after the other: until they fit, the former client goes on.
  std::shared_ptr<HttpClient> current() {
    const std::lock_guard lock(mutex_);
    Certificates now = endpoint_.certificates(Reading::Kept);
    if (now == known_) return client_;
    known_ = std::move(now);
    const HttpEndpoint next = endpointWith(known_);
    if (check(next)) client_ = make_(next);
    return client_;
  }

  HttpEndpoint endpointWith(const Certificates& certificates) const {
    HttpEndpoint endpoint = endpoint_;
    endpoint.caPem = certificates.caPem;
    endpoint.clientCertificatePem = certificates.clientCertificatePem;
    endpoint.clientKeyPem = certificates.clientKeyPem;
    return endpoint;
  }

  // A server that is no longer trusted may have a certificate of a new authority.
  Result<HttpResponse> noted(Result<HttpResponse> response) {
    if (!response && response.error().kind == ErrorKind::Forbidden) endpoint_.certificates(Reading::Fresh);
    return response;
  }

  std::mutex mutex_;
  const HttpEndpoint endpoint_;
  const ClientFactory make_;
  Certificates known_;
  std::shared_ptr<HttpClient> client_;
};

std::unique_ptr<HttpClient> makeClient(const HttpEndpoint& endpoint) {
  if (const auto socket = socketOf(endpoint.url)) return std::make_unique<UnixClient>(endpoint, *socket);
  auto transport = makeTransport(endpoint);
  return std::make_unique<CpprestClient>(withoutUser(endpoint.url), endpoint.maxBodyBytes,
                                         std::move(transport));
}

}  // namespace

std::unique_ptr<HttpClient> makeHttpClient(const HttpEndpoint& endpoint) {
  return endpoint.certificates ? makeRenewingClient(endpoint, makeClient) : makeClient(endpoint);
}

Result<void> check(const HttpEndpoint& endpoint) {
  if (const auto socket = socketOf(endpoint.url)) return checkSocketPath(*socket);
  const auto transport = makeTransport(endpoint);
  if (!transport) return failure(transport.error());
  return {};
}

std::unique_ptr<HttpClient> makeRenewingClient(HttpEndpoint endpoint, ClientFactory make) {
  return std::make_unique<RenewingClient>(std::move(endpoint), std::move(make));
}

}  // namespace slaq::http
