#include "report/serve/metrics_server.h"

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>

namespace slaq::report {
namespace {

constexpr int kLookMillis = 100;    // how often the thread looks whether it is to stop
constexpr timeval kPatience{2, 0};  // with a client that does not go on
constexpr std::size_t kMostOfRequest = 8u << 10;
constexpr int kBacklog = 16;

// With IPv6 it takes connections of IPv4 too.
int listenOn(int port, int family) {
  const int socket = ::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (socket < 0) return -1;
  const int yes = 1, no = 0;
  ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in6 six{};
  sockaddr_in four{};
  if (family == AF_INET6) {
    ::setsockopt(socket, IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof no);
    six.sin6_family = AF_INET6;
    six.sin6_port = htons(static_cast<std::uint16_t>(port));
  } else {
    four.sin_family = AF_INET;
    four.sin_port = htons(static_cast<std::uint16_t>(port));
  }
  const auto* address =
      family == AF_INET6 ? reinterpret_cast<sockaddr*>(&six) : reinterpret_cast<sockaddr*>(&four);
  const socklen_t size = family == AF_INET6 ? sizeof six : sizeof four;
  if (::bind(socket, address, size) == 0 && ::listen(socket, kBacklog) == 0) return socket;
  const int reason = errno;
  ::close(socket);
  errno = reason;
  return -1;
}

// True once the client has sent the whole head of a GET request.
bool readRequest(int client) {
  std::string request;
  std::array<char, 1024> buffer;
  while (request.size() < kMostOfRequest && request.find("\r\n\r\n") == std::string::npos) {
    const auto count = ::recv(client, buffer.data(), buffer.size(), 0);
    if (count <= 0) return false;
    request.append(buffer.data(), static_cast<std::size_t>(count));
  }
  return request.starts_with("GET ");
}

bool sendAll(int client, std::string_view text) {
  while (!text.empty()) {
    const auto count = ::send(client, text.data(), text.size(), MSG_NOSIGNAL);
    if (count <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

}  // namespace

std::string metricsPage(const std::optional<Report>& report) {
  if (!report) return "";
  return "# HELP slaq_training_loss Loss after the last iteration.\n"
         "# TYPE slaq_training_loss gauge\n"
         "slaq_training_loss " +
         toText(report->loss) +
         "\n# HELP slaq_training_iterations_total Completed iterations.\n"
         "# TYPE slaq_training_iterations_total counter\n"
         "slaq_training_iterations_total " +
         toText(report->iteration) + "\n";
}

Result<std::unique_ptr<MetricsServer>> MetricsServer::start(int port) {
  int socket = listenOn(port, AF_INET6);
  if (socket < 0) socket = listenOn(port, AF_INET);
  if (socket < 0)
    return failure(ErrorKind::Transient,
                   "port " + std::to_string(port) + " cannot be listened on: " + std::strerror(errno));
  return std::unique_ptr<MetricsServer>(new MetricsServer(socket));
}

MetricsServer::MetricsServer(int socket)
    : socket_(socket), thread_([this](std::stop_token stop) { serve(stop); }) {}

MetricsServer::~MetricsServer() {
  thread_.request_stop();
  thread_.join();
  ::close(socket_);
}

void MetricsServer::publish(const Report& report) {
  const std::lock_guard lock(mutex_);
  newest_ = report;
  isRead_ = false;
}

void MetricsServer::waitForReader(std::chrono::milliseconds longest) {
  std::unique_lock lock(mutex_);
  read_.wait_for(lock, longest, [this] { return isRead_; });
}

void MetricsServer::serve(std::stop_token stop) {
  while (!stop.stop_requested()) {
    pollfd waiting{socket_, POLLIN, 0};
    if (::poll(&waiting, 1, kLookMillis) <= 0) continue;
    const int client = ::accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC);
    if (client < 0) continue;
    ::setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &kPatience, sizeof kPatience);
    ::setsockopt(client, SOL_SOCKET, SO_SNDTIMEO, &kPatience, sizeof kPatience);
    answer(client);
    ::close(client);
  }
}

void MetricsServer::answer(int client) {
  if (!readRequest(client)) return;
  std::optional<Report> report;
  {
    const std::lock_guard lock(mutex_);
    report = newest_;
  }
  const std::string page = metricsPage(report);
  const bool isSent =
      sendAll(client, "HTTP/1.1 200 OK\r\nContent-Type: text/plain; version=0.0.4\r\nContent-Length: " +
                          std::to_string(page.size()) + "\r\nConnection: close\r\n\r\n" + page);
  const std::lock_guard lock(mutex_);
  if (isSent && newest_ == report) isRead_ = true;
  read_.notify_all();
}

}  // namespace slaq::report
