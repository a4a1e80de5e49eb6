// Logistic regression by full-batch gradient descent: a convex loss whose excess falls about as 1/k.
#pragma once

#include <memory>
#include <span>

#include "trainer/algorithms/algorithm.h"
#include "trainer/data/source.h"
#include "trainer/problem.h"

namespace slaq::trainer {

std::span<const Setting> logisticRegressionSettings();
double logisticRegressionNumbers(const Problem& problem);
std::unique_ptr<Algorithm> makeLogisticRegression(const Problem& problem, const Source& source);
std::unique_ptr<Kernel> makeLogisticKernel(const Problem& problem);

}  // namespace slaq::trainer
