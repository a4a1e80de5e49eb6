// The strawman of section 4.2.2: the last change of the loss goes on.
#pragma once

#include "forecast/predictors/predictor.h"
#include "forecast/predictors/typical_cost.h"

namespace slaq::forecast {

class Strawman : public Predictor {
 public:
  static constexpr std::string_view kName = "Strawman";

  std::string_view name() const override { return kName; }
  std::optional<ConvergenceModel> forecast(std::string_view uid, const LossSeries& series,
                                           const LossHints& hints, ForecastMemory& memory) const override;
  void update(const JobRecord& job) override;
  std::optional<double> typicalCost() const override { return cost_.mean(); }

 private:
  TypicalCost cost_;
};

}  // namespace slaq::forecast
