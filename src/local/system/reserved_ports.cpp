#include "local/system/reserved_ports.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <random>
#include <string>
#include <utility>

namespace slaq::local::system {
namespace {

// Binds a socket to the port's name in Linux's abstract namespace, which has no files. The kernel gives a
// name to one process at a time, and frees it when that process ends. Like ports, the names belong to the
// network namespace. If the result is closed, errno says why: EADDRINUSE if another process has the name.
Descriptor takeName(int port) {
  const std::string name = "slaq-port-" + std::to_string(port);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path + 1, name.data(), name.size());  // the first byte, 0, makes it abstract
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const bool isOurs =
      socket.isOpen() && ::bind(socket.number(), reinterpret_cast<const sockaddr*>(&address), size) == 0;
  return isOurs ? std::move(socket) : Descriptor();
}

bool isFree(int port) {
  const Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_ANY);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  return ::bind(socket.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
}

}  // namespace

ReservedPort ReservedPort::again(int number) { return {number, takeName(number)}; }

Result<std::vector<ReservedPort>> reservePorts(int count, int first, int last) {
  std::vector<ReservedPort> ports;
  std::random_device random;  // so that a port is not used again at once
  const int range = last - first;
  const int start = static_cast<int>(random() % static_cast<unsigned>(range));
  for (int i = 0; i < range && static_cast<int>(ports.size()) < count; ++i) {
    const int port = first + (start + i) % range;
    // The name comes first: while another process has it, its program may be about to bind the port.
    Descriptor name = takeName(port);
    if (!name.isOpen() && errno != EADDRINUSE) return systemFailure(ErrorKind::Transient, "reserve a port");
    if (name.isOpen() && isFree(port)) ports.push_back({port, std::move(name)});
  }
  if (static_cast<int>(ports.size()) < count) return failure(ErrorKind::Transient, "no free ports are left");
  return ports;
}

}  // namespace slaq::local::system
