// Linear regression by L-BFGS on an ill-conditioned design, where each direction explains as much of the
// target as any other, so that the slow ones matter.
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
