#include "forecast/predictors/typical_cost.h"

#include <cmath>

namespace slaq::forecast {
namespace {

constexpr double kRemembered = 100;  // jobs after which an update has faded

}  // namespace

void TypicalCost::update(double coreSeconds) {
  if (!(coreSeconds > 0) || !std::isfinite(coreSeconds)) return;
  const double kept = 1 - 1 / kRemembered;
  logarithms_ = kept * logarithms_ + std::log(coreSeconds);
  count_ = kept * count_ + 1;
}

std::optional<double> TypicalCost::mean() const {
  if (!(count_ > 0)) return std::nullopt;
  return std::exp(logarithms_ / count_);
}

}  // namespace slaq::forecast
