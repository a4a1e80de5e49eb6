#include "kube/auth/files.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

namespace slaq::kube::auth {
namespace {

constexpr std::string_view kSpace = " \t\r\n";

constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

int digitOf(char c) {
  const auto found = kDigits.find(c);
  return found == std::string_view::npos ? -1 : static_cast<int>(found);
}

}  // namespace

Result<std::string> readFile(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  if (in) in.peek();  // a folder can be opened, but not read
  if (in) out << in.rdbuf();
  if (!in) return failure(ErrorKind::NotFound, printable(path) + " cannot be read: " + std::strerror(errno));
  return out.str();
}

std::string trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(kSpace) - first + 1));
}

std::string encodeBase64(std::string_view bytes) {
  std::string out;
  unsigned bits = 0;
  int held = 0;
  for (const unsigned char byte : bytes) {
    bits = (bits << 8 | byte) & 0xffffff;
    for (held += 8; held >= 6; held -= 6) out += kDigits[bits >> (held - 6) & 63];
  }
  if (held > 0) out += kDigits[bits << (6 - held) & 63];
  out.append((4 - out.size() % 4) % 4, '=');
  return out;
}

std::optional<std::string> decodeBase64(std::string_view text) {
  std::string out;
  unsigned bits = 0;
  int held = 0;
  bool padded = false;
  for (const char c : text) {
    if (kSpace.find(c) != std::string_view::npos) continue;
    padded = padded || c == '=';
    if (c == '=') continue;
    const int digit = digitOf(c);
    if (digit < 0 || padded) return std::nullopt;
    bits = (bits << 6 | static_cast<unsigned>(digit)) & 0xffffff;
    held += 6;
    if (held < 8) continue;
    held -= 8;
    out += static_cast<char>(bits >> held & 0xff);
  }
  return held == 6 ? std::nullopt : std::optional(out);
}

}  // namespace slaq::kube::auth
