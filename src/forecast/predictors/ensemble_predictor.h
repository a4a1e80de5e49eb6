// Forecasts by an ensemble of experts for each job (forecast/ensemble/ensemble.h), and before a job has shown
// enough for that, by the population of jobs (forecast/ensemble/population.h).
#pragma once

#include <string>

#include "forecast/ensemble/population.h"
#include "forecast/predictors/predictor.h"
#include "forecast/speed/recent_map.h"

namespace slaq::forecast {

// Decisions never expect less than this share of what the population would do: a plateau may end, and a job
// that is given nothing shows nothing. More than that is paid for by the jobs that do fall.
inline constexpr double kOptimism = 0.03;

class EnsemblePredictor : public Predictor {
 public:
  static constexpr std::string_view kName = "Ensemble";

  // The constants outlive the predictor.
  explicit EnsemblePredictor(const FittedConstants& constants);

  std::string_view name() const override { return kName; }
  // Never empty.
  std::optional<ConvergenceModel> forecast(std::string_view uid, const LossSeries& series,
                                           const LossHints& hints, ForecastMemory& memory) const override;
  double update(const JobRecord& job) override;

  const Population& population() const { return population_; }

 private:
  const FittedConstants& constants_;
  Population population_;
  RecentMap<std::string, Population, 500> kinds_;
};

}  // namespace slaq::forecast
