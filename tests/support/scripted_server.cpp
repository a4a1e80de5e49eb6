#include "support/scripted_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <csignal>
#include <cstdint>

#include "support/require.h"

namespace slaq::test {

namespace {

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

ReceivedRequest parseHead(std::string_view head) {
  ReceivedRequest request;
  std::size_t end = head.find("\r\n");
  const std::string_view first = head.substr(0, end);
  const std::size_t space = first.find(' ');
  request.method = first.substr(0, space);
  request.path = first.substr(space + 1, first.rfind(' ') - space - 1);
  while (end != std::string_view::npos && end + 2 < head.size()) {
    head.remove_prefix(end + 2);
    end = head.find("\r\n");
    const std::string_view line = head.substr(0, end);
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    const std::size_t value = std::min(line.find_first_not_of(' ', colon + 1), line.size());
    request.headers[lower(std::string(line.substr(0, colon)))] = line.substr(value);
  }
  return request;
}

class Wire : public Connection {
 public:
  std::optional<ReceivedRequest> receive() override {
    std::size_t end = 0;
    while ((end = buffer_.find("\r\n\r\n")) == std::string::npos) {
      if (!fill()) return std::nullopt;
    }
    ReceivedRequest request = parseHead(std::string_view(buffer_).substr(0, end));
    buffer_.erase(0, end + 4);
    std::size_t length = 0;
    if (const auto found = request.headers.find("content-length"); found != request.headers.end()) {
      std::from_chars(found->second.data(), found->second.data() + found->second.size(), length);
    }
    while (buffer_.size() < length) {
      if (!fill()) return std::nullopt;
    }
    request.body = buffer_.substr(0, length);
    buffer_.erase(0, length);
    return request;
  }

  void waitForClose() override { fill(); }

 protected:
  virtual long read(char* data, std::size_t size) = 0;

 private:
  bool fill() {
    char data[4096];
    const long count = read(data, sizeof data);
    if (count <= 0) return false;
    buffer_.append(data, static_cast<std::size_t>(count));
    return true;
  }

