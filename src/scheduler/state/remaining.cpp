#include "scheduler/state/remaining.h"

#include <algorithm>
#include <limits>

#include "scheduler/constants.h"

namespace slaq::scheduler {
namespace {

std::optional<double> aheadToLevel(const LossHistory& losses, double iteration, double level) {
  const double first = losses.series.empty() ? 1 : losses.series.first().value();
  return iterationsToLevel(*losses.model, first, iteration, level);
}

}  // namespace

std::optional<double> remainingIterations(const JobHistory& history, const StopSpec& stop, double iteration) {
  constexpr double kNotKnown = std::numeric_limits<double>::infinity();
  double ahead = kNotKnown;
  if (stop.maxIterations) ahead = static_cast<double>(*stop.maxIterations) - iteration;
  if (history.expected.length) ahead = std::min(ahead, *history.expected.length - iteration);
  if (stop.lossReductionPercent && ownModel(history)) {
    const double level = 1 - *stop.lossReductionPercent / 100;
    ahead = std::min(ahead, aheadToLevel(history.losses, iteration, level).value_or(kNotKnown));
  }
  if (ahead == kNotKnown) ahead = aheadToLevel(history.losses, iteration, kDoneLevel).value_or(kNotKnown);
  if (ahead == kNotKnown) return std::nullopt;
  return std::max(kLeastRemaining, ahead);
}

}  // namespace slaq::scheduler
