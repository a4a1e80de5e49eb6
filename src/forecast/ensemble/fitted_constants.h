// The constants fitted to recorded trainings: the experts that forecast them best, and their mean curve.
// evaluation/fit_constants.py fits them again, with any of the recordings left out.
#pragma once

#include <array>

#include "forecast/ensemble/expert.h"

namespace slaq::forecast {

// Iterations at which a population knows its mean level.
inline constexpr std::array kLevelIterations = {1.,  2.,  3.,  4.,  6.,  8.,   12., 16.,
                                                24., 32., 48., 64., 96., 128., 192.};
using MeanLevels = std::array<double, kLevelIterations.size()>;

struct FittedConstants {
  // The first expert's shape is Level: it can always forecast, so that the weights never add up to 0.
  Experts experts;
  // The mean level of the loss (1 at the start, 0 at the end) after each of kLevelIterations.
  MeanLevels firstCurve;

  bool operator==(const FittedConstants&) const = default;
};

// The constants that were fitted to all recorded trainings.
const FittedConstants& defaultConstants();

}  // namespace slaq::forecast
