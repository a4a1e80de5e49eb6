#include "yaml/yaml.h"

namespace slaq {

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

}  // namespace slaq
