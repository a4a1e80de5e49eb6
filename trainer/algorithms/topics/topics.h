// Latent Dirichlet allocation by variational inference, over all documents in each iteration (EM) or over
// mini-batches (online). The loss is minus the bound of the log likelihood for each occurrence of a word: the
// log of the perplexity.
#pragma once

#include <memory>
#include <span>

#include "trainer/algorithms/algorithm.h"
#include "trainer/data/source.h"
#include "trainer/problem.h"

namespace slaq::trainer {

std::span<const Setting> topicsEmSettings();
std::span<const Setting> topicsOnlineSettings();
double topicsNumbers(const Problem& problem);

std::unique_ptr<Algorithm> makeTopicsEm(const Problem& problem, const Source& source);
std::unique_ptr<Kernel> makeTopicsEmKernel(const Problem& problem);
std::unique_ptr<Algorithm> makeTopicsOnline(const Problem& problem, const Source& source);
std::unique_ptr<Kernel> makeTopicsOnlineKernel(const Problem& problem);

}  // namespace slaq::trainer
