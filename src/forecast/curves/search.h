// Finds the least value of a function of one variable: a coarse grid, then golden sections around the best
// cell.
#pragma once

#include <cmath>
#include <limits>

namespace slaq::forecast {

// Calls f(x), which returns a Candidate with a member `squaredError`. The points are spaced evenly over
// [from, to] at first, and then lie between the neighbours of the best. Returns the best candidate. The
// number of calls is grid + refinements.
template <class Function>
auto searchLeast(double from, double to, int grid, int refinements, Function f) {
  const double step = (to - from) / (grid - 1);
  auto best = f(from);
  double bestX = from;
  const auto consider = [&](double x) {
    auto candidate = f(x);
    const double error = candidate.squaredError;
    if (error < best.squaredError) {
      best = candidate;
      bestX = x;
    }
    return error;
  };
  for (int i = 1; i < grid; ++i) consider(from + step * i);

  constexpr double golden = 0.6180339887498949;
  double low = bestX - step;
  double high = bestX + step;
  double left = high - golden * (high - low);
  double right = low + golden * (high - low);
  double atLeft = consider(left);
  double atRight = consider(right);
  for (int i = 2; i < refinements; ++i) {
    if (atLeft <= atRight) {
      high = right;
      right = left;
      atRight = atLeft;
      left = high - golden * (high - low);
      atLeft = consider(left);
    } else {
      low = left;
      left = right;
      atLeft = atRight;
      right = low + golden * (high - low);
      atRight = consider(right);
    }
  }
  return best;
}

}  // namespace slaq::forecast
