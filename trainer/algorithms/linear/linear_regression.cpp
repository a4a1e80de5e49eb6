#include "trainer/algorithms/linear/linear_regression.h"

#include <array>

#include "trainer/algorithms/lbfgs.h"
#include "trainer/algorithms/linear/linear_kernel.h"
#include "trainer/algorithms/linear/losses.h"

namespace slaq::trainer::algorithms::linear {
namespace {

constexpr std::array kLinearRegressionSettings{
    problem::Setting{.name = "l2", .help = "L2 regularization", .usual = "0"},
};

class LinearRegression final : public Algorithm {
 public:
  explicit LinearRegression(const problem::Problem& problem)
      : rows_(static_cast<double>(problem.rows)),
        l2_(problem.settings.number("l2")),
        optimizer_(data::Vector::Zero(problem.features)) {}

  const data::Vector& state() const override { return optimizer_.point(); }
  Eigen::Index partialSize() const override { return state().size() + 1; }

  Outcome fold(const data::Vector& total) override {
    const data::Vector& weights = state();
    const data::Vector mean = total / rows_;
    const double loss = mean[weights.size()] + 0.5 * l2_ * weights.squaredNorm();
    const data::Vector gradient = mean.head(weights.size()) + l2_ * weights;
    return outcomeOf(optimizer_.observe(loss, gradient), loss);
  }

  void archive(io::Archive& fields) override { optimizer_.archive(fields); }

 private:
  double rows_;
  double l2_;
  Lbfgs optimizer_;
};

}  // namespace

std::span<const problem::Setting> linearRegressionSettings() { return kLinearRegressionSettings; }

double linearRegressionNumbers(const problem::Problem& problem) {
  return static_cast<double>(problem.features) + 1;
}

std::unique_ptr<Algorithm> makeLinearRegression(const problem::Problem& problem, const data::Source&) {
  return std::make_unique<LinearRegression>(problem);
}

std::unique_ptr<Kernel> makeLinearKernel(const problem::Problem&) {
  return std::make_unique<LinearKernel<SquaredLoss>>();
}

}  // namespace slaq::trainer::algorithms::linear
