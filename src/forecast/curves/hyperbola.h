// The hyperbola level - most h/(reach + h), h iterations from now: a forecast that falls ever more slowly and
// that allocators can invert with one square root. As a Curve it is Sublinear with a = 0.
#pragma once

#include "forecast/curves/curve.h"

namespace slaq::forecast {

// The loss falls by `reduction` within the next `ahead` iterations, > 0.
struct Fall {
  double ahead = 1;
  double reduction = 0;
};

// Forecasts are drawn through what is expected within these two numbers of iterations: soon, and far ahead.
inline constexpr double kNearAhead = 10;
inline double farAhead(double k) { return std::max(3 * kNearAhead, 3 * k); }

// The hyperbola that begins with `level` at iteration k and has both falls: as closely as one that falls ever
// more slowly and never rises can. REQUIRES: finite numbers, near.ahead < far.ahead.
Curve hyperbolaThrough(double k, double level, const Fall& near, const Fall& far);

// A straight line, as far as anybody looks: down by `slope` an iteration, or level where that is not above 0.
Curve lineFrom(double k, double level, double slope);

}  // namespace slaq::forecast
