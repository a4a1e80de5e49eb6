#include "trainer/options/number_flag.h"

#include <optional>
#include <string>
#include <string_view>

#include "base/text.h"
#include "base/units.h"
#include "trainer/problem/settings.h"

namespace slaq::trainer::options {
namespace {

// What a setting takes as a whole number, a flag takes too.
std::optional<std::uint64_t> wholeIn(std::string_view text) {
  if (const auto digits = numberFrom<std::uint64_t>(text)) return digits;
  const auto value = problem::parse(problem::Setting{.kind = problem::Setting::Kind::Whole}, text);
  if (!value || !(std::get<double>(*value) >= 0)) return std::nullopt;
  return static_cast<std::uint64_t>(std::get<double>(*value));
}

std::string refusal(const std::string& what, const std::string& range, const std::string& text) {
  return "must be a " + what + " " + range + ", not \"" + text + "\"";
}

}  // namespace

CLI::Validator wholeNumber(std::uint64_t least, std::uint64_t most) {
  const auto check = [=](std::string& text) -> std::string {
    const auto whole = wholeIn(text);
    if (!whole || *whole < least || *whole > most) {
      return refusal("whole number", "from " + std::to_string(least), text);
    }
    text = std::to_string(*whole);
    return "";
  };
  return CLI::Validator(check, "");
}

CLI::Validator number(double least, double most) {
  const bool bounded = most < std::numeric_limits<double>::max();
  const std::string range = "from " + toDecimal(least) + (bounded ? " to " + toDecimal(most, 6) : "");
  const auto check = [=](const std::string& text) -> std::string {
    const auto value = decimalFrom(text);
    return value && *value >= least && *value <= most ? "" : refusal("number", range, text);
  };
  return CLI::Validator(check, "");
}

}  // namespace slaq::trainer::options
