#include "yaml/scalar.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "base/result.h"
#include "base/text.h"

namespace slaq::yaml {
namespace {

template <std::size_t N>
bool isOneOf(std::string_view text, const std::array<std::string_view, N>& words) {
  return std::ranges::find(words, text) != words.end();
}

constexpr std::array<std::string_view, 5> kNull = {"", "~", "null", "Null", "NULL"};
constexpr std::array<std::string_view, 11> kTrue = {"true", "True", "TRUE", "yes", "Yes", "YES",
                                                    "on",   "On",   "ON",   "y",   "Y"};
constexpr std::array<std::string_view, 11> kFalse = {"false", "False", "FALSE", "no", "No", "NO",
                                                     "off",   "Off",   "OFF",   "n",  "N"};
constexpr std::array<std::string_view, 3> kNotNumbers = {".nan", ".NaN", ".NAN"};
constexpr std::array<std::string_view, 3> kInfinities = {".inf", ".Inf", ".INF"};

bool isDigit(char c) { return c >= '0' && c <= '9'; }

std::string_view withoutSign(std::string_view text) {
  return !text.empty() && (text.front() == '-' || text.front() == '+') ? text.substr(1) : text;
}

struct Digits {
  std::string_view text;
  int base;
};

// The prefix says the base: 0x1F, 0o17, 0b11 and 017.
Digits digitsOf(std::string_view unsignedText) {
  const auto behind = unsignedText.substr(std::min<std::size_t>(2, unsignedText.size()));
  if (unsignedText.starts_with("0x") || unsignedText.starts_with("0X")) return {behind, 16};
  if (unsignedText.starts_with("0o") || unsignedText.starts_with("0O")) return {behind, 8};
  if (unsignedText.starts_with("0b") || unsignedText.starts_with("0B")) return {behind, 2};
  if (unsignedText.size() > 1 && unsignedText.front() == '0') return {unsignedText.substr(1), 8};
  return {unsignedText, 10};
}

template <class Integer>
std::optional<Integer> integerFrom(const std::string& digits, int base) {
  Integer value{};
  const char* const end = digits.data() + digits.size();
  const auto [read, error] = std::from_chars(digits.data(), end, value, base);
  if (error != std::errc() || read != end) return std::nullopt;
  return value;
}

std::optional<YamlScalar> readWhole(std::string_view text) {
  const auto [digits, base] = digitsOf(withoutSign(text));
  if (digits.empty() || digits.front() == '-') return std::nullopt;
  const std::string sign = text.front() == '-' ? "-" : "";
  if (const auto value = integerFrom<std::int64_t>(sign + std::string(digits), base))
    return YamlScalar(*value);
  if (withoutSign(text) != text) return std::nullopt;
  const auto value = integerFrom<std::uint64_t>(std::string(digits), base);
  return value ? std::optional(YamlScalar(*value)) : std::nullopt;
}

bool isFloat(std::string_view digits) {
  const auto skipDigits = [&digits] {
    const auto count = std::min(digits.find_first_not_of("0123456789"), digits.size());
    digits.remove_prefix(count);
    return count;
  };
  auto mantissa = skipDigits();
  if (!digits.empty() && digits.front() == '.') {
    digits.remove_prefix(1);
    mantissa += skipDigits();
  }
  if (mantissa == 0) return false;
  if (digits.empty()) return true;
  if (digits.front() != 'e' && digits.front() != 'E') return false;
  digits = withoutSign(digits.substr(1));
  return skipDigits() > 0 && digits.empty();
}

// Text where there is no such double.
std::optional<YamlScalar> readFloat(std::string_view text) {
  if (!isFloat(withoutSign(text))) return std::nullopt;
  const auto value = numberFrom<double>(withoutPlus(text));
  return value ? std::optional(YamlScalar(*value)) : std::nullopt;
}

std::optional<YamlScalar> readNumber(std::string_view text) {
  const auto first = withoutSign(text);
  if (first.empty() || !(isDigit(first.front()) || first.front() == '.')) return std::nullopt;
  std::string plain(text);
  std::erase(plain, '_');
  const auto whole = readWhole(plain);
  return whole ? whole : readFloat(plain);
}

}  // namespace

tl::expected<YamlScalar, std::string> readPlainScalar(std::string_view text) {
  if (isOneOf(text, kNull)) return YamlScalar(YamlNull());
  if (isOneOf(text, kTrue)) return YamlScalar(true);
  if (isOneOf(text, kFalse)) return YamlScalar(false);
  if (isOneOf(text, kNotNumbers) || isOneOf(withoutSign(text), kInfinities)) {
    return tl::unexpected("'" + printable(text) + "' is not a finite number; write one, or quote it");
  }
  const auto number = readNumber(text);
  return number ? *number : YamlScalar(std::string(text));
}

}  // namespace slaq::yaml
