// Quantities of cores, times and decimals, as Kubernetes and people write them.
#include <cmath>
#include <limits>

#include "base/units.h"
#include "fuzz/checks.h"

namespace slaq::fuzz {
namespace {

void readAsCores(std::string_view text) {
  const auto cores = parseCores(text);
  if (!cores) return checkSentence(cores.error().message);
  check(*cores >= Cores() && cores->value() <= 1'000'000'000'000'000, "cores are within bounds");
  const auto again = parseCores(toString(*cores));
  check(again && *again == *cores, "cores are the same after they are written and read");
}

void readAsTime(std::string_view text) {
  const auto time = parseRfc3339(text);
  if (!time) return checkSentence(time.error().message);
  check(std::isfinite(time->time_since_epoch().count()), "a time is a finite number of seconds");
  const auto whole = parseRfc3339(toRfc3339(*time));
  check(whole.has_value(), "a time that was read can be written and read");
  check(*whole <= *time && *time - *whole < Seconds(1), "a time is the same up to its fraction");
}

void readAsDecimal(std::string_view text) {
  const auto number = decimalFrom(text);
  if (!number || !std::isfinite(*number)) return;
  const auto again = decimalFrom(toDecimal(*number, 6));
  check(again.has_value(), "a decimal that was read can be written and read");
  if (!std::isfinite(*again)) return;  // the largest of all, rounded up
  check(std::abs(*again - *number) <= 1e-5 * std::abs(*number) + std::numeric_limits<double>::min(),
        "a decimal is the same up to its digits");
}

}  // namespace
}  // namespace slaq::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = slaq::fuzz::textOf(data, size);
  slaq::fuzz::readAsCores(text);
  slaq::fuzz::readAsTime(text);
  slaq::fuzz::readAsDecimal(text);
  return 0;
}
