// The forecast of section 4.2.2: curves of two families, fitted to the newest pairs by weighted least
// squares.
#pragma once

#include "forecast/predictors/predictor.h"

namespace slaq::forecast {

class Published : public Predictor {
 public:
  static constexpr std::string_view kName = "Published";

  std::optional<ConvergenceModel> forecast(std::string_view uid, const LossSeries& series,
                                           const LossHints& hints, ForecastMemory& memory) const override;
};

}  // namespace slaq::forecast
