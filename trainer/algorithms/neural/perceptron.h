// Multi-layer perceptrons that tell classes apart, trained by L-BFGS on all rows or by gradient descent with
// momentum on mini-batches. The loss is the mean cross-entropy, regularized.
#pragma once

#include <memory>
#include <span>

#include "trainer/algorithms/algorithm.h"
#include "trainer/data/source.h"
#include "trainer/problem/problem.h"

namespace slaq::trainer::algorithms::neural {

std::span<const problem::Setting> perceptronLbfgsSettings();
std::span<const problem::Setting> perceptronSgdSettings();
double perceptronNumbers(const problem::Problem& problem);

std::unique_ptr<Algorithm> makePerceptronLbfgs(const problem::Problem& problem, const data::Source& source);
std::unique_ptr<Kernel> makePerceptronLbfgsKernel(const problem::Problem& problem);
std::unique_ptr<Algorithm> makePerceptronSgd(const problem::Problem& problem, const data::Source& source);
std::unique_ptr<Kernel> makePerceptronSgdKernel(const problem::Problem& problem);

}  // namespace slaq::trainer::algorithms::neural
