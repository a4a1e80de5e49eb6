// Support vector machines by gradient descent on the primal problem, mean hinge loss plus l2/2 |w|^2: linear,
// or with a polynomial kernel, whose features are written out. C of other programs is 1 / (l2 rows).
#pragma once

#include <memory>
#include <span>

#include "trainer/algorithms/algorithm.h"
#include "trainer/data/source.h"
#include "trainer/problem/problem.h"

namespace slaq::trainer::algorithms::linear {

std::span<const problem::Setting> linearSvmSettings();
double linearSvmNumbers(const problem::Problem& problem);
std::unique_ptr<Algorithm> makeLinearSvm(const problem::Problem& problem, const data::Source& source);
std::unique_ptr<Kernel> makeLinearSvmKernel(const problem::Problem& problem);

std::span<const problem::Setting> polynomialSvmSettings();
double polynomialSvmNumbers(const problem::Problem& problem);
std::unique_ptr<Algorithm> makePolynomialSvm(const problem::Problem& problem, const data::Source& source);
std::unique_ptr<Kernel> makePolynomialSvmKernel(const problem::Problem& problem);

}  // namespace slaq::trainer::algorithms::linear
