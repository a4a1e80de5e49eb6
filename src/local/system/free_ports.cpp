#include "local/system/free_ports.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <random>

#include "local/system/files.h"

namespace slaq::local::system {
namespace {

constexpr int kFirst = 20'000;
constexpr int kLast = 32'000;  // Linux takes its own from 32768 on

bool isFree(int port, Descriptor& socket) {
  socket = Descriptor(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_ANY);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  return ::bind(socket.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
}

}  // namespace

Result<std::vector<int>> findFreePorts(int count) {
  std::vector<int> ports;
  std::vector<Descriptor> taken;  // kept open until all are found, so that they differ
  std::random_device random;      // so that two runs on one machine don't meet
  const int range = kLast - kFirst;
  const int start = static_cast<int>(random() % static_cast<unsigned>(range));
  for (int i = 0; i < range && static_cast<int>(ports.size()) < count; ++i) {
    const int port = kFirst + (start + i) % range;
    Descriptor socket;
    if (!isFree(port, socket)) continue;
    ports.push_back(port);
    taken.push_back(std::move(socket));
  }
  if (static_cast<int>(ports.size()) < count) return failure(ErrorKind::Transient, "no free ports are left");
  return ports;
}

}  // namespace slaq::local::system
