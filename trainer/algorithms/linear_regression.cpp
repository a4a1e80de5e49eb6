#include "trainer/algorithms/linear_regression.h"

#include <array>

#include "trainer/algorithms/lbfgs.h"

namespace slaq::trainer {
namespace {

constexpr std::array kSettings{
    Setting{.name = "l2", .help = "L2 regularization", .usual = "0"},
};

// A partial result: the gradient's sum, then the loss's sum.
class LinearRegression final : public Algorithm {
 public:
  explicit LinearRegression(const Problem& problem)
      : rows_(static_cast<double>(problem.rows)),
        l2_(problem.settings.number("l2")),
        optimizer_(Vector::Zero(problem.features)) {}

  const Vector& state() const override { return optimizer_.point(); }
  Eigen::Index partialSize() const override { return state().size() + 1; }

  Outcome fold(const Vector& total) override {
    const Vector& weights = state();
    const Vector mean = total / rows_;
    const double loss = mean[weights.size()] + 0.5 * l2_ * weights.squaredNorm();
    const Vector gradient = mean.head(weights.size()) + l2_ * weights;
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

  void archive(Archive& fields) override { optimizer_.archive(fields); }

 private:
  double rows_;
  double l2_;
  Lbfgs optimizer_;
};

class LinearKernel final : public Kernel {
 public:
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
};

}  // namespace

std::span<const Setting> linearRegressionSettings() { return kSettings; }

double linearRegressionNumbers(const Problem& problem) { return static_cast<double>(problem.features) + 1; }

std::unique_ptr<Algorithm> makeLinearRegression(const Problem& problem, const Source&) {
  return std::make_unique<LinearRegression>(problem);
}

std::unique_ptr<Kernel> makeLinearKernel(const Problem&) { return std::make_unique<LinearKernel>(); }

}  // namespace slaq::trainer
