#include "trainer/algorithms/linear/support_vector_machines.h"

#include <array>
#include <cmath>

#include "trainer/algorithms/gradient_descent.h"
#include "trainer/algorithms/linear/linear_kernel.h"
#include "trainer/algorithms/linear/losses.h"
#include "trainer/algorithms/linear/polynomial_map.h"

namespace slaq::trainer::algorithms::linear {
namespace {

constexpr problem::Setting kLoss{.name = "loss",
                                 .help = "of a margin m: max(0, 1 - m), or half its square",
                                 .kind = problem::Setting::Kind::Word,
                                 .usual = "hinge",
                                 .choices = {"hinge", "squared-hinge"}};

constexpr problem::Setting rate(std::string_view usual) {
  return {.name = "learning-rate",
          .help = "first step of gradient descent; it falls as 1 / (1 + rate l2 k)",
          .usual = usual,
          .above = true};
}
constexpr problem::Setting l2(std::string_view usual) {
  return {.name = "l2", .help = "L2 regularization", .usual = usual};
}

constexpr std::array kLinear{rate("4"), l2("0.001"), kLoss};
constexpr std::array kPolynomial{
    rate("0.5"),
    l2("0.0001"),
    kLoss,
    problem::Setting{.name = "degree",
                     .help = "of the kernel (gamma x.y + offset)^degree",
                     .kind = problem::Setting::Kind::Whole,
                     .usual = "2",
                     .least = 1,
                     .most = 5},
    problem::Setting{.name = "gamma", .help = "of the kernel", .usual = "1", .above = true},
    problem::Setting{.name = "offset", .help = "of the kernel", .usual = "1"},
};

HingeLoss lossOf(const problem::Problem& problem) {
  return {problem.settings.word("loss") == "squared-hinge"};
}

int degreeOf(const problem::Problem& problem) { return static_cast<int>(problem.settings.whole("degree")); }

PolynomialMap mapOf(const problem::Problem& problem) {
  return {problem.features, degreeOf(problem), problem.settings.number("gamma"),
          problem.settings.number("offset")};
}

}  // namespace

std::span<const problem::Setting> linearSvmSettings() { return kLinear; }

double linearSvmNumbers(const problem::Problem& problem) { return static_cast<double>(problem.features) + 1; }

std::unique_ptr<Algorithm> makeLinearSvm(const problem::Problem& problem, const data::Source&) {
  return std::make_unique<GradientDescent>(problem, problem.features, GradientDescent::Step::Falling);
}

std::unique_ptr<Kernel> makeLinearSvmKernel(const problem::Problem& problem) {
  return std::make_unique<LinearKernel<HingeLoss>>(lossOf(problem));
}

std::span<const problem::Setting> polynomialSvmSettings() { return kPolynomial; }

double polynomialSvmNumbers(const problem::Problem& problem) {
  return PolynomialMap::sizeFor(problem.features, degreeOf(problem)) + 1;
}

std::unique_ptr<Algorithm> makePolynomialSvm(const problem::Problem& problem, const data::Source&) {
  const Eigen::Index weights = std::lround(PolynomialMap::sizeFor(problem.features, degreeOf(problem)));
  return std::make_unique<GradientDescent>(problem, weights, GradientDescent::Step::Falling);
}

std::unique_ptr<Kernel> makePolynomialSvmKernel(const problem::Problem& problem) {
  return std::make_unique<LinearKernel<HingeLoss, PolynomialMap>>(lossOf(problem), mapOf(problem));
}

}  // namespace slaq::trainer::algorithms::linear
