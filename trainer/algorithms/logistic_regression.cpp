#include "trainer/algorithms/logistic_regression.h"

#include <array>

#include "trainer/algorithms/gradient_descent.h"
#include "trainer/algorithms/linear_kernel.h"
#include "trainer/algorithms/losses.h"

namespace slaq::trainer {
namespace {

constexpr std::array kSettings{
    Setting{.name = "learning-rate",
            .help = "step of gradient descent; on two-classes below 8 is stable",
            .usual = "4",
            .above = true},
    Setting{.name = "l2", .help = "L2 regularization", .usual = "0"},
};

}  // namespace

std::span<const Setting> logisticRegressionSettings() { return kSettings; }

double logisticRegressionNumbers(const Problem& problem) { return static_cast<double>(problem.features) + 1; }

std::unique_ptr<Algorithm> makeLogisticRegression(const Problem& problem, const Source&) {
  return std::make_unique<GradientDescent>(problem, problem.features, GradientDescent::Step::Constant);
}

std::unique_ptr<Kernel> makeLogisticKernel(const Problem&) {
  return std::make_unique<LinearKernel<LogisticLoss>>();
}

}  // namespace slaq::trainer
