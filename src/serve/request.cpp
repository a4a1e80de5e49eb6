#include "serve/request.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace slaq::serve {
namespace {

constexpr std::size_t kMostOfHead = 8u << 10;
constexpr std::string_view kEndOfHead = "\r\n\r\n";

// A request without the header has no body.
std::optional<std::size_t> lengthOfBody(const Request& request) {
  const auto text = headerOf(request, "content-length");
  std::size_t length = 0;
  if (text.empty()) return length;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), length);
  const bool isNumber = error == std::errc() && end == text.data() + text.size();
  return isNumber ? std::optional(length) : std::nullopt;
}

bool isSame(std::string_view header, std::string_view lower) {
  return std::ranges::equal(header, lower, [](unsigned char a, char b) { return std::tolower(a) == b; });
}

}  // namespace

std::string_view headerOf(const Request& request, std::string_view name) {
  std::string_view head = request.head;
  while (!head.empty()) {
    const auto line = head.substr(0, head.find("\r\n"));
    head.remove_prefix(std::min(line.size() + 2, head.size()));
    const auto colon = line.find(':');
    if (colon == std::string_view::npos || !isSame(line.substr(0, colon), name)) continue;
    const auto begin = line.find_first_not_of(' ', colon + 1);
    return begin == std::string_view::npos ? std::string_view() : line.substr(begin);
  }
  return {};
}

Reading readRequest(std::string_view bytes, std::size_t mostOfBody) {
  const auto end = bytes.substr(0, kMostOfHead + kEndOfHead.size()).find(kEndOfHead);
  if (end == std::string_view::npos) return {.isMalformed = bytes.size() > kMostOfHead};
  Request request{.head = std::string(bytes.substr(0, end + 2))};
  bytes.remove_prefix(end + kEndOfHead.size());
  const auto length = lengthOfBody(request);
  if (!length) return {.isMalformed = true};
  request.isTooLong = *length > mostOfBody;
  if (request.isTooLong) return {.request = std::move(request)};
  if (bytes.size() < *length) return {.hasHead = true};
  request.body = bytes.substr(0, *length);
  return {.request = std::move(request)};
}

}  // namespace slaq::serve
