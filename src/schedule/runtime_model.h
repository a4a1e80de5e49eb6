// How fast a job's iterations go (section 4.2.1): an iteration takes c*S core-seconds, so N cores need
// c*S/N seconds for it. c*S is learned from what was seen: the iterations that went by while the number of
// cores stood still.
#pragma once

#include <array>
#include <cstddef>
#include <optional>

#include "base/units.h"

namespace slaq {

class RuntimeModel {
 public:
  // So many cores run the job's iterations now. REQUIRES: times do not go back. A change starts a new
  // measurement: iterations under way before it belong to neither size.
  void running(Time now, Cores cores);

  // The trainer had completed `iteration` at `time`. A step back in iterations starts a new measurement.
  void sample(Time time, Iterations iteration);

  // c*S in core-seconds for one iteration; empty until one was measured.
  std::optional<double> coreSecondsPerIteration() const { return cost_; }

 private:
  struct Point {
    Time time;
    double iteration = 0;
  };
  static constexpr std::size_t kWindow = 16;

  void restart(Time since);

  Cores cores_;
  Time since_;
  std::array<Point, kWindow> points_{};  // a ring of the samples since `since_`
  std::size_t count_ = 0;
  std::optional<double> cost_;
};

}  // namespace slaq
