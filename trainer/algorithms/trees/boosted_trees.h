// Gradient boosted trees, for numbers by squared error and for two classes by log loss, as the registry
// knows them.
#pragma once

#include <memory>
#include <span>

#include "trainer/algorithms/algorithm.h"
#include "trainer/data/source.h"
#include "trainer/problem.h"

namespace slaq::trainer {

std::span<const Setting> boostedTreesSettings();
double boostedTreesNumbers(const Problem& problem);

std::unique_ptr<Algorithm> makeBoostedRegression(const Problem& problem, const Source& source);
std::unique_ptr<Kernel> makeBoostedRegressionKernel(const Problem& problem);
std::unique_ptr<Algorithm> makeBoostedClassification(const Problem& problem, const Source& source);
std::unique_ptr<Kernel> makeBoostedClassificationKernel(const Problem& problem);

}  // namespace slaq::trainer
