// k-means by Lloyd's algorithm on a mixture of Gaussians. The loss is the mean squared distance of a row to
// the nearest centre.
#pragma once

#include <memory>

#include "trainer/algorithms/algorithm.h"
#include "trainer/problem.h"

namespace slaq::trainer {

std::unique_ptr<Algorithm> makeKMeans(const Problem& problem);
std::unique_ptr<Kernel> makeKMeansKernel(const Problem& problem);

}  // namespace slaq::trainer
