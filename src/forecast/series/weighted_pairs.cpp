#include "forecast/series/weighted_pairs.h"

#include <algorithm>

#include "forecast/constants.h"

namespace slaq::forecast {

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

}  // namespace slaq::forecast
