// What a job can be expected to do before it has shown it: how the losses of the jobs seen so far fell on
// average. It begins with the mean of recorded trainings and is updated by jobs as they advance; older
// updates fade. A plain value; one thread owns it.
#pragma once

#include <array>
#include <optional>

#include "forecast/curves/convergence_model.h"
#include "forecast/ensemble/fitted_constants.h"
#include "forecast/series/loss_series.h"

namespace slaq::forecast {

class Population {
 public:
  explicit Population(const MeanLevels& recorded);

  // The mean level (1 at the start, 0 at the end) after that iteration; it never rises.
  double level(double iteration) const;

  // What is expected of a job of which only these few pairs are known: the population's curve, scaled by the
  // job's own first steps. Of a job without any pair: from a loss of 1 at iteration 0 down to 0. `floor` lies
  // below all losses.
  Curve curveFor(const LossSeries& series, std::optional<double> floor) const;

  // Takes in how a job's losses fell so far. The more of its reduction is done, the more it counts. REQUIRES:
  // a series from iteration 0 or 1 on, with kFewestPairs pairs at least.
  void update(const LossSeries& series, const ConvergenceModel& model);

 private:
  void updateAt(std::size_t mark, double level, double weight);
  void makeLevelsFall();

  // At each of kLevelIterations:
  MeanLevels sums_{};     // of the jobs' levels, weighted,
  MeanLevels weights_{};  // and of their weights
  MeanLevels levels_{};   // the means, made to fall
};

}  // namespace slaq::forecast
