// Latent Dirichlet allocation by variational inference, over all documents in each iteration (EM) or over
// mini-batches (online). The loss is minus the bound of the log likelihood for each occurrence of a word: the
// log of the perplexity.
#pragma once

#include <memory>
#include <span>

#include "trainer/algorithms/algorithm.h"
#include "trainer/data/source.h"
#include "trainer/problem/problem.h"

namespace slaq::trainer::algorithms::topics {

std::span<const problem::Setting> topicsEmSettings();
std::span<const problem::Setting> topicsOnlineSettings();
double topicsNumbers(const problem::Problem& problem);

std::unique_ptr<Algorithm> makeTopicsEm(const problem::Problem& problem, const data::Source& source);
std::unique_ptr<Kernel> makeTopicsEmKernel(const problem::Problem& problem);
std::unique_ptr<Algorithm> makeTopicsOnline(const problem::Problem& problem, const data::Source& source);
std::unique_ptr<Kernel> makeTopicsOnlineKernel(const problem::Problem& problem);

}  // namespace slaq::trainer::algorithms::topics
