#include "trainer/algorithms/logistic_regression.h"

#include "trainer/algorithms/features.h"
#include "trainer/algorithms/random.h"

namespace slaq::trainer {
namespace {

// A partial result: the gradient's sum, then the loss's sum.
class LogisticRegression final : public Algorithm {
 public:
  explicit LogisticRegression(const Problem& problem)
      : problem_(problem), weights_(Vector::Zero(problem.features)) {}

  const Vector& state() const override { return weights_; }
  Eigen::Index partialSize() const override { return weights_.size() + 1; }

  Outcome fold(const Vector& total) override {
    const Vector mean = total / static_cast<double>(problem_.rows);
    const double loss = mean[weights_.size()] + 0.5 * problem_.l2 * weights_.squaredNorm();
    weights_ -= problem_.learningRate * (mean.head(weights_.size()) + problem_.l2 * weights_);
    return {loss, false};
  }

 private:
  Problem problem_;
  Vector weights_;
};

class LogisticKernel final : public Kernel {
 public:
  explicit LogisticKernel(const Problem& problem)
      : problem_(problem),
        scales_(featureScales(problem).cast<float>()),
        truth_(trueWeights(problem).cast<float>()) {}

  Chunk generate(std::int64_t index) const override {
    Random random(problem_.seed, Purpose::Data, index);
    const RowRange range = rowsOf(problem_, index);
    Chunk chunk{Matrix(range.count, problem_.features), Floats(range.count)};
    for (Eigen::Index i = 0; i < range.count; ++i) {
      auto row = chunk.features.row(i);
      for (float& value : row) value = random.bell();
      const float margin = row.dot(truth_) + static_cast<float>(problem_.noise) * random.bell();
      chunk.targets[i] = margin < 0 ? -1.0f : 1.0f;
      row.array() *= scales_.transpose().array();
    }
    return chunk;
  }

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

 private:
  // Of length 2, so that a noise of 1 leaves about one label in seven on the wrong side.
  static Vector trueWeights(const Problem& problem) {
    return 2.0 * Random(problem.seed, Purpose::Truth).bells(problem.features).normalized();
  }

  Problem problem_;
  Floats scales_;
  Floats truth_;  // for the features before they are scaled
};

}  // namespace

std::unique_ptr<Algorithm> makeLogisticRegression(const Problem& problem) {
  return std::make_unique<LogisticRegression>(problem);
}

std::unique_ptr<Kernel> makeLogisticKernel(const Problem& problem) {
  return std::make_unique<LogisticKernel>(problem);
}

}  // namespace slaq::trainer
