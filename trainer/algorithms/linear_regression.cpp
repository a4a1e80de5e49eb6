#include "trainer/algorithms/linear_regression.h"

#include "trainer/algorithms/features.h"
#include "trainer/algorithms/lbfgs.h"
#include "trainer/algorithms/random.h"

namespace slaq::trainer {
namespace {

// A partial result: the gradient's sum, then the loss's sum.
class LinearRegression final : public Algorithm {
 public:
  explicit LinearRegression(const Problem& problem)
      : problem_(problem), optimizer_(Vector::Zero(problem.features)) {}

  const Vector& state() const override { return optimizer_.point(); }
  Eigen::Index partialSize() const override { return state().size() + 1; }

  Outcome fold(const Vector& total) override {
    const Vector& weights = state();
    const Vector mean = total / static_cast<double>(problem_.rows);
    const double loss = mean[weights.size()] + 0.5 * problem_.l2 * weights.squaredNorm();
    const Vector gradient = mean.head(weights.size()) + problem_.l2 * weights;
    switch (optimizer_.observe(loss, gradient)) {
      case Lbfgs::Verdict::Accepted:
        return {loss, false};
      case Lbfgs::Verdict::Rejected:
        return {std::nullopt, false};
      case Lbfgs::Verdict::Minimum:
        return {loss, true};
      case Lbfgs::Verdict::Stuck:
        break;
    }
    return {std::nullopt, true};
  }

 private:
  Problem problem_;
  Lbfgs optimizer_;
};

class LinearKernel final : public Kernel {
 public:
  explicit LinearKernel(const Problem& problem)
      : problem_(problem),
        scales_(featureScales(problem).cast<float>()),
        truth_(Random(problem.seed, Purpose::Truth).bells(problem.features).normalized().cast<float>()) {}

  Chunk generate(std::int64_t index) const override {
    Random random(problem_.seed, Purpose::Data, index);
    const RowRange range = rowsOf(problem_, index);
    Chunk chunk{Matrix(range.count, problem_.features), Floats(range.count)};
    for (Eigen::Index i = 0; i < range.count; ++i) {
      auto row = chunk.features.row(i);
      for (float& value : row) value = random.bell();
      // A noise of 1 leaves the best fit a tenth of the target's standard deviation.
      chunk.targets[i] = row.dot(truth_) + 0.1f * static_cast<float>(problem_.noise) * random.bell();
      row.array() *= scales_.transpose().array();
    }
    return chunk;
  }

  Vector partial(const Chunk& chunk, const Vector& state) const override {
    const Floats weights = state.cast<float>();
    Vector sums = Vector::Zero(state.size() + 1);
    forEachSlice(chunk.features.rows(), [&](Eigen::Index first, Eigen::Index count) {
      const auto rows = chunk.features.middleRows(first, count);
      const Floats residuals = rows * weights - chunk.targets.segment(first, count);
      sums.head(state.size()) += (rows.transpose() * residuals).cast<double>();
      sums[state.size()] += 0.5 * residuals.cast<double>().squaredNorm();
    });
    return sums;
  }

 private:
  Problem problem_;
  Floats scales_;
  Floats truth_;  // for the features before they are scaled
};

}  // namespace

std::unique_ptr<Algorithm> makeLinearRegression(const Problem& problem) {
  return std::make_unique<LinearRegression>(problem);
}

std::unique_ptr<Kernel> makeLinearKernel(const Problem& problem) {
  return std::make_unique<LinearKernel>(problem);
}

}  // namespace slaq::trainer
