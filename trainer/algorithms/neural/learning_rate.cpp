#include "trainer/algorithms/neural/learning_rate.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace slaq::trainer::algorithms::neural {
namespace {

constexpr double kStep = 0.3;    // of the rate before
constexpr double kLeast = 0.01;  // of the first: a cosine ends there, for the training not to stand still

}  // namespace

double LearningRate::at(std::int64_t iteration) const {
  const double periods = static_cast<double>(iteration) / static_cast<double>(period);
  switch (decay) {
    case Decay::Constant:
      return first;
    case Decay::Step:
      return first * std::pow(kStep, std::floor(periods));
    case Decay::Cosine: {
      const double fallen = 0.5 * (1 + std::cos(std::numbers::pi * std::min(periods, 1.0)));
      return first * (kLeast + (1 - kLeast) * fallen);
    }
    case Decay::InverseSqrt:
      return first / std::sqrt(1 + periods);
  }
  return first;
}

}  // namespace slaq::trainer::algorithms::neural
