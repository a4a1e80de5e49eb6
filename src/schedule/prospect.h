// What a job has still to gain, as far as its forecast reaches: the upper concave hull of the normalized loss
// reduction over the CPU time that it takes. Losses fall when an iteration is done, not before, and a curve
// may be steepest further on: the hull says what a core-second is worth on the way there. A curve that falls
// ever more slowly is its own hull.
#pragma once

#include <vector>

#include "schedule/candidate.h"

namespace slaq {

// One thread uses it: it remembers the iteration that was asked for last.
class Prospect {
 public:
  // Looks at least as far as `cpuSeconds` and at least to the end of one iteration. Draws the hull, which
  // pays where it is asked often.
  Prospect(const Candidate& candidate, double cpuSeconds);
  // Of a curve that is its own hull, however far. REQUIRES: it falls ever more slowly from the last whole
  // iteration on.
  explicit Prospect(const Candidate& candidate);

  // The weighted normalized reduction that so much CPU time is worth: concave, never falling, 0 for none.
  double worth(double cpuSeconds) const;
  // The part of it that is there then: by whole iterations.
  double finished(double cpuSeconds) const;

  // The curve is its own hull.
  bool isOwnHull() const { return hull_.empty(); }
  // The whole iterations that are done, and the part of the one under way.
  double done() const { return done_; }
  double begun() const { return begun_; }
  // Reductions are not known better: the roundings of the losses that they are differences of.
  double rounding() const;

 private:
  struct Point {
    double cpuSeconds;
    double reduction;
  };
  struct Piece {
    double iteration = 0;  // after so many
    Point from{}, to{};

    bool holds(double cpuSeconds) const {
      return from.cpuSeconds <= cpuSeconds && cpuSeconds < to.cpuSeconds;
    }
  };

  static double between(const Point& from, const Point& to, double cpuSeconds);
  Point endOf(double iteration) const;
  void drawHull(double reach);
  void push(Point next);
  const Piece& pieceAt(double cpuSeconds) const;
  Piece pieceOf(double iteration) const;
  std::size_t pointAfter(double cpuSeconds) const;

  Curve curve_;
  double scale_;  // of the curve's reductions
  double done_;   // iterations, and the part of the one under way
  double begun_;
  double cost_;              // CPU seconds of an iteration
  double now_;               // the loss after those that are done
  std::vector<Point> hull_;  // ascending, by falling slopes; empty where the curve is its own
  mutable Piece last_;
};

// What so many units promise in an epoch: half counts what they are worth, half what of it is there by then.
double promiseOf(const Prospect& prospect, const Candidate& candidate, std::int32_t units, Seconds epoch);

}  // namespace slaq
