#include "trainer/algorithms/gradient_descent.h"

namespace slaq::trainer::algorithms {

GradientDescent::GradientDescent(const problem::Problem& problem, Eigen::Index weights, Step step)
    : rows_(static_cast<double>(problem.rows)),
      rate_(problem.settings.number("learning-rate")),
      l2_(problem.settings.number("l2")),
      step_(step),
      weights_(data::Vector::Zero(weights)) {}

Outcome GradientDescent::fold(const data::Vector& total) {
  const data::Vector mean = total / rows_;
  const double loss = mean[weights_.size()] + 0.5 * l2_ * weights_.squaredNorm();
  const double fallen = step_ == Step::Falling ? 1 + rate_ * l2_ * static_cast<double>(iterations_) : 1.0;
  weights_ -= rate_ / fallen * (mean.head(weights_.size()) + l2_ * weights_);
  ++iterations_;
  return {loss, false};
}

void GradientDescent::archive(io::Archive& fields) {
  fields("weights", weights_), fields("iterations", iterations_);
}

}  // namespace slaq::trainer::algorithms
