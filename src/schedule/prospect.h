// What a job has still to gain, as far as its forecast reaches: the upper concave hull of the normalized loss
// reduction over the CPU time that it takes. Losses fall when an iteration is done, not before, and a curve
// may be steepest further on: the hull says what a core-second is worth on the way there.
#pragma once

#include <vector>

#include "schedule/candidate.h"

namespace slaq {

class Prospect {
 public:
  // Looks at least as far as `cpuSeconds` and at least to the end of one iteration.
  Prospect(const Candidate& candidate, double cpuSeconds);

  // The weighted normalized reduction that so much CPU time is worth: concave, never falling, 0 for none.
  double worth(double cpuSeconds) const;
  // The part of it that is there then: by whole iterations.
  double finished(double cpuSeconds) const;

 private:
  struct Point {
    double cpuSeconds;
    double reduction;
  };

  void push(Point next);
  std::size_t pointAfter(double cpuSeconds) const;

  Curve curve_;
  double scale_;  // of the curve's reductions
  double done_;   // iterations, and the part of the one under way
  double begun_;
  double cost_;              // CPU seconds of an iteration
  std::vector<Point> hull_;  // ascending, by falling slopes
};

}  // namespace slaq
