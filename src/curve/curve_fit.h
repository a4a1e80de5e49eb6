// Weighted least squares for the curve families of section 4.2.2. Each family has one parameter that
// enters nonlinearly (the floor d, respectively the rate -log mu); for a given value of it the others follow
// from a small linear system, so the fit is a search in one dimension (variable projection).
#pragma once

#include <array>
#include <optional>
#include <span>

#include "curve/curve.h"

namespace slaq {

// Weights decay by this factor for each sample into the past. Per sample and not per iteration: samples
// are sparse, and by iterations all but the newest would vanish.
inline constexpr double kWeightDecay = 0.8;

// The pairs a fit looks at: the newest ones, ascending, older ones having no weight left to speak of.
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

struct CurveFit {
  Curve curve;
  double squaredError = 0;  // weighted sum over the pairs
};

// Never fails: pairs that do not fall give the constant of their weighted mean.
CurveFit fitSublinear(const WeightedPairs& pairs);
CurveFit fitSuperlinear(const WeightedPairs& pairs);

// For losses that follow no family (section 7): the recent rate of fall by the median of slopes, which noise
// and spikes hardly move. It is taken towards `target`, below all losses, where there is one; else it is
// expected to go on for about as long as the training has gone already. A plateau may end: the rate is never
// taken for less than a tenth of that since the start.
// REQUIRES: columns of the same length, ascending iterations, finite values, at least two pairs.
Curve fitTrend(std::span<const double> iterations, std::span<const double> losses,
               std::optional<double> target);

}  // namespace slaq
