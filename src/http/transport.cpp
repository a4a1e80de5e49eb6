#include "http/transport.h"

#include <cpprest/astreambuf.h>
#include <cpprest/http_client.h>
#include <openssl/err.h>
#include <pplx/threadpool.h>

#include <condition_variable>
#include <memory>
#include <mutex>
#include <string_view>
#include <utility>

#include "http/answer_head.h"
#include "http/server_url.h"
#include "http/trust.h"

namespace slaq::http {

namespace {

// All clients of the process share two threads. They only move bytes; all other work is done by the callers.
constexpr std::size_t kPoolThreads = 2;
// The library's time-outs apply to each read or write. They are only a fallback for our deadlines.
constexpr std::chrono::minutes kIdleWhole{5};
constexpr std::chrono::minutes kIdleStream{60};

void startPool() {
  static std::once_flag once;
  std::call_once(once, [] { crossplat::threadpool::initialize_with_threads(kPoolThreads); });
}

// The library writes a response's body here, and has to wait while the reader is behind.
class BodySink final : public Concurrency::streams::details::streambuf_state_manager<std::uint8_t> {
  using Base = Concurrency::streams::details::streambuf_state_manager<std::uint8_t>;

 public:
  explicit BodySink(std::shared_ptr<Exchange> exchange)
      : Base(std::ios_base::out), exchange_(std::move(exchange)) {}

  pplx::task<size_t> putn_nocopy(const std::uint8_t* bytes, size_t count) override {
    const pplx::task_completion_event<size_t> taken;
    const std::string_view text(reinterpret_cast<const char*>(bytes), count);
    switch (exchange_->write(text, [taken, count] { taken.set(count); })) {
      case Exchange::Verdict::Taken:
        return pplx::task_from_result(count);
      case Exchange::Verdict::Later:
        return pplx::create_task(taken);
      case Exchange::Verdict::Refused:
        break;
    }
    return pplx::task_from_exception<size_t>(web::http::http_exception("the reader has left"));
  }
  pplx::task<size_t> putn(const std::uint8_t* bytes, size_t count) override {
    return putn_nocopy(bytes, count);
  }

  bool can_seek() const override { return false; }
  bool has_size() const override { return false; }
  size_t buffer_size(std::ios_base::openmode) const override { return 0; }
  void set_buffer_size(size_t, std::ios_base::openmode) override {}
  size_t in_avail() const override { return 0; }
  pos_type getpos(std::ios_base::openmode) const override { return pos_type(-1); }
  pos_type seekpos(pos_type, std::ios_base::openmode) override { return pos_type(-1); }
  pos_type seekoff(off_type, std::ios_base::seekdir, std::ios_base::openmode) override {
    return pos_type(-1);
  }
  bool acquire(std::uint8_t*&, size_t&) override { return false; }
  void release(std::uint8_t*, size_t) override {}

 private:
  // Nothing is ever read from it.
  static pplx::task<int_type> nothing() { return pplx::task_from_result<int_type>(traits::eof()); }
  pplx::task<int_type> _putc(std::uint8_t byte) override {
    return putn_nocopy(&byte, 1).then([byte](size_t) { return static_cast<int_type>(byte); });
  }
  pplx::task<size_t> _putn(const std::uint8_t* bytes, size_t count) override {
    return putn_nocopy(bytes, count);
  }
  pplx::task<int_type> _bumpc() override { return nothing(); }
  int_type _sbumpc() override { return traits::eof(); }
  pplx::task<int_type> _getc() override { return nothing(); }
  int_type _sgetc() override { return traits::eof(); }
  pplx::task<int_type> _nextc() override { return nothing(); }
  pplx::task<int_type> _ungetc() override { return nothing(); }
  pplx::task<size_t> _getn(std::uint8_t*, size_t) override { return pplx::task_from_result<size_t>(0); }
  size_t _scopy(std::uint8_t*, size_t) override { return 0; }
  pplx::task<bool> _sync() override { return pplx::task_from_result(true); }
  std::uint8_t* _alloc(size_t) override { return nullptr; }
  void _commit(size_t) override {}

