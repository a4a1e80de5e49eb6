// The speed of a job by its number of cores. Either an iteration takes c*S/N seconds (section 4.2.1) and a
// serial part (Amdahl's law), or straight lines lead through points that were measured or forecast. With
// points, the speed may level off and fall.
#pragma once

#include <limits>
#include <span>

namespace slaq::forecast {

struct SpeedPoint {
  double size = 0;   // cores, or a multiple of them
  double speed = 0;  // iterations a second

  bool operator==(const SpeedPoint&) const = default;
};

// A small value; any thread may evaluate it.
class SpeedCurve {
 public:
  // An iteration takes one core-second.
  SpeedCurve() = default;

  // With N cores an iteration takes coreSeconds / N + serialSeconds. REQUIRES: coreSeconds > 0,
  // serialSeconds >= 0.
  static SpeedCurve parallel(double coreSeconds, double serialSeconds = 0);

  // Straight lines from no speed with no cores through the points, and level after the last. REQUIRES: not
  // empty, of rising sizes, all above 0; the owner of the points keeps them longer than the curve lives.
  static SpeedCurve through(std::span<const SpeedPoint> points);

  // The same curve for sizes of `unit` cores each: at(unit * size) is what at(size) was. REQUIRES: unit > 0.
  SpeedCurve inUnitsOf(double unit) const;
  // The same curve with iterations that take `factor` times as long. REQUIRES: factor > 0.
  SpeedCurve slowedBy(double factor) const;
  // The same curve, but level from `cores` on. REQUIRES: cores > 0.
  SpeedCurve levelFrom(double cores) const;

  // Iterations a second. REQUIRES: cores >= 0.
  double at(double cores) const;
  // The greatest speed with up to `cores` cores.
  double fastest(double cores) const;

 private:
  double speedOf(double size) const;

  std::span<const SpeedPoint> points_ = {};
  double coreSeconds_ = 1;  // used where there are no points
  double serialSeconds_ = 0;
  double unit_ = 1;
  double slowness_ = 1;
  double most_ = std::numeric_limits<double>::infinity();  // cores
};

}  // namespace slaq::forecast
