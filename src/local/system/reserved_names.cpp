#include "local/system/reserved_names.h"

#include <sys/socket.h>
#include <sys/un.h>

#include <cstddef>
#include <cstring>

namespace slaq::local::system {

Descriptor takeName(const std::string& name) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path + 1, name.data(), name.size());  // the first byte, 0, makes it abstract
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  const bool isOurs =
      socket.isOpen() && ::bind(socket.number(), reinterpret_cast<const sockaddr*>(&address), size) == 0;
  return isOurs ? std::move(socket) : Descriptor();
}

}  // namespace slaq::local::system
