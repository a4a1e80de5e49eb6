#include "local/system/reserved_ports.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <random>
#include <string>
#include <utility>

#include "local/system/reserved_names.h"

namespace slaq::local::system {
namespace {

Descriptor takePort(int port) { return takeName("slaq-port-" + std::to_string(port)); }

bool isFree(int port) {
  const Descriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_ANY);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  return ::bind(socket.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
}

}  // namespace

ReservedPort ReservedPort::again(int number) { return {number, takePort(number)}; }

Result<std::vector<ReservedPort>> reservePorts(int count, int first, int last) {
  std::vector<ReservedPort> ports;
  std::random_device random;  // so that a port is not used again at once
  const int range = last - first;
  const int start = static_cast<int>(random() % static_cast<unsigned>(range));
  for (int i = 0; i < range && static_cast<int>(ports.size()) < count; ++i) {
    const int port = first + (start + i) % range;
    // The name comes first: while another process has it, its program may be about to bind the port.
    Descriptor name = takePort(port);
    if (!name.isOpen() && errno != EADDRINUSE) return systemFailure(ErrorKind::Transient, "reserve a port");
    if (name.isOpen() && isFree(port)) ports.push_back({port, std::move(name)});
  }
  if (static_cast<int>(ports.size()) < count) return failure(ErrorKind::Transient, "no free ports are left");
  return ports;
}

}  // namespace slaq::local::system
