// Demands, and what tests of divisions among them share.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "scheduler/allocation/demand.h"

namespace slaq::scheduler {

inline constexpr Seconds kEpoch{3};

// A job whose loss falls like amplitude * exp(-rate k), one core-second an iteration.
inline Demand learner(double amplitude, double rate, int min = 1, int max = 1000,
                      Cores perUnit = Cores(1000)) {
  Demand demand{.min = min, .max = max, .perUnit = perUnit};
  demand.curve =
      forecast::Curve{.family = forecast::CurveFamily::Superlinear, .amplitude = amplitude, .rate = rate};
  return demand;
}

class Random {
 public:
  explicit Random(unsigned seed) : random_(seed) {}

  int whole(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
  double part() { return std::uniform_real_distribution<double>()(random_); }

 private:
  std::mt19937_64 random_;
};

inline Cores coresOf(const std::vector<Demand>& demands, const Allocation& allocation) {
  Cores sum;
  for (std::size_t i = 0; i < demands.size(); ++i) sum += demands[i].cores(allocation[i]);
  return sum;
}

}  // namespace slaq::scheduler
