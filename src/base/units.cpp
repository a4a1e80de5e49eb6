#include "base/units.h"

#include <array>
#include <charconv>
#include <cmath>
#include <ctime>
#include <iomanip>
#include <limits>
#include <locale>
#include <sstream>

#include "base/number.h"

namespace slaq {
namespace {

// Thousandths for one unit of a Kubernetes suffix, or NaN for an unknown suffix.
double thousandths(std::string_view suffix) {
  if (suffix.empty()) return 1e3;
  if (suffix == "n") return 1e-6;
  if (suffix == "u") return 1e-3;
  if (suffix == "m") return 1.0;
  if (suffix == "k") return 1e6;
  if (suffix == "M") return 1e9;
  return std::numeric_limits<double>::quiet_NaN();
}

// Independent of locales, and many times faster than a stream. REQUIRES: at most 60 characters.
std::string written(double value, std::chars_format format, int precision) {
  std::array<char, 64> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value, format, precision).ptr;
  return {text.data(), end};
}

}  // namespace

Result<Cores> parseCores(std::string_view text) {
  const auto refuse = [&](std::string_view why) {
    return failure(ErrorKind::Invalid, "\"" + printable(text) + "\" " + std::string(why) +
                                           "; write cores such as \"2\", \"0.5\" or \"200m\"");
  };
  double number = 0;
  const char* first = text.data();
  const char* last = first + text.size();
  const auto [end, error] = std::from_chars(first, last, number);
  if (error != std::errc() || !std::isfinite(number)) return refuse("is not a quantity of cores");
  const double scale = thousandths(std::string_view(end, static_cast<std::size_t>(last - end)));
  if (std::isnan(scale)) return refuse("has an unknown unit");
  if (number < 0) return refuse("is negative");
  const double millis = number * scale;
  if (millis > static_cast<double>(kMostCores.value())) return refuse("is more than 1000000 cores");
  // The tolerance forgives binary fractions: 0.1 cores are 100 thousandths, not 101.
  const double nearest = std::round(millis);
  const bool isNearest = std::abs(millis - nearest) <= 1e-12 * std::max(1.0, millis);
  return Cores(static_cast<std::int64_t>(isNearest ? nearest : std::ceil(millis)));
}

std::string toString(Cores cores) {
  if (cores.value() % 1000 == 0) return std::to_string(cores.value() / 1000);
  return std::to_string(cores.value()) + "m";
}

std::string toRfc3339(Time time) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
  const std::time_t stamp = seconds.time_since_epoch().count();
  std::tm parts{};
  gmtime_r(&stamp, &parts);
  std::ostringstream out;
  out.imbue(std::locale::classic());
  out << std::put_time(&parts, "%Y-%m-%dT%H:%M:%SZ");
  return out.str();
}

Result<Time> parseRfc3339(std::string_view text) {
  std::istringstream in{std::string(text)};
  in.imbue(std::locale::classic());
  std::tm parts{};
  in >> std::get_time(&parts, "%Y-%m-%dT%H:%M:%S");
  double fraction = 0;
  if (in && in.peek() == '.') in >> fraction;
  char zone = 0;
  if (!(in >> zone) || zone != 'Z' || in.peek() != std::char_traits<char>::eof()) {
    return failure(ErrorKind::Malformed, "\"" + printable(text) + "\" is not an RFC 3339 time in UTC");
  }
  return Time(Seconds(static_cast<double>(timegm(&parts)) + fraction));
}

std::string toDecimal(double value, int digits) {
  if (!std::isfinite(value)) return std::isnan(value) ? "NaN" : value > 0 ? "+Inf" : "-Inf";
  if (value == 0) return "0";
  const int magnitude = static_cast<int>(std::floor(std::log10(std::abs(value))));
  if (magnitude < -9 || magnitude > 15) return written(value, std::chars_format::general, digits);
  const double unit = std::pow(10.0, magnitude - digits + 1);
  std::string text = written(magnitude >= digits ? std::round(value / unit) * unit : value,
                             std::chars_format::fixed, std::max(0, digits - 1 - magnitude));
  if (text.find('.') == std::string::npos) return text;
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::optional<double> decimalFrom(std::string_view text) {
  if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (text.starts_with('+')) text.remove_prefix(1);
  return numberFrom<double>(text);
}

}  // namespace slaq
