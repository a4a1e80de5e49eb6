// The speed of a job by its size, from what was measured at some sizes and what is expected of all.
#pragma once

#include <vector>

#include "forecast/speed/iteration_time.h"
#include "forecast/speed/speed_curve.h"

namespace slaq::forecast {

// Iterations a second by size, from size 1 to `most`. The formula of forecast/speed/iteration_time.h is
// fitted to what was measured and, of little weight, to what is expected; where a size was measured so often
// that its own mean says something else for certain, the mean is taken, and between such sizes a part of it.
// With fewer than two sizes measured it is what is expected, scaled to the one. `expected` is by size, too.
// REQUIRES: `measured` is of rising sizes, all at least 1; most >= 1.
std::vector<SpeedPoint> estimateSpeed(std::span<const TimedSize> measured, const SpeedCurve& expected,
                                      double most);

}  // namespace slaq::forecast
