// The expectation for a job that has shown little itself: how the losses of the jobs seen so far fell on
// average. It begins with the mean of recorded trainings, and jobs update it as they advance; older updates
// fade. A plain value; one thread owns it.
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

  // The mean level (1 at the start, 0 at the end) after `iteration`; it never rises.
  double level(double iteration) const;

  // The forecast for a job of which only these few pairs are known: the population's curve, scaled by the
  // job's own first steps. Without any pair, it goes from a loss of 1 at iteration 0 down to 0. `floor` lies
  // below all losses.
  Curve curveFor(const LossSeries& series, std::optional<double> floor) const;

  // Takes in how a job's losses fell so far. The more of its reduction is done, the more it counts. REQUIRES:
  // a series from iteration 0 or 1 on, with kFewestPairs pairs at least.
  void update(const LossSeries& series, const ConvergenceModel& model);

 private:
  void updateAt(std::size_t mark, double level, double weight);
  void makeLevelsFall();

  // At each of kLevelIterations:
  MeanLevels sums_{};     // weighted sums of the jobs' levels,
  MeanLevels weights_{};  // sums of their weights,
  MeanLevels levels_{};   // and the means, made never to rise
};

}  // namespace slaq::forecast
