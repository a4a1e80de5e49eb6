#include "base/figures.h"

#include <cmath>

namespace slaq {
namespace {

// With a gain of so much a core-second, a core needs 30 years for what a job has to gain from its first loss
// to its last: that is the rounding of a forecast.
constexpr double kLeastGain = 1e-9;

}  // namespace

std::string counted(std::int64_t count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

std::string counted(Workers count) { return counted(count.value(), "worker"); }

std::string coresText(Cores cores) { return toString(cores) + (cores == Cores(1000) ? " core" : " cores"); }

std::string decimalCoresText(Cores cores) {
  return toDecimal(inCores(cores)) + (cores == Cores(1000) ? " core" : " cores");
}

std::string memoryText(Mebibytes memory) {
  constexpr std::int64_t kGibibyte = 1024;
  if (memory.value() < kGibibyte) return std::to_string(memory.value()) + " MiB";
  return toDecimal(static_cast<double>(memory.value()) / kGibibyte, 3) + " GiB";
}

std::string gainText(double gain, int digits) {
  return std::abs(gain) < kLeastGain ? "0" : toDecimal(gain, digits);
}

}  // namespace slaq
