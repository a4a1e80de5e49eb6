// Linear regression by L-BFGS: half the mean squared residual plus l2/2 times the squared weights. Its loss
// falls faster and faster.
#pragma once

#include <memory>
#include <span>

#include "trainer/algorithms/algorithm.h"
#include "trainer/data/source.h"
#include "trainer/problem.h"

namespace slaq::trainer {

std::span<const Setting> linearRegressionSettings();
double linearRegressionNumbers(const Problem& problem);
std::unique_ptr<Algorithm> makeLinearRegression(const Problem& problem, const Source& source);
std::unique_ptr<Kernel> makeLinearKernel(const Problem& problem);

}  // namespace slaq::trainer