  std::string buffer_;
};

class PlainWire final : public Wire {
 public:
  explicit PlainWire(int socket) : socket_(socket) {}
  bool write(std::string_view bytes) override {
    while (!bytes.empty()) {
      const long count = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (count <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
  }
  std::string greetedName() const override { return {}; }

 protected:
  long read(char* data, std::size_t size) override { return ::recv(socket_, data, size, 0); }

 private:
  int socket_;
};

class TlsWire final : public Wire {
 public:
  TlsWire(int socket, const TlsSettings& settings) : context_(SSL_CTX_new(TLS_server_method())) {
    configure(settings);
    tls_ = SSL_new(context_);
    SSL_set_fd(tls_, socket);
    if (SSL_accept(tls_) != 1) failed_ = true;
  }
  ~TlsWire() override {
    if (!failed_) SSL_shutdown(tls_);
    SSL_free(tls_);
    SSL_CTX_free(context_);
    ERR_clear_error();
  }
  TlsWire(const TlsWire&) = delete;
  TlsWire& operator=(const TlsWire&) = delete;

  bool write(std::string_view bytes) override {
    return !failed_ && SSL_write(tls_, bytes.data(), static_cast<int>(bytes.size())) > 0;
  }
  std::string greetedName() const override {
    const char* name = SSL_get_servername(tls_, TLSEXT_NAMETYPE_host_name);
    return name != nullptr ? name : "";
  }

 protected:
  long read(char* data, std::size_t size) override {
    return failed_ ? -1 : SSL_read(tls_, data, static_cast<int>(size));
  }

 private:
  void configure(const TlsSettings& settings) {
    BIO* bio = BIO_new_mem_buf(settings.identity.certificatePem.data(), -1);
    X509* certificate = PEM_read_bio_X509(bio, nullptr, nullptr, nullptr);
    BIO_free(bio);
    bio = BIO_new_mem_buf(settings.identity.keyPem.data(), -1);
    EVP_PKEY* key = PEM_read_bio_PrivateKey(bio, nullptr, nullptr, nullptr);
    BIO_free(bio);
    require(SSL_CTX_use_certificate(context_, certificate) == 1);
    require(SSL_CTX_use_PrivateKey(context_, key) == 1);
    X509_free(certificate);
    EVP_PKEY_free(key);
    SSL_CTX_set_min_proto_version(context_, TLS1_VERSION);
    SSL_CTX_set_security_level(context_, 0);
    if (settings.maxProtocolVersion != 0)
      SSL_CTX_set_max_proto_version(context_, settings.maxProtocolVersion);
    if (!settings.clientCaPem.empty()) askForCertificate(settings.clientCaPem);
  }

  void askForCertificate(const std::string& caPem) {
    BIO* bio = BIO_new_mem_buf(caPem.data(), -1);
    X509* authority = PEM_read_bio_X509(bio, nullptr, nullptr, nullptr);
    BIO_free(bio);
    X509_STORE_add_cert(SSL_CTX_get_cert_store(context_), authority);
    X509_free(authority);
    SSL_CTX_set_verify(context_, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
  }

  SSL_CTX* context_;
  SSL* tls_ = nullptr;
  bool failed_ = false;
};

int listenOnSixthLoopback(int& port) {
  const int listener = ::socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in6 address{};
  address.sin6_family = AF_INET6;
  address.sin6_addr = in6addr_loopback;
  socklen_t size = sizeof address;
  require(::bind(listener, reinterpret_cast<sockaddr*>(&address), size) == 0);
  require(::listen(listener, 128) == 0);
  require(::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size) == 0);
  port = ntohs(address.sin6_port);
  return listener;
}

int listenOnLoopback(int& port, Loopback family) {
  if (family == Loopback::V6) return listenOnSixthLoopback(port);
  const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  require(::bind(listener, reinterpret_cast<sockaddr*>(&address), size) == 0);
  require(::listen(listener, 128) == 0);
  require(::getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size) == 0);
  port = ntohs(address.sin_port);
  return listener;
}

}  // namespace

bool Connection::reply(int status, std::string_view body, std::string_view headers) {
  std::string answer = "HTTP/1.1 " + std::to_string(status) + " Scripted\r\n";
  answer.append(headers);
  answer += "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n";
  answer.append(body);
  return write(answer);
}

bool Connection::startStream() {
  return write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n");
}

bool Connection::chunk(std::string_view text) {
  char size[20];
  const auto end = std::to_chars(size, size + sizeof size, text.size(), 16).ptr;
  return write(std::string(size, end) + "\r\n" + std::string(text) + "\r\n");
}

bool Connection::endStream() { return write("0\r\n\r\n"); }

ScriptedServer::ScriptedServer(Script script, std::optional<TlsSettings> tls, Loopback family)
    : script_(std::move(script)), tls_(std::move(tls)), listener_(listenOnLoopback(port_, family)) {
  std::signal(SIGPIPE, SIG_IGN);  // OpenSSL writes to sockets that the client has closed
  acceptor_ = std::jthread([this] { accept(); });
}

ScriptedServer::~ScriptedServer() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
    ::shutdown(listener_, SHUT_RDWR);
    for (const int socket : open_) ::shutdown(socket, SHUT_RDWR);
  }
  acceptor_.join();
  threads_.clear();
  ::close(listener_);
}

std::string ScriptedServer::url(const std::string& host) const {
  return (tls_ ? "https://" : "http://") + host + ":" + std::to_string(port_);
}

std::string ScriptedServer::address() const { return "127.0.0.1:" + std::to_string(port_); }

void ScriptedServer::accept() {
  while (true) {
    const int socket = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    const std::lock_guard lock(mutex_);
    if (closing_ || socket < 0) {
      if (socket >= 0) ::close(socket);
      return;
    }
    const int on = 1;
    ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    ++connections_;
    open_.push_back(socket);
    threads_.emplace_back([this, socket] { serve(socket); });
  }
}

void ScriptedServer::serve(int socket) {
  {
    std::unique_ptr<Connection> connection;
    if (tls_) {
      connection = std::make_unique<TlsWire>(socket, *tls_);
    } else {
      connection = std::make_unique<PlainWire>(socket);
    }
    script_(*connection);
  }
  const std::lock_guard lock(mutex_);
  std::erase(open_, socket);
  ::close(socket);
}

std::string exchangeRaw(int port, std::string_view request) {
  const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  std::string answer;
  if (::connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0 &&
      ::send(socket, request.data(), request.size(), MSG_NOSIGNAL) == static_cast<long>(request.size())) {
    char data[4096];
    for (long count = 0; (count = ::recv(socket, data, sizeof data, 0)) > 0;) {
      answer.append(data, static_cast<std::size_t>(count));
    }
  }
  ::close(socket);
  return answer;
}

ScriptedServer::Script answering(std::function<void(const ReceivedRequest&, Connection&)> answer) {
  return [answer = std::move(answer)](Connection& connection) {
    while (const auto request = connection.receive()) answer(*request, connection);
  };
}

}  // namespace slaq::test
