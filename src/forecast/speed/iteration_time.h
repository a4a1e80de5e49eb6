// The time of an iteration with N workers: t0 + t1/N + t2 log N + t3 N, all coefficients at least 0 (Ernest,
// NSDI'16). The terms are the serial work, the shared work, and the communication between workers, in a tree
// and one by one.
#pragma once

#include <array>
#include <span>

namespace slaq::forecast {

// The times measured at one size.
struct TimedSize {
  double size = 1;     // N: workers, or multiples of the least CPU; at least 1
  double seconds = 1;  // the mean time of an iteration
  double weight = 1;   // the number of iterations; the relative error of each is taken as kIterationNoise
};

struct IterationTime {
  std::array<double, 4> coefficients = {0, 1, 0, 0};  // seconds

  double at(double size) const;
};

// Fits non-negative coefficients by the least weighted squares of relative errors. A further coefficient must
// explain more than chance does (Akaike's criterion). One size alone counts as t1/N. REQUIRES: not empty,
// seconds and weights above 0.
IterationTime fitIterationTime(std::span<const TimedSize> sizes);

}  // namespace slaq::forecast
