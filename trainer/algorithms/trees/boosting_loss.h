// The losses that trees are boosted for: half the squared error, and the log loss of two classes, whose
// targets are above 0 and not.
#pragma once

#include "trainer/algorithms/algorithm.h"

namespace slaq::trainer {

enum class BoostingLoss { SquaredError, LogLoss };

// By the rows, at their predictions.
struct Derivatives {
  Floats gradient;
  Floats curvature;
};

Derivatives derivatives(BoostingLoss loss, const Floats& predictions, const Floats& targets);
double lossSum(BoostingLoss loss, const Floats& predictions, const Floats& targets);

// The target as the mean is taken of it, and the one prediction that is best for all rows, given that mean.
double meanable(BoostingLoss loss, float target);
double firstPrediction(BoostingLoss loss, double mean);

}  // namespace slaq::trainer
