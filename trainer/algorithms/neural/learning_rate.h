// The learning rate of an iteration, by the schedules in use.
#pragma once

#include <cstdint>

namespace slaq::trainer::algorithms::neural {

enum class Decay { Constant, Step, Cosine, InverseSqrt };

struct LearningRate {
  Decay decay = Decay::Constant;
  double first = 0.1;
  // Iterations from one step to the next, to the end of the cosine's fall, or to 1/sqrt(2) of the first.
  std::int64_t period = 100;

  // REQUIRES: iteration >= 0, the first being 0.
  double at(std::int64_t iteration) const;
};

}  // namespace slaq::trainer::algorithms::neural
