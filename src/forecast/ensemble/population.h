// What a job can be expected to do before it has shown it: how the losses of the jobs seen so far fell on
// average. It begins with the mean of recorded trainings and is updated by jobs as they advance; older
// updates fade. A plain value; one thread owns it.
#pragma once

#include <array>
#include <optional>

#include "forecast/curves/convergence_model.h"
#include "forecast/curves/hyperbola.h"
#include "forecast/ensemble/fitted_constants.h"
#include "forecast/series/loss_series.h"

namespace slaq::forecast {

class Population {
 public:
  // `jobs`: how many jobs the recorded trainings count as.
  explicit Population(const MeanLevels& recorded, double jobs = 4);

  // How many jobs, as far as they had come, it was updated by.
  double jobs() const { return jobs_; }

  // The mean level (1 at the start, 0 at the end) after that iteration; it never rises.
  double level(double iteration) const;

  // What is expected of a job of which only these few pairs are known: the population's curve, scaled by the
  // job's own first steps. Of a job without any pair: from a loss of 1 at iteration 0 down to 0. `floor` lies
  // below all losses.
  Curve curveFor(const LossSeries& series, std::optional<double> floor) const;

  // How much the loss would still fall, soon and far ahead (forecast/curves/hyperbola.h), were the job like
  // the population and the range of its losses what it has lost so far. REQUIRES: series is not empty.
  std::array<Fall, 2> fallsAhead(const LossSeries& series) const;

  // By which share of the range of its losses the newest loss of a job differs from what the population and
  // the first half of the job's iterations let expect; 1 where they say nothing. REQUIRES: series is not
  // empty.
  double missed(const LossSeries& series) const;

  // Takes in how a job's losses fell so far. The more of its reduction is done, the more it counts, less what
  // it counted before. Returns as how much of a job it counts now. REQUIRES: a series from iteration 0 or 1
  // on, with kFewestPairs pairs at least.
  double update(const LossSeries& series, const ConvergenceModel& model, double counted = 0);

 private:
  void updateAt(std::size_t mark, double level, double weight);
  void makeLevelsFall();

  // At each of kLevelIterations:
  MeanLevels sums_{};     // of the jobs' levels, weighted,
  MeanLevels weights_{};  // and of their weights
  MeanLevels levels_{};   // the means, made to fall
  double jobs_ = 0;
};

}  // namespace slaq::forecast
