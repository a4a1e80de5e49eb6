#include "trainer/data/formats/lines.h"

#include <array>
#include <charconv>
#include <cmath>

#include "base/text.h"

namespace slaq::trainer::data::formats {

std::optional<std::string_view> Lines::next() {
  while (!rest_.empty()) {
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    const std::string_view line = trimmed(rest_.substr(0, end));
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    ++number_;
    if (!line.empty()) return line;
  }
  return std::nullopt;
}

tl::unexpected<Error> Lines::refuse(const std::string& what) const {
  return failure(ErrorKind::Malformed, path_ + ":" + std::to_string(number_) + ": " + what);
}

tl::unexpected<Error> Lines::refuseAll(const std::string& what) const {
  return failure(ErrorKind::Malformed, path_ + " " + what);
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (bool more = true; more;) {
    const std::size_t end = std::min(text.find(separator), text.size());
    more = end < text.size();
    const std::string_view part = trimmed(text.substr(0, end));
    if (separator != ' ' || !part.empty()) parts.push_back(part);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

std::string quoted(std::string_view text) {
  constexpr std::size_t kLongest = 40;
  return "\"" + printable(text.substr(0, kLongest)) + (text.size() > kLongest ? "..." : "") + "\"";
}

Result<float> parseFinite(std::string_view text) {
  const std::string_view digits = withoutPlus(text);
  double number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (text.empty()) return failure(ErrorKind::Malformed, "a value is missing; write a number");
  if (error == std::errc::invalid_argument || end != digits.data() + digits.size()) {
    return failure(ErrorKind::Malformed, quoted(text) + " is not a number");
  }
  const auto value = static_cast<float>(number);
  if (error != std::errc() || !std::isfinite(value)) {
    return failure(ErrorKind::Malformed, quoted(text) + " is not finite; remove the row or give it a value");
  }
  return value;
}

Result<Pair> parsePair(std::string_view text) {
  const std::size_t colon = text.find(':');
  const auto index = numberFrom<std::int64_t>(text.substr(0, colon));
  if (colon == std::string_view::npos || !index) {
    return failure(ErrorKind::Malformed, quoted(text) + " is not INDEX:VALUE");
  }
  const auto value = parseFinite(text.substr(colon + 1));
  if (!value) return failure(value.error());
  return Pair{*index, *value};
}

std::string digitsOf(float number) {
  std::array<char, 24> digits;
  return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr};
}

}  // namespace slaq::trainer::data::formats
