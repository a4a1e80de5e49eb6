#include "ops/server.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ip/v6_only.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/context.hpp>
#include <chrono>
#include <deque>
#include <future>
#include <optional>
#include <thread>
#include <utility>

#include "ops/serving_certificate.h"
#include "ops/session.h"

namespace slaq::ops {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

// When there are more connections, the oldest is closed: new clients are served, however many others stall.
constexpr std::size_t kMostConnections = 256;
constexpr std::chrono::milliseconds kSentCheck{20};  // between two looks whether all events are sent

std::string nameOf(const Options& options) {
  const bool isV6 = options.address.find(':') != std::string::npos;
  return (isV6 ? "[" + options.address + "]" : options.address) + ":" + std::to_string(options.port);
}

}  // namespace

class Server::Impl {
 public:
  Impl(Options options, Pages pages)
      : options_(std::move(options)),
        pages_(std::move(pages)),
        files_{options_.certificateFile, options_.keyFile} {
    if (files_.certificate.empty()) return;
    tls_.emplace(asio::ssl::context::tls_server);
    showCertificate(*tls_, files_);
  }

  ~Impl() {
    context_.stop();
    if (thread_.joinable()) thread_.join();
  }

  // Throws when it cannot listen there.
  void listen() {
    const auto port = static_cast<unsigned short>(options_.port);
    if (!options_.address.empty()) {
      listenAt({asio::ip::make_address(options_.address), port});
    } else if (!listensOnBoth(port)) {
      listenAt({tcp::v4(), port});
    }
    accept();
    thread_ = std::thread([this] { context_.run(); });
  }

  int port() const { return acceptor_.local_endpoint().port(); }

  void endEvents(Seconds atMost) {
    const auto end = std::chrono::steady_clock::now() + atMost;
    while (std::chrono::steady_clock::now() < end && areTelling()) std::this_thread::sleep_for(kSentCheck);
  }

 private:
  void listenAt(const tcp::endpoint& endpoint) {
    if (!acceptor_.is_open()) acceptor_.open(endpoint.protocol());
    acceptor_.set_option(tcp::acceptor::reuse_address(true));
    acceptor_.bind(endpoint);
    acceptor_.listen();
  }

  // Opens one IPv6 socket that takes IPv4 connections too. Returns false on a machine without IPv6.
  bool listensOnBoth(unsigned short port) {
    error_code none;
    acceptor_.open(tcp::v6(), none);
    if (none) return false;
    acceptor_.set_option(asio::ip::v6_only(false));
    listenAt({tcp::v6(), port});
    return true;
  }

  void accept() {
    acceptor_.async_accept([this](error_code error, tcp::socket socket) {
      if (!error) begin(std::move(socket));
      accept();
    });
  }

  // True while a session sends events. Sessions belong to the server's thread.
  bool areTelling() {
    std::promise<bool> answer;
    asio::post(context_, [&] {
      bool any = false;
      for (const auto& each : sessions_) {
        const auto session = each.lock();
        if (session && session->endEvents()) any = true;
      }
      answer.set_value(any);
    });
    return answer.get_future().get();
  }

  void begin(tcp::socket socket) {
    std::erase_if(sessions_, [](const auto& session) { return session.expired(); });
    if (sessions_.size() >= kMostConnections) {
      if (const auto oldest = sessions_.front().lock()) oldest->close();
      sessions_.pop_front();
    }
    sessions_.push_back(serve(std::move(socket), tls_ ? &*tls_ : nullptr, options_, pages_));
  }

  const Options options_;
  const Pages pages_;
  CertificateFiles files_;
  asio::io_context context_{1};
  std::optional<asio::ssl::context> tls_;
  tcp::acceptor acceptor_{context_};
  std::deque<std::weak_ptr<Session>> sessions_;  // the oldest first
  std::thread thread_;
};

Result<std::unique_ptr<Server>> Server::listen(const Options& options, Pages pages) {
  if (!options.certificateFile.empty()) {
    if (const auto usable = check({options.certificateFile, options.keyFile}); !usable)
      return failure(usable.error());
  }
  auto server = std::make_unique<Impl>(options, std::move(pages));
  try {
    server->listen();
  } catch (const boost::system::system_error&) {
    return failure(ErrorKind::Invalid, "can't listen on " + nameOf(options) +
                                           ": the port is taken, or the address is not this machine's");
  }
  return std::unique_ptr<Server>(new Server(std::move(server)));
}

Server::Server(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Server::~Server() = default;

int Server::port() const { return impl_->port(); }

void Server::endEvents(Seconds atMost) { impl_->endEvents(atMost); }

}  // namespace slaq::ops
