// Forecasts the loss of a job. Each way to do so is one implementation, with a name in
// forecast/predictors/registry.h.
#pragma once

#include <any>
#include <optional>
#include <string_view>

#include "forecast/curves/convergence_model.h"
#include "forecast/series/loss_series.h"
#include "job/job.h"

namespace slaq::forecast {

// Hints about a job's loss from its manifest.
struct LossHints {
  Convergence convergence = Convergence::Auto;
  std::optional<double> target = {};
  std::string_view kind = {};  // the jobs that it resembles; empty: none
};

// The memory that a predictor keeps about one job between its forecasts. Only the predictor knows its type.
using ForecastMemory = std::any;

// The losses that a job has shown so far, for forecasts of other jobs.
struct JobRecord {
  const LossSeries& series;
  const ConvergenceModel& model;  // of the series
  std::string_view uid;           // of the job
  std::string_view kind = {};     // empty: none
  bool countsForAll = true;       // if not, it counts only for its kind
};

// Several threads may ask for forecasts of different jobs at the same time, but not during an update.
class Predictor {
 public:
  virtual ~Predictor() = default;

  // The forecast of the series as it is now, for the job with this UID. `memory` is the job's own, empty at
  // first. The result is empty where nothing can be forecast yet.
  virtual std::optional<ConvergenceModel> forecast(std::string_view uid, const LossSeries& series,
                                                   const LossHints& hints, ForecastMemory& memory) const = 0;

  // Takes in what a job has shown. Called when the job has come twice as far as at the last call, for jobs of
  // its kind from the first iteration on, for all jobs after some iterations. REQUIRES: a series from
  // iteration 0 or 1 on, with two pairs at least, or kFewestPairs where it counts for all.
  virtual void update(const JobRecord&) {}
};

}  // namespace slaq::forecast
