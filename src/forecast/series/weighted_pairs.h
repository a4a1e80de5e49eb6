// The newest pairs of a loss series with the weights of a least squares fit (section 4.2.2).
#pragma once

#include <array>
#include <cstddef>
#include <span>

namespace slaq::forecast {

// The pairs that a fit uses, ascending by iteration. The weights of older ones are negligible.
struct WeightedPairs {
  static constexpr std::size_t kMost = 32;

  std::array<double, kMost> iteration{};
  std::array<double, kMost> loss{};
  std::array<double, kMost> weight{};
  std::size_t size = 0;

  double lowest() const;
  double highest() const;
};

// REQUIRES: columns of the same length, ascending iterations, finite values, at least one pair.
WeightedPairs weigh(std::span<const double> iterations, std::span<const double> losses);

}  // namespace slaq::forecast
