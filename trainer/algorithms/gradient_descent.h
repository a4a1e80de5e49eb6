// Full-batch gradient descent on the mean of a loss plus l2/2 times the squared weights, begun at zero. The
// step is the learning rate, or falls from it with the iterations.
#pragma once

#include "trainer/algorithms/algorithm.h"
#include "trainer/problem/problem.h"

namespace slaq::trainer::algorithms {

class GradientDescent final : public Algorithm {
 public:
  enum class Step {
    Constant,
    // rate / (1 + rate l2 k): what a loss with kinks needs to converge, if it is strongly convex by l2.
    Falling,
  };

  // Takes the settings "learning-rate" and "l2"; `weights` is their number.
  GradientDescent(const problem::Problem& problem, Eigen::Index weights, Step step);

  const data::Vector& state() const override { return weights_; }
  Eigen::Index partialSize() const override { return weights_.size() + 1; }
  Outcome fold(const data::Vector& total) override;
  void archive(io::Archive& fields) override;

 private:
  double rows_;
  double rate_;
  double l2_;
  Step step_;
  data::Vector weights_;
  std::int64_t iterations_ = 0;
};

}  // namespace slaq::trainer::algorithms
