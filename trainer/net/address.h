// host:port as flags and the environment write it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace slaq::trainer::net {

struct Address {
  std::string host;  // may be empty: all interfaces
  std::uint16_t port = 0;

  bool operator==(const Address&) const = default;
};

// "trainer-0.trainer:7070", "127.0.0.1:7070", "[::1]:7070", ":7070".
Result<Address> parseAddress(std::string_view text);
Result<std::uint16_t> parsePort(std::string_view text);

}  // namespace slaq::trainer::net
