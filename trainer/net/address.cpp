#include "trainer/net/address.h"

#include <charconv>

namespace slaq::trainer::net {

Result<std::uint16_t> parsePort(std::string_view text) {
  std::uint16_t port = 0;
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, port);
  if (error != std::errc() || end != last) {
    return failure(ErrorKind::Invalid, "\"" + printable(text) + "\" is not a port; write 0 to 65535");
  }
  return port;
}

Result<Address> parseAddress(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  std::string_view host = text.substr(0, colon == std::string_view::npos ? 0 : colon);
  const bool bracketed = host.size() > 2 && host.front() == '[' && host.back() == ']';
  if (bracketed) host = host.substr(1, host.size() - 2);
  if (colon == std::string_view::npos || (!bracketed && host.find(':') != std::string_view::npos)) {
    return failure(ErrorKind::Invalid,
                   "\"" + printable(text) + "\" is not an address; write HOST:PORT, such as 127.0.0.1:7070");
  }
  const auto port = parsePort(text.substr(colon + 1));
  if (!port) return failure(port.error());
  return Address{std::string(host), *port};
}

}  // namespace slaq::trainer::net
