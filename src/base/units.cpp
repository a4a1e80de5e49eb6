#include "base/units.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <limits>

#include "base/text.h"

namespace slaq {
namespace {

constexpr std::pair<std::string_view, double> kUnits[] = {
    {"", 1},        {"n", 1e-9},    {"u", 1e-6},    {"m", 1e-3},   {"k", 1e3},     {"M", 1e6},
    {"G", 1e9},     {"T", 1e12},    {"P", 1e15},    {"E", 1e18},   {"Ki", 0x1p10}, {"Mi", 0x1p20},
    {"Gi", 0x1p30}, {"Ti", 0x1p40}, {"Pi", 0x1p50}, {"Ei", 0x1p60}};

// Returns the factor of a quantity's suffix, which is a unit or an exponent such as "e3". Empty if it is
// neither.
std::optional<double> factorOf(std::string_view suffix) {
  const auto* const unit = std::ranges::find(kUnits, suffix, &std::pair<std::string_view, double>::first);
  if (unit != std::end(kUnits)) return unit->second;
  if (suffix.front() != 'e' && suffix.front() != 'E') return std::nullopt;
  const auto exponent = numberFrom<int>(withoutPlus(suffix.substr(1)));
  return exponent ? std::optional(std::pow(10, *exponent)) : std::nullopt;
}

struct QuantityParts {
  std::optional<double> number;
  std::optional<double> factor;
};

// Kubernetes takes ".", "m" and "-" for 0.
QuantityParts partsOf(std::string_view text) {
  const bool isNegative = text.starts_with('-');
  const auto digits = isNegative ? text.substr(1) : withoutPlus(text);
  const auto length = std::min(digits.find_first_not_of("0123456789."), digits.size());
  const auto written = digits.substr(0, length);
  const bool isZero = !text.empty() && (written.empty() || written == ".");
  const auto factor = factorOf(digits.substr(length));
  const auto number = isZero ? std::optional(0.0) : numberFrom<double>(written);
  if (!number || (isZero && !factor)) return {};
  return {isNegative ? -*number : *number, factor};
}

// Independent of locales, and many times faster than a stream. REQUIRES: at most 60 characters.
std::string written(double value, std::chars_format format, int precision) {
  std::array<char, 64> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value, format, precision).ptr;
  return {text.data(), end};
}

constexpr std::size_t kLongestTime = 41;  // with a fraction of twenty digits
constexpr std::string_view kTimeForm = "0000-00-00T00:00:00";
const Time kFirstTime{std::chrono::sys_days(std::chrono::year(0) / 1 / 1)};
const Time kLastTime{std::chrono::sys_days(std::chrono::year(9999) / 12 / 31) + std::chrono::seconds(86'399)};

bool isDigit(char c) { return c >= '0' && c <= '9'; }

bool hasTimeForm(std::string_view text) {
  return std::ranges::equal(text.substr(0, kTimeForm.size()), kTimeForm,
                            [](char c, char form) { return form == '0' ? isDigit(c) : c == form; });
}

// Of ".25"; nothing if it is something else.
std::optional<double> fractionOf(std::string_view text) {
  if (text.empty()) return 0;
  if (text.size() < 2 || text.front() != '.' || !std::ranges::all_of(text.substr(1), isDigit))
    return std::nullopt;
  return numberFrom<double>(text);
}

std::optional<Time> timeOf(std::string_view text) {
  using namespace std::chrono;
  if (text.size() > kLongestTime || !hasTimeForm(text) || text.back() != 'Z') return std::nullopt;
  // REQUIRES: digits.
  const auto at = [&](std::size_t first, std::size_t count) {
    return numberFrom<int>(text.substr(first, count)).value_or(0);
  };
  const auto date = year(at(0, 4)) / at(5, 2) / at(8, 2);
  const int hour = at(11, 2), minute = at(14, 2), second = at(17, 2);
  const auto behind = text.substr(kTimeForm.size());
  const auto fraction = fractionOf(behind.substr(0, behind.size() - 1));
  if (!date.ok() || hour > 23 || minute > 59 || second > 59 || !fraction) return std::nullopt;
  return Time(sys_days(date) + hours(hour) + minutes(minute) + seconds(second)) + Seconds(*fraction);
}

}  // namespace

std::optional<double> quantityFrom(std::string_view text) {
  const auto [number, factor] = partsOf(text);
  return number && factor ? std::optional(*number * *factor) : std::nullopt;
}

Result<Cores> parseCores(std::string_view text) {
  const auto refuse = [&](std::string_view why) {
    return failure(ErrorKind::Invalid, "\"" + printable(text) + "\" " + std::string(why) +
                                           "; write cores such as \"2\", \"0.5\" or \"200m\"");
  };
  const auto [number, factor] = partsOf(text);
  if (!number) return refuse("is not a quantity of cores");
  if (!factor) return refuse("has an unknown unit");
  if (*number < 0) return refuse("is negative");
  const double millis = *number * *factor * 1000;
  if (!(millis <= static_cast<double>(kMostCores.value()))) return refuse("is more than 1000000 cores");
  // The tolerance forgives binary fractions: 0.1 cores are 100 thousandths, not 101.
  const double nearest = std::round(millis);
  const double whole = std::abs(millis - nearest) <= 1e-12 * millis ? nearest : std::ceil(millis);
  return Cores(std::max<std::int64_t>(static_cast<std::int64_t>(whole), *number > 0 ? 1 : 0));
}

Result<Mebibytes> parseMemory(std::string_view text) {
  constexpr double kMebibyte = 1048576;
  constexpr double kMost = 1024.0 * 1024 * 1024;
  const auto bytes = quantityFrom(text);
  const double mebibytes = bytes.value_or(0) / kMebibyte;
  if (mebibytes >= 1 && mebibytes <= kMost) return Mebibytes(static_cast<std::int64_t>(std::ceil(mebibytes)));
  return failure(ErrorKind::Invalid, "\"" + printable(text) + "\" is " +
                                         (!bytes          ? "no quantity of memory"
                                          : mebibytes < 1 ? "less than 1Mi"
                                                          : "more than 1Pi") +
                                         "; write such as \"20Gi\" or \"512Mi\"");
}

std::string toString(Cores cores) {
  if (cores.value() % 1000 == 0) return std::to_string(cores.value() / 1000);
  return std::to_string(cores.value()) + "m";
}

std::string toRfc3339(Time time) {
  using namespace std::chrono;
  const auto whole = floor<seconds>(std::clamp(time, kFirstTime, kLastTime));
  const auto day = floor<days>(whole);
  const year_month_day date(day);
  const hh_mm_ss clock(whole - day);
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%04d-%02u-%02uT%02d:%02d:%02dZ", int(date.year()),
                unsigned(date.month()), unsigned(date.day()), int(clock.hours().count()),
                int(clock.minutes().count()), int(clock.seconds().count()));
  return text.data();
}

Result<Time> parseRfc3339(std::string_view text) {
  if (const auto time = timeOf(text)) return *time;
  return failure(ErrorKind::Malformed,
                 "\"" + printable(text) +
                     "\" is not an RFC 3339 time in UTC; write one such as \"2026-01-31T12:00:00Z\"");
}

std::string toDecimal(double value, int digits) {
  if (!std::isfinite(value)) return std::isnan(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
  if (value == 0) return "0";
  // The rounded number decides its form, so that a text that is read and written again stays the same. It is
  // the number itself where rounding would pass the greatest double.
  const double rounded =
      numberFrom<double>(written(value, std::chars_format::scientific, digits - 1)).value_or(value);
  const int magnitude = static_cast<int>(std::floor(std::log10(std::abs(rounded))));
  if (magnitude < -9 || magnitude > 15) return written(value, std::chars_format::general, digits);
  std::string text = written(rounded, std::chars_format::fixed, std::max(0, digits - 1 - magnitude));
  if (text.find('.') == std::string::npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::optional<double> decimalFrom(std::string_view text) {
  if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
  return numberFrom<double>(withoutPlus(text));
}

}  // namespace slaq
