// Fitted constants of the forecasts.
#include "fuzz/checks.h"
#include "simulate/input/constants_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace slaq;
  const auto constants = simulate::readConstants("c.yaml", fuzz::textOf(data, size));
  if (!constants) {
    fuzz::checkSentences(constants.error().message);
    return 0;
  }
  for (const double level : constants->firstCurve)
    fuzz::check(level >= 0 && level <= 1, "a level is from 0 to 1");
  fuzz::check(constants->experts.front().shape == forecast::Shape::Level,
              "the first expert can always forecast");
  return 0;
}
