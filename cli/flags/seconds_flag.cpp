#include "cli/flags/seconds_flag.h"

#include "base/units.h"

namespace slaq::cli::flags {

CLI::Validator numberBetween(double least, double most, const std::string& unit) {
  const std::string range = toDecimal(least) + " to " + toDecimal(most, 6);
  const auto check = [=](const std::string& text) -> std::string {
    const auto number = decimalFrom(text);
    if (number && *number >= least && *number <= most) return "";
    return "must be a number of " + unit + " from " + range + ", not \"" + text + "\"";
  };
  return CLI::Validator(check, unit + " in [" + range + "]", "");
}

CLI::Validator secondsBetween(double least, double most) { return numberBetween(least, most, "seconds"); }

}  // namespace slaq::cli::flags
