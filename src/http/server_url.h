// The URL of a server or of a proxy, in its parts.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "http/message.h"

namespace slaq::http {

struct ServerUrl {
  std::string scheme;  // "http" or "https"
  std::string host;    // a name or an address, one of IPv6 without brackets
  int port = 0;        // 0: the scheme's
  std::string user;    // decoded
  std::string password;

  // The header Host, as RFC 9110 has it: with the brackets, and with the port where it is not the scheme's.
  std::string hostHeader() const;
};

// The text without the user and the password of a URL, also of one that cannot be read: for messages.
std::string withoutUser(const std::string& text);

// Invalid where it is none, with why.
Result<ServerUrl> serverUrlFrom(const std::string& text);

// Where the endpoint is, and its proxy. Invalid also where the endpoint's URL has a user, who would be told
// to nobody.
struct Route {
  ServerUrl server;
  std::optional<ServerUrl> proxy;
};
Result<Route> routeTo(const HttpEndpoint& endpoint);

}  // namespace slaq::http
