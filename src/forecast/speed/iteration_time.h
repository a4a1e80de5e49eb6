// How long an iteration takes with N workers, as a formula: t0 + t1/N + t2 log N + t3 N, all coefficients at
// least 0 (Ernest, NSDI'16): what is serial, what is shared, and what the workers tell each other, in a tree
// and one by one.
#pragma once

#include <array>
#include <span>

namespace slaq::forecast {

// What was seen at one size.
struct TimedSize {
  double size = 1;     // N: workers, or as many times the least CPU; at least 1
  double seconds = 1;  // of an iteration, the mean
  double weight = 1;   // by how many iterations; a relative error of each of kIterationNoise is taken
};

inline constexpr double kIterationNoise = 0.1;

struct IterationTime {
  std::array<double, 4> coefficients = {0, 1, 0, 0};  // seconds

  double at(double size) const;
};

// The fit of least weighted squares of relative errors by non-negative coefficients; a further coefficient
// must explain more than chance does (Akaike's criterion). One size alone is taken for t1/N. REQUIRES: not
// empty, seconds and weights above 0.
IterationTime fitIterationTime(std::span<const TimedSize> sizes);

}  // namespace slaq::forecast
