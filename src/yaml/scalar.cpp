#include "yaml/scalar.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include "base/result.h"

namespace slaq::yaml {
namespace {

template <std::size_t N>
bool isOneOf(std::string_view text, const std::array<std::string_view, N>& words) {
  return std::ranges::find(words, text) != words.end();
}

constexpr std::array<std::string_view, 5> kNull = {"", "~", "null", "Null", "NULL"};
constexpr std::array<std::string_view, 3> kTrue = {"true", "True", "TRUE"};
constexpr std::array<std::string_view, 3> kFalse = {"false", "False", "FALSE"};
constexpr std::array<std::string_view, 12> kOldBooleans = {"yes", "Yes", "YES", "no",  "No",  "NO",
                                                           "on",  "On",  "ON",  "off", "Off", "OFF"};
constexpr std::array<std::string_view, 3> kNotNumbers = {".nan", ".NaN", ".NAN"};
constexpr std::array<std::string_view, 3> kInfinities = {".inf", ".Inf", ".INF"};

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isDecimal(std::string_view text) { return !text.empty() && std::ranges::all_of(text, isDigit); }

std::string_view withoutSign(std::string_view text) {
  return !text.empty() && (text.front() == '-' || text.front() == '+') ? text.substr(1) : text;
}

// True for digits with underscores between them, which are a number in YAML 1.1 only.
bool isSpacedNumber(std::string_view digits) {
  return isDigit(digits.front()) && digits.find('_') != std::string_view::npos &&
         std::ranges::all_of(digits, [](char c) { return isDigit(c) || c == '_' || c == '.'; });
}

bool isPrefixed(std::string_view digits, char letter, std::string_view allowed) {
  return digits.size() > 2 && digits[0] == '0' && digits[1] == letter &&
         digits.find_first_not_of(allowed, 2) == std::string_view::npos;
}

// Why the scalar reads differently in YAML 1.1 and 1.2, or can't be written as JSON.
std::optional<std::string> refusal(std::string_view text, std::string_view digits) {
  const std::string quoted = "'" + printable(text) + "' ";
  if (isOneOf(text, kOldBooleans)) {
    return quoted + "is a boolean to some readers and text to others; write true or false, or quote it";
  }
  if (digits.empty()) return std::nullopt;
  if (isDecimal(digits) && digits.size() > 1 && digits.front() == '0') {
    return quoted + "is octal to some readers and decimal to others; leave out the leading 0, or quote it";
  }
  if (isPrefixed(digits, 'o', "01234567") || isPrefixed(digits, 'b', "01") || isSpacedNumber(digits)) {
    return quoted + "is a number to some readers and text to others; write plain digits, or quote it";
  }
  if (isOneOf(text, kNotNumbers) || isOneOf(digits, kInfinities)) {
    return quoted + "is not a finite number; write one, or quote it";
  }
  return std::nullopt;
}

template <class Integer>
std::optional<Integer> readInteger(std::string_view text, int base) {
  Integer value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
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

tl::expected<YamlScalar, std::string> tooLarge(std::string_view text) {
  return tl::unexpected("'" + printable(text) + "' is too large for a number; quote it if it is text");
}

tl::expected<YamlScalar, std::string> readWhole(std::string_view text, std::string_view digits) {
  if (isPrefixed(digits, 'x', "0123456789abcdefABCDEF") && digits.data() == text.data()) {
    const auto value = readInteger<std::int64_t>(digits.substr(2), 16);
    return value ? YamlScalar(*value) : tooLarge(text);
  }
  const auto plain = text.front() == '+' ? digits : text;
  if (const auto value = readInteger<std::int64_t>(plain, 10)) return YamlScalar(*value);
  if (const auto value = readInteger<std::uint64_t>(plain, 10)) return YamlScalar(*value);
  return tooLarge(text);
}

tl::expected<YamlScalar, std::string> readFloat(std::string_view text) {
  const auto plain = text.front() == '+' ? text.substr(1) : text;
  double value = 0;
  const auto error = std::from_chars(plain.data(), plain.data() + plain.size(), value).ec;
  if (error == std::errc::result_out_of_range) return tooLarge(text);
  return YamlScalar(value);
}

}  // namespace

tl::expected<YamlScalar, std::string> readPlainScalar(std::string_view text) {
  if (isOneOf(text, kNull)) return YamlScalar(YamlNull());
  if (isOneOf(text, kTrue)) return YamlScalar(true);
  if (isOneOf(text, kFalse)) return YamlScalar(false);
  const auto digits = withoutSign(text);
  if (auto why = refusal(text, digits)) return tl::unexpected(std::move(*why));
  const bool hexadecimal = isPrefixed(text, 'x', "0123456789abcdefABCDEF");
  if (hexadecimal || isDecimal(digits)) return readWhole(text, digits);
  if (isFloat(digits)) return readFloat(text);
  return YamlScalar(std::string(text));
}

}  // namespace slaq::yaml
