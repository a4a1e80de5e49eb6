// Support vector machines by gradient descent on the primal problem, mean hinge loss plus l2/2 |w|^2: linear,
// or with a polynomial kernel, whose features are written out. C of other programs is 1 / (l2 rows).
#pragma once

#include <memory>
#include <span>

#include "trainer/algorithms/algorithm.h"
#include "trainer/data/source.h"
#include "trainer/problem.h"

namespace slaq::trainer {

std::span<const Setting> linearSvmSettings();
double linearSvmNumbers(const Problem& problem);
std::unique_ptr<Algorithm> makeLinearSvm(const Problem& problem, const Source& source);
std::unique_ptr<Kernel> makeLinearSvmKernel(const Problem& problem);

std::span<const Setting> polynomialSvmSettings();
double polynomialSvmNumbers(const Problem& problem);
std::unique_ptr<Algorithm> makePolynomialSvm(const Problem& problem, const Source& source);
std::unique_ptr<Kernel> makePolynomialSvmKernel(const Problem& problem);

}  // namespace slaq::trainer
