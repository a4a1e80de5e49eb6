#include "cli/flags/seconds_flag.h"

#include "base/units.h"

namespace slaq::cli::flags {

CLI::Validator secondsBetween(double least, double most) {
  const std::string range = toDecimal(least) + " to " + toDecimal(most, 6);
  const auto check = [=](const std::string& text) -> std::string {
    const auto seconds = decimalFrom(text);
    if (seconds && *seconds >= least && *seconds <= most) return "";
    return "must be a number of seconds from " + range + ", not \"" + text + "\"";
  };
  return CLI::Validator(check, "SECONDS in [" + range + "]", "");
}

}  // namespace slaq::cli::flags
