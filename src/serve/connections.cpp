#include "serve/connections.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>

namespace slaq::serve {
namespace {

constexpr std::chrono::seconds kPatience{2};  // for a client to read an answer
constexpr int kBacklog = 16;
constexpr int kBacklogOfUnix = 128;  // when it is full, a client waits or fails

// Closes the socket, sets errno to the reason and returns -1.
int closed(int socket, int reason) {
  ::close(socket);
  errno = reason;
  return -1;
}

enum class Where { All, Loopback };

// With IPv6 a socket on all addresses takes connections of IPv4 too.
int listenOnPort(int port, int family, Where where) {
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
    if (where == Where::Loopback) six.sin6_addr = in6addr_loopback;
  } else {
    four.sin_family = AF_INET;
    four.sin_port = htons(static_cast<std::uint16_t>(port));
    if (where == Where::Loopback) four.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  }
  const auto* address =
      family == AF_INET6 ? reinterpret_cast<sockaddr*>(&six) : reinterpret_cast<sockaddr*>(&four);
  const socklen_t size = family == AF_INET6 ? sizeof six : sizeof four;
  if (::bind(socket, address, size) == 0 && ::listen(socket, kBacklog) == 0) return socket;
  return closed(socket, errno);
}

// The address of a Unix socket; empty, with errno set, if the path is empty or too long.
std::optional<sockaddr_un> unixAddress(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.empty() || path.size() >= sizeof address.sun_path) {
    errno = path.empty() ? ENOENT : ENAMETOOLONG;
    return std::nullopt;
  }
  path.copy(address.sun_path, path.size());
  return address;
}

// Connects to a Unix socket and closes the connection. Returns 0 if a process listens there, or else errno.
int probe(const sockaddr_un& address) {
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (socket < 0) return errno;
  const bool isOpen = ::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  const int refusal = isOpen ? 0 : errno;
  ::close(socket);
  return refusal == EAGAIN ? 0 : refusal;  // EAGAIN: many wait for the server
}

// Frees a path for a server: removes a socket on which no process listens. Returns 0, or why it can't.
int makeWayAt(const sockaddr_un& address) {
  struct stat there {};
  if (::lstat(address.sun_path, &there) != 0) return errno == ENOENT ? 0 : errno;
  if (!S_ISSOCK(there.st_mode)) return EEXIST;
  const int refusal = probe(address);
  if (refusal == 0) return EADDRINUSE;
  if (refusal != ECONNREFUSED) return refusal;
  return ::unlink(address.sun_path) == 0 ? 0 : errno;
}

sockaddr_in6 ownAddress(int socket) {
  sockaddr_in6 address{};
  socklen_t size = sizeof address;
  ::getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size);
  return address;
}

// Waits until `then` that the client can be read from, or written to; false if it can't.
bool isReady(int client, short events, std::chrono::steady_clock::time_point then) {
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(then - std::chrono::steady_clock::now()).count();
  pollfd waiting{client, events, 0};
  return left > 0 && ::poll(&waiting, 1, static_cast<int>(left)) > 0;
}

// Sends all of the text within the client's time, however few bytes the client takes at a time.
bool sendAll(int client, std::string_view text) {
  const auto then = std::chrono::steady_clock::now() + kPatience;
  while (!text.empty()) {
    const auto count = ::send(client, text.data(), text.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count > 0) {
      text.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno != EAGAIN || !isReady(client, POLLOUT, then)) {
      return false;
    }
  }
  return true;
}

}  // namespace

int listenOnAll(int port) {
  const int socket = listenOnPort(port, AF_INET6, Where::All);
  return socket >= 0 ? socket : listenOnPort(port, AF_INET, Where::All);
}

int listenOnLoopback() {
  const int socket = listenOnPort(0, AF_INET, Where::Loopback);
  return socket >= 0 ? socket : listenOnPort(0, AF_INET6, Where::Loopback);
}

int listenOn(const std::string& path, bool isForAll) {
  const auto address = unixAddress(path);
  if (!address) return -1;
  if (const int reason = makeWayAt(*address); reason != 0) {
    errno = reason;
    return -1;
  }
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (socket < 0) return -1;
  const auto* bound = reinterpret_cast<const sockaddr*>(&*address);
  const bool isThere = ::bind(socket, bound, sizeof *address) == 0;
  if (isThere && ::chmod(path.c_str(), isForAll ? 0666 : 0600) == 0 && ::listen(socket, kBacklogOfUnix) == 0)
    return socket;
  const int reason = errno;
  if (isThere) ::unlink(path.c_str());
  return closed(socket, reason);
}

bool isServed(const std::string& path) {
  const auto address = unixAddress(path);
  return address && probe(*address) == 0;
}

std::optional<Peer> peerOf(int client) {
  ucred who{};
  socklen_t size = sizeof who;
  if (::getsockopt(client, SOL_SOCKET, SO_PEERCRED, &who, &size) != 0) return std::nullopt;
  return Peer{who.uid, who.gid};
}

std::string addressOf(int socket) {
  const std::string host = ownAddress(socket).sin6_family == AF_INET6 ? "[::1]" : "127.0.0.1";
  return host + ":" + std::to_string(portOf(socket));
}

// IPv4 has its port at the same place.
int portOf(int socket) { return ntohs(ownAddress(socket).sin6_port); }

bool answerWith(int client, std::string_view status, std::string_view type, std::string_view body) {
  return sendAll(client, "HTTP/1.1 " + std::string(status) + "\r\nContent-Type: " + std::string(type) +
                             "\r\nContent-Length: " + std::to_string(body.size()) +
                             "\r\nConnection: close\r\n\r\n" + std::string(body));
}

}  // namespace slaq::serve
