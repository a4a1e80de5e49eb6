#include "base/dns_name.h"

#include <algorithm>
#include <cctype>

namespace slaq {
namespace {

constexpr std::size_t kLongestLabel = 63;
constexpr std::size_t kLongestSubdomain = 253;

}  // namespace

bool isDnsLabel(std::string_view text) {
  const auto allowed = [](unsigned char c) { return std::islower(c) || std::isdigit(c) || c == '-'; };
  return !text.empty() && text.size() <= kLongestLabel && std::ranges::all_of(text, allowed) &&
         text.front() != '-' && text.back() != '-';
}

bool isDnsSubdomain(std::string_view text) {
  if (text.size() > kLongestSubdomain) return false;
  for (auto dot = text.find('.'); dot != std::string_view::npos; dot = text.find('.')) {
    if (!isDnsLabel(text.substr(0, dot))) return false;
    text.remove_prefix(dot + 1);
  }
  return isDnsLabel(text);
}

}  // namespace slaq
