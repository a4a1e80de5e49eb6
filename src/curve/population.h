// What a job can be expected to do before it has shown it: how the losses of the jobs seen so far fell on
// average, and what an iteration of theirs cost. It begins with the mean of recorded trainings and is taught
// by jobs as they advance; old teaching fades. A plain value; one thread owns it.
#pragma once

#include <array>
#include <optional>

#include "curve/convergence_model.h"
#include "curve/hyperbola.h"
#include "curve/loss_series.h"

namespace slaq {

class Population {
 public:
  Population();

  // The mean level (1 at the start, 0 at the end) after so many iterations; it never rises.
  double level(double iteration) const;

  // What is expected of a job of which only these few pairs are known: the population's curve, scaled by the
  // job's own first steps. Of a job without any pair: from a loss of 1 at iteration 0 down to 0. `floor` lies
  // below all losses.
  Curve curveFor(const LossSeries& series, std::optional<double> floor) const;

  // How much the loss would still fall, soon and far ahead (curve/hyperbola.h), were the job like the
  // population and the range of its losses what it has lost so far. REQUIRES: series is not empty.
  std::array<Fall, 2> fallsAhead(const LossSeries& series) const;

  // A job has come so far. The more of its reduction is done, the more it counts.
  // REQUIRES: a series from iteration 0 or 1 on, with kFewestPairs pairs at least.
  void learn(const LossSeries& series, const ConvergenceModel& model);

  // What an iteration of a job costs, in core-seconds, > 0.
  void learnCost(double coreSeconds);
  // The typical cost of an iteration: the mean of the logarithms. Empty before any was learned.
  std::optional<double> typicalCost() const;

 private:
  static constexpr std::size_t kMarks = 15;

  void learnAt(std::size_t mark, double level, double weight);
  void smooth();

  std::array<double, kMarks> sums_{};     // of the levels at each mark (population.cpp), weighted
  std::array<double, kMarks> weights_{};  // and of the weights
  std::array<double, kMarks> levels_{};   // their means, made to fall
  double costSum_ = 0;
  double costWeight_ = 0;
};

}  // namespace slaq
