// The speed of a job by its size, from measurements at some sizes and an expectation of all.
#pragma once

#include <vector>

#include "forecast/speed/iteration_time.h"
#include "forecast/speed/speed_curve.h"

namespace slaq::forecast {

// Iterations a second by size, from size 1 to `most`. The expectation is scaled to the measurements. With
// two sizes or more, the formula of forecast/speed/iteration_time.h is fitted to the measurements and, with
// little weight, to the scaled expectation. A size whose own mean certainly differs from the
// formula corrects it towards the mean, and in part the sizes around it. `expected` is by size, too.
// REQUIRES: `measured` is of rising sizes, all at least 1; most >= 1.
std::vector<SpeedPoint> estimateSpeed(std::span<const TimedSize> measured, const SpeedCurve& expected,
                                      double most);

}  // namespace slaq::forecast
