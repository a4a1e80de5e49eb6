// Forecasts by name: what of one job is kept for them, and the model that each makes of it.
#pragma once

#include <optional>

#include "curve/convergence_model.h"
#include "curve/ensemble.h"
#include "curve/predictor_name.h"

namespace slaq {

// What a job's owner says of its loss.
struct LossHints {
  Convergence convergence = Convergence::Auto;
  std::optional<double> target = {};
};

// The forecast of the series as it is now, by the predictor of that name; `ensemble` is the job's own, and is
// moved on by PredictorName::Ensemble only. Empty with too few pairs.
std::optional<ConvergenceModel> forecastBy(PredictorName predictor, const LossSeries& series,
                                           const LossHints& hints, Ensemble& ensemble);

}  // namespace slaq
