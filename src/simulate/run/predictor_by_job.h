// A predictor for simulations: it forecasts jobs that name their own fitted constants with these, and all
// other jobs with those of the run. Each of the inner predictors learns from all jobs.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "forecast/predictors/registry.h"
#include "simulate/input/workload.h"

namespace slaq::simulate {

class PredictorByJob : public forecast::Predictor {
 public:
  // The constants of the run, like the workload's, outlive the predictor. REQUIRES: one of predictorNames().
  PredictorByJob(std::string_view name, const forecast::FittedConstants& constants, const Workload& workload);

  std::optional<forecast::ConvergenceModel> forecast(std::string_view uid, const forecast::LossSeries& series,
                                                     const forecast::LossHints& hints,
                                                     forecast::ForecastMemory& memory) const override;
  void update(const forecast::JobRecord& job) override;

 private:
  std::vector<std::unique_ptr<forecast::Predictor>> predictors_;  // the first one has the run's constants
  std::map<std::string, const forecast::Predictor*, std::less<>> byUid_;  // the jobs with their own constants
};

}  // namespace slaq::simulate
