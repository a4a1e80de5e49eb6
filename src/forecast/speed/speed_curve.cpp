#include "forecast/speed/speed_curve.h"

#include <algorithm>

namespace slaq::forecast {

SpeedCurve SpeedCurve::parallel(double coreSeconds, double serialSeconds) {
  SpeedCurve curve;
  curve.coreSeconds_ = coreSeconds;
  curve.serialSeconds_ = serialSeconds;
  return curve;
}

SpeedCurve SpeedCurve::through(std::span<const SpeedPoint> points) {
  SpeedCurve curve;
  curve.points_ = points;
  return curve;
}

SpeedCurve SpeedCurve::inUnitsOf(double unit) const {
  SpeedCurve curve = *this;
  curve.unit_ *= unit;
  curve.most_ *= unit;
  return curve;
}

SpeedCurve SpeedCurve::slowedBy(double factor) const {
  SpeedCurve curve = *this;
  curve.slowness_ *= factor;
  return curve;
}

SpeedCurve SpeedCurve::levelFrom(double cores) const {
  SpeedCurve curve = *this;
  curve.most_ = std::min(most_, cores);
  return curve;
}

double SpeedCurve::at(double cores) const { return speedOf(std::min(cores, most_) / unit_) / slowness_; }

double SpeedCurve::speedOf(double size) const {
  if (points_.empty()) return size / (coreSeconds_ + serialSeconds_ * size);
  const auto after = std::ranges::lower_bound(points_, size, {}, &SpeedPoint::size);
  if (after == points_.end()) return points_.back().speed;
  const SpeedPoint from = after == points_.begin() ? SpeedPoint{} : *(after - 1);
  return from.speed + (size - from.size) * (after->speed - from.speed) / (after->size - from.size);
}

double SpeedCurve::fastest(double cores) const {
  double fastest = at(cores);
  for (const SpeedPoint& point : points_) {
    if (point.size * unit_ < cores) fastest = std::max(fastest, at(point.size * unit_));
  }
  return fastest;
}

}  // namespace slaq::forecast
