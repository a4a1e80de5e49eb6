// How fast a job goes with some number of cores: an iteration takes c*S/N seconds (section 4.2.1), and what
// of it is serial (Amdahl's law); or straight lines through points that were measured or forecast, so that
// the speed may level off and fall.
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
  // One core-second an iteration.
  SpeedCurve() = default;

  // With N cores an iteration takes coreSeconds / N + serialSeconds. REQUIRES: coreSeconds > 0,
  // serialSeconds >= 0.
  static SpeedCurve parallel(double coreSeconds, double serialSeconds = 0);

  // A line from no speed with no cores through the points, and level after the last. REQUIRES: not empty, of
  // rising sizes, all above 0; whoever owns the points keeps them longer than the curve.
  static SpeedCurve through(std::span<const SpeedPoint> points);

  // The same for sizes of that number of cores each: at(unit * size) is what at(size) was. REQUIRES: unit >
  // 0.
  SpeedCurve inUnitsOf(double unit) const;
  // With iterations that take so many times as long. REQUIRES: factor > 0.
  SpeedCurve slowedBy(double factor) const;
  // More than so many cores are no faster. REQUIRES: cores > 0.
  SpeedCurve levelFrom(double cores) const;

  // Iterations a second. REQUIRES: cores >= 0.
  double at(double cores) const;
  // The greatest speed with up to that number of cores.
  double fastest(double cores) const;

 private:
  double speedOf(double size) const;

  std::span<const SpeedPoint> points_ = {};
  double coreSeconds_ = 1;  // where there are no points
  double serialSeconds_ = 0;
  double unit_ = 1;
  double slowness_ = 1;
  double most_ = std::numeric_limits<double>::infinity();  // cores
};

}  // namespace slaq::forecast
