// k-means by Lloyd's algorithm, begun at rows of the data. The loss is the mean squared distance of a row to
// the nearest centre.
#pragma once

#include <memory>
#include <span>

#include "trainer/algorithms/algorithm.h"
#include "trainer/data/source.h"
#include "trainer/problem/problem.h"

namespace slaq::trainer::algorithms::clustering {

std::span<const problem::Setting> kMeansSettings();
double kMeansNumbers(const problem::Problem& problem);
// No more clusters than rows.
Result<void> validateKMeans(const problem::Problem& problem);
std::unique_ptr<Algorithm> makeKMeans(const problem::Problem& problem, const data::Source& source);
std::unique_ptr<Kernel> makeKMeansKernel(const problem::Problem& problem);

}  // namespace slaq::trainer::algorithms::clustering
