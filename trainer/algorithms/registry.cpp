#include "trainer/algorithms/registry.h"

#include <algorithm>
#include <array>
#include <string>

#include "trainer/algorithms/k_means.h"
#include "trainer/algorithms/linear_regression.h"
#include "trainer/algorithms/logistic_regression.h"

namespace slaq::trainer {
namespace {

constexpr std::array kAlgorithms{
    Entry{"logistic-regression", "logistic regression by full-batch gradient descent", false,
          makeLogisticRegression, makeLogisticKernel},
    Entry{"k-means", "k-means by Lloyd's algorithm", true, makeKMeans, makeKMeansKernel},
    Entry{"linear-regression", "linear regression by L-BFGS", false, makeLinearRegression, makeLinearKernel},
};

std::string namesOfAll() {
  std::string names;
  for (const Entry& entry : kAlgorithms) names += (names.empty() ? "" : ", ") + std::string(entry.name);
  return names;
}

}  // namespace

std::span<const Entry> algorithms() { return kAlgorithms; }

Result<Entry> entryFor(const Problem& problem) {
  const auto found = std::ranges::find(kAlgorithms, problem.algorithm, &Entry::name);
  if (found == kAlgorithms.end()) {
    return failure(ErrorKind::Invalid,
                   "unknown algorithm \"" + problem.algorithm + "\"; choose one of " + namesOfAll());
  }
  if (auto valid = validate(problem); !valid) return failure(valid.error());
  if (found->needsClusters && problem.clusters < 1) {
    return failure(ErrorKind::Invalid, problem.algorithm + " needs --clusters, at least 1");
  }
  return *found;
}

}  // namespace slaq::trainer
