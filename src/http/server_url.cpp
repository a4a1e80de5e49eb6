#include "http/server_url.h"

#include <cpprest/base_uri.h>

#include <algorithm>

namespace slaq::http {
namespace {

constexpr int kLargestPort = 65535;

tl::unexpected<Error> refuse(const std::string& text, const std::string& why) {
  return failure(ErrorKind::Invalid, "'" + withoutUser(text) + "' can't be used: " + why);
}

// What the library takes for a host and a port of some kind.
bool isBareIPv6(const std::string& text) {
  const auto begin = std::min(text.find("://") + 3, text.size());
  const std::string authority = text.substr(begin, text.find('/', begin) - begin);
  const auto at = authority.find('@');
  const std::string host = at == std::string::npos ? authority : authority.substr(at + 1);
  return !host.starts_with('[') && std::ranges::count(host, ':') > 1;
}

ServerUrl partsOf(const web::uri& url) {
  ServerUrl parts{.scheme = url.scheme(), .host = url.host(), .port = url.port(), .user = {}, .password = {}};
  if (parts.host.starts_with('[') && parts.host.ends_with(']'))
    parts.host = parts.host.substr(1, parts.host.size() - 2);
  const std::string& user = url.user_info();
  const auto colon = std::min(user.find(':'), user.size());
  parts.user = web::uri::decode(user.substr(0, colon));
  parts.password = web::uri::decode(user.substr(std::min(colon + 1, user.size())));
  return parts;
}

}  // namespace

std::string ServerUrl::hostHeader() const {
  const std::string name = host.find(':') == std::string::npos ? host : "[" + host + "]";
  return name + (port == 0 ? "" : ":" + std::to_string(port));
}

std::string withoutUser(const std::string& text) {
  const auto at = text.rfind('@');  // a password that is not encoded may hold others, and slashes
  if (at == std::string::npos) return text;
  const auto scheme = text.find("://");
  return (scheme < at ? text.substr(0, scheme + 3) : "") + text.substr(at + 1);
}

Result<ServerUrl> serverUrlFrom(const std::string& text) {
  if (isBareIPv6(text))
    return refuse(text, "an IPv6 address stands in brackets, as in http://[fd00::1]:9090");
  try {
    ServerUrl url = partsOf(web::uri(text));
    if (url.scheme != "http" && url.scheme != "https")
      return refuse(text, "its scheme must be http or https");
    if (url.host.empty()) return refuse(text, "it names no host");
    if (url.port > kLargestPort || url.port < 0) return refuse(text, "its port must be from 1 to 65535");
    return url;
  } catch (const std::exception&) {  // its words repeat the URL
    return refuse(text, "it is not a URL such as https://host:port");
  }
}

Result<Route> routeTo(const HttpEndpoint& endpoint) {
  const auto server = serverUrlFrom(endpoint.url);
  if (!server) return failure(server.error());
  if (!server->user.empty() || !server->password.empty())
    return refuse(endpoint.url, "it holds a user, which is not sent from there");
  if (endpoint.proxyUrl.empty()) return Route{*server, {}};
  if (!endpoint.proxyUrl.starts_with("http://"))
    return refuse(endpoint.proxyUrl, "a proxy must be one of http, such as http://proxy:3128");
  const auto proxy = serverUrlFrom(endpoint.proxyUrl);
  if (!proxy) return failure(proxy.error());
  return Route{*server, *proxy};
}

}  // namespace slaq::http
