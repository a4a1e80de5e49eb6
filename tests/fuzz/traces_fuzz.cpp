// Tables of two columns: the losses of a training, and the times of its iterations.
#include <cmath>

#include "fuzz/checks.h"
#include "simulate/input/scaling.h"
#include "simulate/input/trace.h"

namespace slaq::fuzz {
namespace {

void readAsTrace(std::string_view text) {
  const auto trace = simulate::readTrace("t.csv", text);
  if (!trace) return checkSentence(trace.error().message);
  check(trace->losses.size() >= 2, "a trace has two losses");
  for (const double loss : trace->losses) check(std::abs(loss) <= 1e100, "a loss is in bounds");
}

void readAsScaling(std::string_view text) {
  const auto scaling = simulate::readScaling("s.csv", text);
  if (!scaling) return checkSentence(scaling.error().message);
  double before = 0;
  for (const auto& [size, speed] : scaling->speeds) {
    check(size > before && size <= 1e6, "sizes rise");
    check(std::isfinite(speed) && speed > 0, "a speed is a number above 0");
    before = size;
  }
  check(scaling->most() == Workers(static_cast<std::int32_t>(before)), "the last size is the most");
}

}  // namespace
}  // namespace slaq::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto text = slaq::fuzz::textOf(data, size);
  slaq::fuzz::readAsTrace(text);
  slaq::fuzz::readAsScaling(text);
  return 0;
}
