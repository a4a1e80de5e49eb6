#include "forecast/curves/hyperbola.h"

namespace slaq::forecast {
namespace {

// A hyperbola with this reach counts as a straight line; a greater reach would lose digits.
constexpr double kFarthest = 1e6;
// A hyperbola with a smaller reach than this counts as a step.
constexpr double kNearest = 1e-3;

Curve hyperbola(double k, double level, double most, double reach) {
  Curve curve{.family = CurveFamily::Sublinear, .floor = level - most, .origin = k};
  curve.b = 1 / (most * reach);
  curve.c = 1 / most;
  const bool usable = std::isfinite(curve.b) && std::isfinite(curve.c) && std::isfinite(curve.floor);
  return usable ? curve : Curve{.floor = level, .origin = k};
}

}  // namespace

Curve hyperbolaThrough(double k, double level, const Fall& near, const Fall& far) {
  const double fall = std::max(near.reduction, 0.0);
  const double later = std::max(far.reduction, fall);
  const double first = fall > 0 ? fall : later * near.ahead / far.ahead;
  if (!(first > 0)) return Curve{.floor = level, .origin = k};
  // Solves first = most near/(reach + near), and the same equation for `later`.
  const double ratio = later / first;
  const double gap = far.ahead - ratio * near.ahead;
  const double reach = gap > 0 ? near.ahead * far.ahead * (ratio - 1) / gap : kFarthest * far.ahead;
  const double bounded = std::clamp(reach, kNearest * near.ahead, kFarthest * far.ahead);
  return hyperbola(k, level, first * (bounded + near.ahead) / near.ahead, bounded);
}

Curve lineFrom(double k, double level, double slope) {
  if (!(slope > 0)) return Curve{.floor = level, .origin = k};
  return hyperbola(k, level, slope * kFarthest, kFarthest);
}

}  // namespace slaq::forecast
