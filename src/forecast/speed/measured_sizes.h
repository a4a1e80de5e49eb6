// The measured times of an iteration, size by size, of one job or of all jobs of a kind. A plain value.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "forecast/speed/iteration_time.h"

namespace slaq::forecast {

class MeasuredSizes {
 public:
  // Notes that `iterations` more took `seconds` at the size `measured`, of which six digits after the point
  // count. `weight` is the number of iterations with exactly known times that would tell as much. REQUIRES:
  // all finite and above 0; the weight may be 0.
  void add(double measured, double seconds, double iterations, double weight);

  // The sizes in ascending order, without those of which hardly anything was ever known. The weight of each
  // is bounded, so that its mean follows new measurements. A size weighs less, the more sizes were measured
  // since then.
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
  std::size_t stays_ = 0;         // how often the measured size changed
  double newest_ = 0;             // the size measured last
};

}  // namespace slaq::forecast
