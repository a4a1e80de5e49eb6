// Logistic regression by full-batch gradient descent: a convex loss whose excess falls about as 1/k.
#pragma once

#include <memory>
#include <span>

#include "trainer/algorithms/algorithm.h"
#include "trainer/data/source.h"
#include "trainer/problem/problem.h"

namespace slaq::trainer::algorithms::linear {

std::span<const problem::Setting> logisticRegressionSettings();
double logisticRegressionNumbers(const problem::Problem& problem);
std::unique_ptr<Algorithm> makeLogisticRegression(const problem::Problem& problem,
                                                  const data::Source& source);
std::unique_ptr<Kernel> makeLogisticKernel(const problem::Problem& problem);

}  // namespace slaq::trainer::algorithms::linear
