#include "base/result.h"

namespace slaq {
namespace {

constexpr std::size_t kLongestQuote = 1000;

bool isControl(unsigned char byte) { return byte < 0x20 || byte == 0x7f; }
bool continuesCharacter(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; }

// Where to cut, so that no character of UTF-8 is divided.
std::size_t lengthOfQuote(std::string_view text) {
  if (text.size() <= kLongestQuote) return text.size();
  std::size_t length = kLongestQuote;
  while (length > kLongestQuote - 4 && continuesCharacter(text[length])) --length;
  return length;
}

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

std::string printable(std::string_view outside) {
  static constexpr char kHex[] = "0123456789abcdef";
  const std::string_view shown = outside.substr(0, lengthOfQuote(outside));
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