  std::shared_ptr<Exchange> exchange_;
};

// The library distinguishes its own errors by text, and OpenSSL's by codes that are no errno.
Error describe(const web::http::http_exception& problem, const Trust* trust) {
  const std::string_view what = problem.what();
  const auto code = static_cast<unsigned long>(static_cast<unsigned>(problem.error_code().value()));
  if (trust != nullptr && ERR_GET_LIB(code) == ERR_LIB_SSL &&
      ERR_GET_REASON(code) != SSL_R_UNEXPECTED_EOF_WHILE_READING) {
    return {ErrorKind::Forbidden, trust->describe(code)};
  }
  if (what.starts_with("Invalid")) return {ErrorKind::Malformed, "what came back is not HTTP"};
  if (what.starts_with("Error resolving") || what.starts_with("Failed to resolve")) {
    return {ErrorKind::Transient, "the host's name can't be resolved"};
  }
  if (what.starts_with("Failed to connect")) return {ErrorKind::Transient, "the connection is refused"};
  return {ErrorKind::Transient, "the connection broke (" + std::string(what) + ")"};
}

Error describe(const std::exception_ptr& problem, const Trust* trust) {
  try {
    std::rethrow_exception(problem);
  } catch (const web::http::http_exception& e) {
    return describe(e, trust);
  } catch (const std::exception& e) {
    return {ErrorKind::Transient, e.what()};
  } catch (...) {
    return {ErrorKind::Transient, "the request failed"};
  }
}

std::string withoutEnd(std::string text) {
  text.erase(text.find_last_not_of(" \t\r\n") + 1);
  return text;
}

// Counts the requests whose last continuation still lives in the library's threads.
class UnderWay {
 public:
  // Held by a request's continuations.
  static std::shared_ptr<void> enter(const std::shared_ptr<UnderWay>& all) {
    const std::lock_guard lock(all->mutex_);
    ++all->count_;
    return {nullptr, [all](void*) { all->leave(); }};
  }

  void waitForNone(std::chrono::milliseconds bound) {
    std::unique_lock lock(mutex_);
    none_.wait_for(lock, bound, [this] { return count_ == 0; });
  }

 private:
  void leave() {
    const std::lock_guard lock(mutex_);
    if (--count_ == 0) none_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable none_;
  int count_ = 0;
};

// The library looks up the name of a host as it stands in the URL, and no resolver knows an IPv6 address in
// brackets: the URL without them.
web::uri resolvable(const ServerUrl& url) {
  web::uri_builder builder;
  builder.set_scheme(url.scheme).set_host(url.host);
  if (url.port != 0) builder.set_port(url.port);
  return builder.to_uri();
}

web::web_proxy proxyAt(const ServerUrl& url) {
  web::web_proxy proxy(resolvable(url));
  if (!url.user.empty()) proxy.set_credentials({url.user, url.password});
  return proxy;
}

class CpprestTransport final : public Transport {
 public:
  CpprestTransport(const HttpEndpoint& endpoint, const Route& route, std::shared_ptr<Trust> trust)
      : endpoint_(endpoint),
        host_(route.server.hostHeader()),
        trust_(std::move(trust)),
        whole_(resolvable(route.server), configure(route, kIdleWhole)),
        stream_(resolvable(route.server), configure(route, kIdleStream)) {}

  // Cancelled requests end within milliseconds. Only a name look-up can delay one, and it ends by itself.
  ~CpprestTransport() override { underWay_->waitForNone(std::chrono::seconds(1)); }

  std::function<void()> begin(const HttpRequest& request, AnswerKind kind,
                              const std::shared_ptr<Exchange>& exchange) override {
    const pplx::cancellation_token_source source;
    try {
      receive((kind == AnswerKind::Stream ? stream_ : whole_), translate(request, exchange),
              source.get_token(), exchange);
    } catch (const web::uri_exception& e) {
      exchange->finish(Error{ErrorKind::Invalid, "the path is not one of HTTP: " + std::string(e.what())});
    } catch (...) {
      exchange->finish(describe(std::current_exception(), trust_.get()));
    }
    return [source] { source.cancel(); };
  }

