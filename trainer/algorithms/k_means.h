// k-means by Lloyd's algorithm, begun at rows of the data. The loss is the mean squared distance of a row to
// the nearest centre.
#pragma once

#include <memory>
#include <span>

#include "trainer/algorithms/algorithm.h"
#include "trainer/data/source.h"
#include "trainer/problem.h"

namespace slaq::trainer {

std::span<const Setting> kMeansSettings();
double kMeansNumbers(const Problem& problem);
// No more clusters than rows.
Result<void> validateKMeans(const Problem& problem);
std::unique_ptr<Algorithm> makeKMeans(const Problem& problem, const Source& source);
std::unique_ptr<Kernel> makeKMeansKernel(const Problem& problem);

}  // namespace slaq::trainer
