#include "scheduler/state/remaining.h"

#include <algorithm>
#include <limits>

namespace slaq::scheduler {
namespace {

// The shortest remaining part, in iterations: no end is known more exactly.
constexpr double kLeastRemaining = 0.1;

std::optional<double> aheadToLevel(const JobHistory& history, double iteration, double level) {
  const double first = history.series.empty() ? 1 : history.series.first().value();
  return iterationsToLevel(*history.model, first, iteration, level);
}

}  // namespace

std::optional<double> remainingIterations(const JobHistory& history, const StopSpec& stop, double iteration) {
  constexpr double kNotKnown = std::numeric_limits<double>::infinity();
  double ahead = kNotKnown;
  if (stop.maxIterations) ahead = static_cast<double>(*stop.maxIterations) - iteration;
  if (history.expectedLength) ahead = std::min(ahead, *history.expectedLength - iteration);
  if (stop.lossReductionPercent && ownModel(history)) {
    const double level = 1 - *stop.lossReductionPercent / 100;
    ahead = std::min(ahead, aheadToLevel(history, iteration, level).value_or(kNotKnown));
  }
  if (ahead == kNotKnown) ahead = aheadToLevel(history, iteration, kDoneLevel).value_or(kNotKnown);
  if (ahead == kNotKnown) return std::nullopt;
  return std::max(kLeastRemaining, ahead);
}

}  // namespace slaq::scheduler
