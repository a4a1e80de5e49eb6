#include "cli/machine/machine_claim.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>

namespace slaq::cli::machine {
namespace {

// A socket name in the kernel's own table: it disappears with its process, and needs no file.
constexpr char kName[] = "\0slaq.io/machine";

struct Address {
  sockaddr_un value{};
  socklen_t size = 0;
};

Address ownAddress() {
  Address address;
  address.value.sun_family = AF_UNIX;
  std::memcpy(address.value.sun_path, kName, sizeof kName - 1);
  address.size = offsetof(sockaddr_un, sun_path) + sizeof kName - 1;
  return address;
}

std::optional<pid_t> claimantAt(const Address& address) {
  // A blocking socket could wait for ever for a server whose queue is full.
  const int line = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  ucred peer{};
  socklen_t size = sizeof peer;
  const bool isThere =
      ::connect(line, reinterpret_cast<const sockaddr*>(&address.value), address.size) == 0 &&
      ::getsockopt(line, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0;
  ::close(line);
  return isThere ? std::optional(peer.pid) : std::nullopt;
}

}  // namespace

std::optional<std::string> claimMachine() {
  const Address address = ownAddress();
  const int claim = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (::bind(claim, reinterpret_cast<const sockaddr*>(&address.value), address.size) == 0 &&
      ::listen(claim, SOMAXCONN) == 0)
    return std::nullopt;  // the socket stays open as long as this process lives
  ::close(claim);
  const auto other = claimantAt(address);
  if (!other || *other == ::getpid()) return std::nullopt;
  return "another slaq, the process " + std::to_string(*other) +
         ", divides the CPU of this machine as well; give each its part with --cores, or submit all to one "
         "slaq serve";
}

}  // namespace slaq::cli::machine