 private:
  web::http::client::http_client_config configure(const Route& route, std::chrono::minutes idle) const {
    web::http::client::http_client_config config;
    config.set_timeout(idle);
    config.set_max_redirects(0);  // a redirect would carry the token to another host
    config.set_validate_certificates(!endpoint_.insecureSkipVerify);
    config.set_tlsext_sni_enabled(false);  // Trust says the name
    if (route.proxy) config.set_proxy(proxyAt(*route.proxy));
    config.set_ssl_context_callback([trust = trust_](boost::asio::ssl::context& context) {
      if (auto applied = trust->apply(context.native_handle()); !applied) {
        throw web::http::http_exception(applied.error().message);
      }
    });
    return config;
  }

  web::http::http_request translate(const HttpRequest& request,
                                    const std::shared_ptr<Exchange>& exchange) const {
    web::http::http_request translated(request.method);
    translated.set_request_uri(web::uri(request.path));
    translated.headers().add("User-Agent", "slaq/1");  // who manages the fields that are written
    translated.headers().add("Host", host_);
    for (const auto& [name, value] : endpoint_.headers) translated.headers().add(name, value);
    for (const auto& [name, value] : request.headers) translated.headers().add(name, value);
    if (const std::string who = authorization(); !who.empty()) translated.headers().add("Authorization", who);
    if (!request.body.empty()) translated.set_body(request.body, request.contentType);
    const Concurrency::streams::streambuf<std::uint8_t> sink(std::make_shared<BodySink>(exchange));
    translated.set_response_stream(sink.create_ostream());
    return translated;
  }

  std::string authorization() const {
    if (endpoint_.userAndPassword) {
      const std::string text = endpoint_.userAndPassword();
      return "Basic " + utility::conversions::to_base64({text.begin(), text.end()});
    }
    const std::string token = endpoint_.bearerToken ? withoutEnd(endpoint_.bearerToken()) : "";
    return token.empty() ? "" : "Bearer " + token;
  }

  // The last continuation observes its task, since an unobserved exception would end the process.
  void receive(web::http::client::http_client& client, const web::http::http_request& request,
               const pplx::cancellation_token& token, const std::shared_ptr<Exchange>& exchange) const {
    const std::shared_ptr<void> here = UnderWay::enter(underWay_);
    client.request(request, token)
        .then([exchange, trust = trust_, here](const pplx::task<web::http::http_response>& headers) {
          try {
            const web::http::http_response response = headers.get();
            const auto header = [&](const char* name) {
              const auto found = response.headers().find(name);
              return found == response.headers().end() ? std::nullopt : std::optional(found->second);
            };
            exchange->begin(headOf(response.status_code(), header));
            response.content_ready().then(
                [exchange, trust, here](const pplx::task<web::http::http_response>& body) {
                  try {
                    body.get();
                    exchange->finish(std::nullopt);
                  } catch (...) {
                    exchange->finish(describe(std::current_exception(), trust.get()));
                  }
                });
          } catch (...) {
            exchange->finish(describe(std::current_exception(), trust.get()));
          }
        });
  }

  const HttpEndpoint endpoint_;
  const std::string host_;  // the header
  const std::shared_ptr<Trust> trust_;
  const std::shared_ptr<UnderWay> underWay_ = std::make_shared<UnderWay>();
  web::http::client::http_client whole_;
  web::http::client::http_client stream_;
};

}  // namespace

Result<std::unique_ptr<Transport>> makeTransport(const HttpEndpoint& endpoint) {
  const auto route = routeTo(endpoint);
  if (!route) return failure(route.error());
  auto trust = Trust::read(endpoint, route->server.host);
  if (!trust) return failure(trust.error());
  try {
    startPool();
    return std::make_unique<CpprestTransport>(endpoint, *route, std::move(*trust));
  } catch (const std::exception& e) {
    return failure(ErrorKind::Invalid, "'" + endpoint.url + "' can't be used: " + e.what());
  }
}

}  // namespace slaq::http
