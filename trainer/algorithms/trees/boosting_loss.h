// The losses that trees are boosted for: half the squared error, and the log loss of two classes, whose
// targets are above 0 and not.
#pragma once

#include "trainer/algorithms/algorithm.h"

namespace slaq::trainer::algorithms::trees {

enum class BoostingLoss { SquaredError, LogLoss };

// By the rows, at their predictions.
struct Derivatives {
  data::Floats gradient;
  data::Floats curvature;
};

Derivatives derivatives(BoostingLoss loss, const data::Floats& predictions, const data::Floats& targets);
double lossSum(BoostingLoss loss, const data::Floats& predictions, const data::Floats& targets);

// The target as the mean is taken of it, and the one prediction that is best for all rows, given that mean.
double meanable(BoostingLoss loss, float target);
double firstPrediction(BoostingLoss loss, double mean);

}  // namespace slaq::trainer::algorithms::trees
