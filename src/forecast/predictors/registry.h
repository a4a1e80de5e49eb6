// All predictors by name.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "forecast/ensemble/fitted_constants.h"
#include "forecast/predictors/predictor.h"

namespace slaq::forecast {

std::vector<std::string_view> predictorNames();

// The constants outlive the predictor. Null if no predictor has that name.
std::unique_ptr<Predictor> makePredictor(std::string_view name, const FittedConstants& constants);

}  // namespace slaq::forecast
