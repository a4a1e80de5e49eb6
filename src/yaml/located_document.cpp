#include "yaml/located_document.h"

#include <algorithm>
#include <cctype>

#include "base/result.h"

namespace slaq::yaml {
namespace {

bool isPlainWord(std::string_view key) {
  return !key.empty() &&
         std::ranges::all_of(key, [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '-'; });
}

}  // namespace

std::string memberPath(const std::string& path, std::string_view key) {
  if (isPlainWord(key)) return path.empty() ? std::string(key) : path + "." + std::string(key);
  std::string quoted = "[\"";
  for (const char c : key) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += printable({&c, 1});
  }
  return path + quoted + "\"]";
}

int lineOf(const LocatedDocument& document, std::string_view path) {
  while (true) {
    const auto found = document.lines.find(path);
    if (found != document.lines.end()) return found->second;
    if (path.empty()) return 1;
    const auto cut = path.find_last_of(".[");
    path = path.substr(0, cut == std::string_view::npos ? 0 : cut);
  }
}

std::string describe(const LocatedDocument& document, std::string_view path, std::string_view message) {
  std::string text = document.file + ":" + std::to_string(lineOf(document, path)) + ": ";
  if (!path.empty()) text.append(path).append(": ");
  return text.append(message);
}

}  // namespace slaq::yaml
