// Multi-layer perceptrons that tell classes apart, trained by L-BFGS on all rows or by gradient descent with
// momentum on mini-batches. The loss is the mean cross-entropy, regularized.
#pragma once

#include <memory>
#include <span>

#include "trainer/algorithms/algorithm.h"
#include "trainer/data/source.h"
#include "trainer/problem.h"

namespace slaq::trainer {

std::span<const Setting> perceptronLbfgsSettings();
std::span<const Setting> perceptronSgdSettings();
double perceptronNumbers(const Problem& problem);

std::unique_ptr<Algorithm> makePerceptronLbfgs(const Problem& problem, const Source& source);
std::unique_ptr<Kernel> makePerceptronLbfgsKernel(const Problem& problem);
std::unique_ptr<Algorithm> makePerceptronSgd(const Problem& problem, const Source& source);
std::unique_ptr<Kernel> makePerceptronSgdKernel(const Problem& problem);

}  // namespace slaq::trainer
