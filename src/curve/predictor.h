// Forecasts by name. A predictor makes a model of one job's losses, from them and from what it keeps about
// the job and, for PredictorName::Ensemble, about the population of jobs.
#pragma once

#include <optional>

#include "curve/convergence_model.h"
#include "curve/ensemble.h"
#include "curve/population.h"
#include "curve/predictor_name.h"

namespace slaq {

// Decisions never expect less than this share of what the population would do: a plateau may end, and a job
// that is given nothing shows nothing. More than that is paid for by the jobs that do fall.
inline constexpr double kOptimism = 0.03;

// What a job's owner says of its loss.
struct LossHints {
  Convergence convergence = Convergence::Auto;
  std::optional<double> target = {};
};

// Taught by one thread; forecasts of different jobs may be made by several while nobody teaches.
struct Predictor {
  PredictorName name = PredictorName::Ensemble;
  Population population = {};

  // A job to be forecast, with its own ensemble.
  struct Asked {
    const LossSeries* series;
    LossHints hints;
    Ensemble* ensemble;
  };
  // What forecasts of these jobs would begin with, done for all together, which takes less time. Meanwhile
  // loads what is needed next. REQUIRES: kTogether jobs at most.
  void prepare(std::span<const Asked> jobs, PrefetchQueue& ahead) const;

  // The forecast of the series as it is now; `ensemble` is the job's own. Empty with fewer than kFewestPairs
  // pairs, except by the Ensemble, which then forecasts from the population.
  std::optional<ConvergenceModel> forecast(const LossSeries& series, const LossHints& hints,
                                           Ensemble& ensemble) const;
};

}  // namespace slaq
