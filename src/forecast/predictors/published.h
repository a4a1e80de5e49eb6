// The forecast of section 4.2.2: curves of two families, fitted to the newest pairs by weighted least
// squares.
#pragma once

#include "forecast/predictors/predictor.h"
#include "forecast/predictors/typical_cost.h"

namespace slaq::forecast {

class Published : public Predictor {
 public:
  static constexpr std::string_view kName = "Published";

  std::string_view name() const override { return kName; }
  std::optional<ConvergenceModel> forecast(std::string_view uid, const LossSeries& series,
                                           const LossHints& hints, ForecastMemory& memory) const override;
  void update(const JobRecord& job) override;
  std::optional<double> typicalCost() const override { return cost_.mean(); }

 private:
  TypicalCost cost_;
};

}  // namespace slaq::forecast
