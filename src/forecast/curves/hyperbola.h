// The hyperbola level - most h/(reach + h), h iterations from now. Such a forecast falls ever more slowly,
// and allocators can invert it with one square root. As a Curve it is Sublinear with a = 0.
#pragma once

#include "forecast/constants.h"
#include "forecast/curves/curve.h"

namespace slaq::forecast {

// The loss falls by `reduction` within the next `ahead` iterations. `ahead` is above 0.
struct Fall {
  double ahead = 1;
  double reduction = 0;
};

// After k iterations, forecasts are drawn through the falls expected within kNearAhead iterations and within
// this number of iterations.
inline double farAhead(double k) { return std::max(3 * kNearAhead, 3 * k); }

// The hyperbola that begins with `level` at iteration k and has both falls. It comes as close to them as a
// curve can that falls ever more slowly and never rises. REQUIRES: finite numbers, near.ahead < far.ahead.
Curve hyperbolaThrough(double k, double level, const Fall& near, const Fall& far);

// A straight line at any distance that matters: down by `slope` an iteration, or level if `slope` is not
// above 0.
Curve lineFrom(double k, double level, double slope);

}  // namespace slaq::forecast
