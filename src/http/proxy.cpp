#include "http/proxy.h"

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/network_v4.hpp>
#include <boost/asio/ip/network_v6.hpp>
#include <cstdlib>
#include <optional>

#include "base/text.h"

namespace slaq::http {
namespace {

namespace ip = boost::asio::ip;
using boost::system::error_code;

constexpr int kHttpPort = 80;
constexpr int kHttpsPort = 443;

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

struct HostAndPort {
  std::string host;  // without brackets, in small letters
  std::optional<int> port;
};

// "host", "host:443", "fd00::1", "[fd00::1]:443".
HostAndPort split(std::string_view text) {
  const auto end = text.starts_with('[') ? text.find(']') : text.find(':');
  const bool isBareAddress = !text.starts_with('[') && end != text.rfind(':');
  if (end == std::string_view::npos || isBareAddress) return {lowerCase(text), {}};
  const bool inBrackets = text.starts_with('[');
  const std::string host = lowerCase(inBrackets ? text.substr(1, end - 1) : text.substr(0, end));
  const auto rest = inBrackets ? text.substr(end + 1) : text.substr(end);
  return {host, rest.starts_with(':') ? numberFrom<int>(rest.substr(1)) : std::nullopt};
}

std::optional<ip::address> addressFrom(const std::string& text) {
  error_code none;
  const auto address = ip::make_address(text, none);
  return none ? std::nullopt : std::optional(address);
}

bool isWithin(const ip::address& address, const std::string& network) {
  error_code none;
  if (address.is_v4()) {
    const auto range = ip::make_network_v4(network, none);
    return !none && ip::network_v4(address.to_v4(), range.prefix_length()).canonical() == range.canonical();
  }
  const auto range = ip::make_network_v6(network, none);
  return !none && ip::network_v6(address.to_v6(), range.prefix_length()).canonical() == range.canonical();
}

bool isNamedBy(const std::string& entry, const std::string& host, int port) {
  if (entry == "*") return true;
  const auto address = addressFrom(host);
  if (entry.find('/') != std::string::npos) return address && isWithin(*address, entry);
  const HostAndPort named = split(entry.starts_with("*.") ? entry.substr(1) : entry);
  if (named.host.empty() || (named.port && *named.port != port)) return false;
  if (address) return addressFrom(named.host) == address;
  const bool isDomain = named.host.starts_with('.');
  return host == named.host || host.ends_with(isDomain ? named.host : "." + named.host);
}

std::string valueOf(const Environment& environment, const std::string& name) {
  const std::string value = environment(name.c_str());
  return value.empty() ? environment(lowerCase(name).c_str()) : value;
}

bool isThisMachine(const std::string& host) {
  const auto address = addressFrom(host);
  return host == "localhost" || (address && address->is_loopback());
}

}  // namespace

std::string processEnvironment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

bool isExcluded(const std::string& host, int port, std::string_view noProxy) {
  while (!noProxy.empty()) {
    const auto comma = std::min(noProxy.find(','), noProxy.size());
    if (isNamedBy(lowerCase(trimmed(noProxy.substr(0, comma))), lowerCase(host), port)) return true;
    noProxy.remove_prefix(std::min(comma + 1, noProxy.size()));
  }
  return false;
}

std::string proxyFor(const std::string& url, const Environment& environment) {
  const bool isTls = url.starts_with("https://");
  if (url.find("://") == std::string::npos) return "";  // no URL, which those who use it will say
  const auto begin = url.find("://") + 3;
  const HostAndPort server = split(url.substr(begin, url.find('/', begin) - begin));
  const std::string proxy = valueOf(environment, isTls ? "HTTPS_PROXY" : "HTTP_PROXY");
  const int port = server.port.value_or(isTls ? kHttpsPort : kHttpPort);
  if (proxy.empty() || isThisMachine(server.host) ||
      isExcluded(server.host, port, valueOf(environment, "NO_PROXY")))
    return "";
  return proxy.find("://") == std::string::npos ? "http://" + proxy : proxy;
}

}  // namespace slaq::http
