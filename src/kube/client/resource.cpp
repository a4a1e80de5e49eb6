#include "kube/client/resource.h"

#include <cctype>

namespace slaq::kube::client {

std::string pathOf(const Target& target) {
  const auto& [group, version, plural] = target.resource;
  std::string path = group.empty() ? "/api/" : "/apis/" + std::string(group) + "/";
  path += version;
  if (!target.ns.empty()) path += "/namespaces/" + percentEncoded(target.ns);
  path += "/" + std::string(plural);
  if (!target.name.empty()) path += "/" + percentEncoded(target.name);
  if (!target.subresource.empty()) path += "/" + std::string(target.subresource);
  return path;
}

std::string toString(const Target& target) {
  std::string text(target.resource.plural);
  if (!target.ns.empty() || !target.name.empty()) text += " " + target.ns + "/" + target.name;
  return text;
}

std::string percentEncoded(std::string_view text) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string out;
  for (const unsigned char c : text) {
    if (std::isalnum(c) || c == '-' || c == '.' || c == '_' || c == '~') {
      out += static_cast<char>(c);
    } else {
      out += '%';
      out += kDigits[c >> 4];
      out += kDigits[c & 15];
    }
  }
  return out;
}

}  // namespace slaq::kube::client
