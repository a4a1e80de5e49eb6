#include "trainer/algorithms/trees/boosting_loss.h"

#include <algorithm>
#include <cmath>

namespace slaq::trainer::algorithms::trees {
namespace {

data::Floats ones(const data::Floats& targets) { return (targets.array() > 0).cast<float>(); }

}  // namespace

Derivatives derivatives(BoostingLoss loss, const data::Floats& predictions, const data::Floats& targets) {
  if (loss == BoostingLoss::SquaredError) return {predictions - targets, data::Floats::Ones(targets.size())};
  const data::Floats chance = 1.0f / (1.0f + (-predictions.array()).exp());
  return {chance - ones(targets), chance.array() * (1.0f - chance.array())};
}

double lossSum(BoostingLoss loss, const data::Floats& predictions, const data::Floats& targets) {
  if (loss == BoostingLoss::SquaredError) return 0.5 * (predictions - targets).cast<double>().squaredNorm();
  const Eigen::ArrayXf margins = (2.0f * ones(targets).array() - 1.0f) * predictions.array();
  const Eigen::ArrayXf losses = (-margins).max(0.0f) + (1.0f + (-margins.abs()).exp()).log();
  return losses.cast<double>().sum();
}

double meanable(BoostingLoss loss, float target) {
  return loss == BoostingLoss::SquaredError ? target : (target > 0 ? 1.0 : 0.0);
}

double firstPrediction(BoostingLoss loss, double mean) {
  if (loss == BoostingLoss::SquaredError) return mean;
  constexpr double kSurest = 1e-6;  // where all rows are of one class
  const double chance = std::clamp(mean, kSurest, 1 - kSurest);
  return std::log(chance / (1 - chance));
}

}  // namespace slaq::trainer::algorithms::trees
