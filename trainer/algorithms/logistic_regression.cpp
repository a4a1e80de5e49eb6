#include "trainer/algorithms/logistic_regression.h"

#include <array>

namespace slaq::trainer {
namespace {

constexpr std::array kSettings{
    Setting{.name = "learning-rate",
            .help = "step of gradient descent; on two-classes below 8 is stable",
            .usual = "4",
            .above = true},
    Setting{.name = "l2", .help = "L2 regularization", .usual = "0"},
};

// A partial result: the gradient's sum, then the loss's sum.
class LogisticRegression final : public Algorithm {
 public:
  explicit LogisticRegression(const Problem& problem)
      : rows_(static_cast<double>(problem.rows)),
        rate_(problem.settings.number("learning-rate")),
        l2_(problem.settings.number("l2")),
        weights_(Vector::Zero(problem.features)) {}

  const Vector& state() const override { return weights_; }
  Eigen::Index partialSize() const override { return weights_.size() + 1; }

  Outcome fold(const Vector& total) override {
    const Vector mean = total / rows_;
    const double loss = mean[weights_.size()] + 0.5 * l2_ * weights_.squaredNorm();
    weights_ -= rate_ * (mean.head(weights_.size()) + l2_ * weights_);
    return {loss, false};
  }

  void archive(Archive& fields) override { fields("weights", weights_); }

 private:
  double rows_;
  double rate_;
  double l2_;
  Vector weights_;
};

class LogisticKernel final : public Kernel {
 public:
  Vector partial(const Chunk& chunk, const Vector& state) const override {
    const Floats weights = state.cast<float>();
    Vector sums = Vector::Zero(state.size() + 1);
    forEachSlice(chunk.features.rows(), [&](Eigen::Index first, Eigen::Index count) {
      const auto rows = chunk.features.middleRows(first, count);
      const auto targets = chunk.targets.segment(first, count);
      const Floats margins = (rows * weights).cwiseProduct(targets);
      // Written with exp(-|m|), neither the loss log(1 + exp(-m)) nor its slope can overflow.
      const Eigen::ArrayXf decay = (-margins.array().abs()).exp();
      const Eigen::ArrayXf losses = (-margins.array()).max(0.0f) + (1.0f + decay).log();
      const Eigen::ArrayXf slopes = (margins.array() > 0).select(decay, 1.0f) / (1.0f + decay);
      const Floats residuals = -slopes * targets.array();
      sums.head(state.size()) += (rows.transpose() * residuals).cast<double>();
      sums[state.size()] += losses.cast<double>().sum();
    });
    return sums;
  }
};

}  // namespace

std::span<const Setting> logisticRegressionSettings() { return kSettings; }

double logisticRegressionNumbers(const Problem& problem) { return static_cast<double>(problem.features) + 1; }

std::unique_ptr<Algorithm> makeLogisticRegression(const Problem& problem, const Source&) {
  return std::make_unique<LogisticRegression>(problem);
}

std::unique_ptr<Kernel> makeLogisticKernel(const Problem&) { return std::make_unique<LogisticKernel>(); }

}  // namespace slaq::trainer
