// What was measured of the time of an iteration, size by size: of one job, or of all jobs of a kind. A plain
// value.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "forecast/speed/iteration_time.h"

namespace slaq::forecast {

class MeasuredSizes {
 public:
  // `iterations` more took `seconds` at that size, of which six digits after the point count. `weight`: of
  // how many iterations they tell as much as if their times were known exactly. REQUIRES: all finite and
  // above 0; the weight may be 0.
  void add(double measured, double seconds, double iterations, double weight);

  // By rising size, without those of which hardly anything was ever known. The weight of each is bounded, so
  // that its mean follows what is new; and the longer ago a size was measured, in sizes that were measured
  // since then, the less it weighs.
  std::span<const TimedSize> sizes() const { return sizes_; }
  bool empty() const { return sizes_.empty(); }
  // REQUIRES: not empty.
  double smallest() const { return sizes_.front().size; }
  double largest() const { return sizes_.back().size; }

 private:
  struct Sum {
    double size = 0;
    double seconds = 0;
    double iterations = 0;
    double weight = 0;
    std::size_t measured = 0;  // the number of the stay in which it was measured last
  };

  void summarize();

  std::vector<Sum> sums_;         // by rising size
  std::vector<TimedSize> sizes_;  // the same, for readers
  std::size_t stays_ = 0;         // how often another size was measured than just before
  double newest_ = 0;             // size
};

}  // namespace slaq::forecast
