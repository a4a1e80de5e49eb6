// The strawman of section 4.2.2: it continues the last change of the loss.
#pragma once

#include "forecast/predictors/predictor.h"

namespace slaq::forecast {

class Strawman : public Predictor {
 public:
  static constexpr std::string_view kName = "Strawman";

  std::optional<ConvergenceModel> forecast(std::string_view uid, const LossSeries& series,
                                           const LossHints& hints, ForecastMemory& memory) const override;
};

}  // namespace slaq::forecast
