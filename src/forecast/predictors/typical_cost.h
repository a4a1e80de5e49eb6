// What an iteration of a job typically costs, by the jobs seen so far; older ones fade.
#pragma once

#include <optional>

namespace slaq::forecast {

class TypicalCost {
 public:
  // Of an iteration of one job; what is not above 0 says nothing.
  void update(double coreSeconds);
  // The geometric mean, in core-seconds. Empty before any is known.
  std::optional<double> mean() const;

 private:
  double logarithms_ = 0;  // discounted sums: of the costs' logarithms,
  double count_ = 0;       // and of their number
};

}  // namespace slaq::forecast
