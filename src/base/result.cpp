#include "base/result.h"

namespace slaq {
namespace {

constexpr std::size_t kLongestQuote = 1000;

bool isControl(unsigned char byte) { return byte < 0x20 || byte == 0x7f; }
bool continuesCharacter(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; }

}  // namespace

std::string_view name(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::Transient:
      return "Transient";
    case ErrorKind::Conflict:
      return "Conflict";
    case ErrorKind::Gone:
      return "Gone";
    case ErrorKind::NotFound:
      return "NotFound";
    case ErrorKind::Forbidden:
      return "Forbidden";
    case ErrorKind::Malformed:
      return "Malformed";
    case ErrorKind::Invalid:
      return "Invalid";
  }
  return "Unknown";
}

std::string_view truncated(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  std::size_t length = most;
  while (length > 0 && most - length < 3 && continuesCharacter(text[length])) --length;
  return text.substr(0, length);
}

std::string printable(std::string_view outside) {
  static constexpr char kHex[] = "0123456789abcdef";
  const std::string_view shown = truncated(outside, kLongestQuote);
  std::string text;
  for (const char c : shown) {
    const auto byte = static_cast<unsigned char>(c);
    if (isControl(byte)) {
      text += {'\\', 'x', kHex[byte >> 4], kHex[byte & 15]};
    } else {
      text += c;
    }
  }
  return shown.size() == outside.size() ? text : text + "...";
}

}  // namespace slaq
