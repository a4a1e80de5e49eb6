#include "manifest/paths.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "base/result.h"

namespace slaq::manifest {
namespace {

bool isWordCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-'; }

std::string quoted(std::string_view key) {
  std::string out = "\"";
  for (const char c : key) {
    if (c == '"' || c == '\\') out += '\\';
    out += printable({&c, 1});
  }
  return out + '"';
}

// Reads ["key"] or [0] at the front of `rest` and removes it; false when it is neither.
bool takeBracket(std::string_view& rest, Path& out) {
  if (rest.starts_with("[\"")) {
    std::string key;
    std::size_t at = 2;
    for (; at < rest.size() && rest[at] != '"'; ++at) {
      if (rest[at] == '\\' && at + 1 < rest.size()) ++at;
      key += rest[at];
    }
    if (rest.substr(std::min(at, rest.size()), 2) != "\"]") return false;
    out.emplace_back(std::move(key));
    rest.remove_prefix(at + 2);
    return true;
  }
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(rest.data() + 1, rest.data() + rest.size(), index);
  if (error != std::errc() || end == rest.data() + rest.size() || *end != ']') return false;
  out.emplace_back(index);
  rest.remove_prefix(static_cast<std::size_t>(end - rest.data()) + 1);
  return true;
}

}  // namespace

std::string pathTo(const std::string& path, std::string_view key) {
  if (key.empty() || !std::ranges::all_of(key, isWordCharacter)) return path + "[" + quoted(key) + "]";
  return path.empty() ? std::string(key) : path + "." + std::string(key);
}

std::string pathTo(const std::string& path, std::size_t index) {
  return path + "[" + std::to_string(index) + "]";
}

Path stepsOf(std::string_view path) {
  Path out;
  while (!path.empty()) {
    if (path.front() == '[') {
      if (!takeBracket(path, out)) return out;
      continue;
    }
    if (path.front() == '.') path.remove_prefix(1);
    const auto end = std::ranges::find_if_not(path, isWordCharacter);
    const auto length = static_cast<std::size_t>(end - path.begin());
    if (length == 0) return out;
    out.emplace_back(std::string(path.substr(0, length)));
    path.remove_prefix(length);
  }
  return out;
}

}  // namespace slaq::manifest
