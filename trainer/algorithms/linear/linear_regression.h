// Linear regression by L-BFGS: half the mean squared residual plus l2/2 times the squared weights. Its loss
// falls faster and faster.
#pragma once

#include <memory>
#include <span>

#include "trainer/algorithms/algorithm.h"
#include "trainer/data/source.h"
#include "trainer/problem/problem.h"

namespace slaq::trainer::algorithms::linear {

std::span<const problem::Setting> linearRegressionSettings();
double linearRegressionNumbers(const problem::Problem& problem);
std::unique_ptr<Algorithm> makeLinearRegression(const problem::Problem& problem, const data::Source& source);
std::unique_ptr<Kernel> makeLinearKernel(const problem::Problem& problem);

}  // namespace slaq::trainer::algorithms::linear
