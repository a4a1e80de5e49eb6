// Gradient boosted trees, for numbers by squared error and for two classes by log loss, as the registry
// knows them.
#pragma once

#include <memory>
#include <span>

#include "trainer/algorithms/algorithm.h"
#include "trainer/data/source.h"
#include "trainer/problem/problem.h"

namespace slaq::trainer::algorithms::trees {

std::span<const problem::Setting> boostedTreesSettings();
double boostedTreesNumbers(const problem::Problem& problem);

std::unique_ptr<Algorithm> makeBoostedRegression(const problem::Problem& problem, const data::Source& source);
std::unique_ptr<Kernel> makeBoostedRegressionKernel(const problem::Problem& problem);
std::unique_ptr<Algorithm> makeBoostedClassification(const problem::Problem& problem,
                                                     const data::Source& source);
std::unique_ptr<Kernel> makeBoostedClassificationKernel(const problem::Problem& problem);

}  // namespace slaq::trainer::algorithms::trees
