#include "curve/curve_fit.h"

#include <algorithm>

namespace slaq {

std::string_view name(CurveFamily family) {
  switch (family) {
    case CurveFamily::Constant:
      return "Constant";
    case CurveFamily::Sublinear:
      return "Sublinear";
    case CurveFamily::Superlinear:
      return "Superlinear";
    case CurveFamily::Trend:
      return "Trend";
    case CurveFamily::Tabulated:
      return "Tabulated";
  }
  return "Constant";
}

double WeightedPairs::lowest() const { return *std::min_element(loss.begin(), loss.begin() + size); }
double WeightedPairs::highest() const { return *std::max_element(loss.begin(), loss.begin() + size); }

WeightedPairs weigh(std::span<const double> iterations, std::span<const double> losses) {
  WeightedPairs pairs;
  pairs.size = std::min(iterations.size(), WeightedPairs::kMost);
  const std::size_t skipped = iterations.size() - pairs.size;
  double weight = 1;
  for (std::size_t i = pairs.size; i-- > 0;) {
    pairs.iteration[i] = iterations[skipped + i];
    pairs.loss[i] = losses[skipped + i];
    pairs.weight[i] = weight;
    weight *= kWeightDecay;
  }
  return pairs;
}

}  // namespace slaq
