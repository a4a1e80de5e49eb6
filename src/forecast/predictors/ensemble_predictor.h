// Forecasts by an ensemble of experts for each job (forecast/ensemble/ensemble.h), and before a job has shown
// enough for that, by the population of jobs (forecast/ensemble/population.h). Decisions go by the mean of
// that and of what earlier trainings of the job's kind did (forecast/ensemble/past_curves.h).
#pragma once

#include <string>

#include "forecast/ensemble/past_curves.h"
#include "forecast/ensemble/population.h"
#include "forecast/predictors/predictor.h"
#include "forecast/speed/recent_map.h"

namespace slaq::forecast {

class EnsemblePredictor : public Predictor {
 public:
  static constexpr std::string_view kName = "Ensemble";

  // The constants outlive the predictor.
  explicit EnsemblePredictor(const FittedConstants& constants);

  // Never empty.
  std::optional<ConvergenceModel> forecast(std::string_view uid, const LossSeries& series,
                                           const LossHints& hints, ForecastMemory& memory) const override;
  void update(const JobRecord& job) override;

  const Population& population() const { return population_; }

 private:
  const FittedConstants& constants_;
  Population population_;
  RecentMap<std::string, PastCurves, 500> kinds_;
};

}  // namespace slaq::forecast
