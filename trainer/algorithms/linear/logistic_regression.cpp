#include "trainer/algorithms/linear/logistic_regression.h"

#include <array>

#include "trainer/algorithms/gradient_descent.h"
#include "trainer/algorithms/linear/linear_kernel.h"
#include "trainer/algorithms/linear/losses.h"

namespace slaq::trainer::algorithms::linear {
namespace {

constexpr std::array kLogisticRegressionSettings{
    problem::Setting{.name = "learning-rate",
                     .help = "step of gradient descent; on two-classes below 8 is stable",
                     .usual = "4",
                     .above = true},
    problem::Setting{.name = "l2", .help = "L2 regularization", .usual = "0"},
};

}  // namespace

std::span<const problem::Setting> logisticRegressionSettings() { return kLogisticRegressionSettings; }

double logisticRegressionNumbers(const problem::Problem& problem) {
  return static_cast<double>(problem.features) + 1;
}

std::unique_ptr<Algorithm> makeLogisticRegression(const problem::Problem& problem, const data::Source&) {
  return std::make_unique<GradientDescent>(problem, problem.features, GradientDescent::Step::Constant);
}

std::unique_ptr<Kernel> makeLogisticKernel(const problem::Problem&) {
  return std::make_unique<LinearKernel<LogisticLoss>>();
}

}  // namespace slaq::trainer::algorithms::linear
