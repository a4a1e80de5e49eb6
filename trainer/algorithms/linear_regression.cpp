#include "trainer/algorithms/linear_regression.h"

#include <array>

#include "trainer/algorithms/lbfgs.h"
#include "trainer/algorithms/linear_kernel.h"
#include "trainer/algorithms/losses.h"

namespace slaq::trainer {
namespace {

constexpr std::array kSettings{
    Setting{.name = "l2", .help = "L2 regularization", .usual = "0"},
};

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
    return outcomeOf(optimizer_.observe(loss, gradient), loss);
  }

  void archive(Archive& fields) override { optimizer_.archive(fields); }

 private:
  double rows_;
  double l2_;
  Lbfgs optimizer_;
};

}  // namespace

std::span<const Setting> linearRegressionSettings() { return kSettings; }

double linearRegressionNumbers(const Problem& problem) { return static_cast<double>(problem.features) + 1; }

std::unique_ptr<Algorithm> makeLinearRegression(const Problem& problem, const Source&) {
  return std::make_unique<LinearRegression>(problem);
}

std::unique_ptr<Kernel> makeLinearKernel(const Problem&) {
  return std::make_unique<LinearKernel<SquaredLoss>>();
}

}  // namespace slaq::trainer
