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

std::string dnsLabelFrom(std::string_view text, std::size_t longest) {
  constexpr std::string_view kBegin = "job-";  // of one that does not begin with a letter
  std::string label;
  for (const unsigned char c : text) {
    if (std::isalnum(c) != 0) label += static_cast<char>(std::tolower(c));
    if (std::isalnum(c) == 0 && !label.empty() && label.back() != '-') label += '-';
  }
  if (!label.empty() && std::isalpha(static_cast<unsigned char>(label.front())) == 0) label.insert(0, kBegin);
  label = label.substr(0, longest);
  while (!label.empty() && label.back() == '-') label.pop_back();
  return label;
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
