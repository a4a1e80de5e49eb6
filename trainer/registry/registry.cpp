#include "trainer/registry/registry.h"

#include <algorithm>
#include <array>
#include <string>

#include "trainer/algorithms/clustering/k_means.h"
#include "trainer/algorithms/linear/linear_regression.h"
#include "trainer/algorithms/linear/logistic_regression.h"
#include "trainer/algorithms/linear/support_vector_machines.h"
#include "trainer/algorithms/neural/perceptron.h"
#include "trainer/algorithms/topics/topics.h"
#include "trainer/algorithms/trees/boosted_trees.h"
#include "trainer/registry/names.h"

namespace slaq::trainer::registry {
namespace {

const std::array kAlgorithms{
    Entry{.name = "logistic-regression",
          .summary = "logistic regression by full-batch gradient descent",
          .targets = Targets::Signs,
          .data = "two-classes",
          .settings = algorithms::linear::logisticRegressionSettings(),
          .numbers = algorithms::linear::logisticRegressionNumbers,
          .makeAlgorithm = algorithms::linear::makeLogisticRegression,
          .makeKernel = algorithms::linear::makeLogisticKernel},
    Entry{.name = "k-means",
          .summary = "k-means by Lloyd's algorithm",
          .data = "mixture",
          .settings = algorithms::clustering::kMeansSettings(),
          .numbers = algorithms::clustering::kMeansNumbers,
          .validate = algorithms::clustering::validateKMeans,
          .makeAlgorithm = algorithms::clustering::makeKMeans,
          .makeKernel = algorithms::clustering::makeKMeansKernel},
    Entry{.name = "linear-regression",
          .summary = "linear regression by L-BFGS",
          .targets = Targets::Numbers,
          .data = "regression",
          .settings = algorithms::linear::linearRegressionSettings(),
          .numbers = algorithms::linear::linearRegressionNumbers,
          .makeAlgorithm = algorithms::linear::makeLinearRegression,
          .makeKernel = algorithms::linear::makeLinearKernel},
    Entry{.name = "linear-svm",
          .summary = "linear support vector machine by gradient descent",
          .targets = Targets::Signs,
          .data = "two-classes",
          .settings = algorithms::linear::linearSvmSettings(),
          .numbers = algorithms::linear::linearSvmNumbers,
          .makeAlgorithm = algorithms::linear::makeLinearSvm,
          .makeKernel = algorithms::linear::makeLinearSvmKernel},
    Entry{.name = "polynomial-svm",
          .summary = "support vector machine with a polynomial kernel by gradient descent",
          .targets = Targets::Signs,
          .data = "curved-classes",
          .settings = algorithms::linear::polynomialSvmSettings(),
          .numbers = algorithms::linear::polynomialSvmNumbers,
          .makeAlgorithm = algorithms::linear::makePolynomialSvm,
          .makeKernel = algorithms::linear::makePolynomialSvmKernel},
    Entry{.name = "boosted-trees",
          .summary = "classification by gradient boosted trees",
          .targets = Targets::Signs,
          .data = "interacting-classes",
          .settings = algorithms::trees::boostedTreesSettings(),
          .numbers = algorithms::trees::boostedTreesNumbers,
          .makeAlgorithm = algorithms::trees::makeBoostedClassification,
          .makeKernel = algorithms::trees::makeBoostedClassificationKernel},
    Entry{.name = "boosted-trees-regression",
          .summary = "regression by gradient boosted trees",
          .targets = Targets::Numbers,
          .data = "interactions",
          .settings = algorithms::trees::boostedTreesSettings(),
          .numbers = algorithms::trees::boostedTreesNumbers,
          .makeAlgorithm = algorithms::trees::makeBoostedRegression,
          .makeKernel = algorithms::trees::makeBoostedRegressionKernel},
    Entry{.name = "perceptron",
          .summary = "multi-layer perceptron by L-BFGS",
          .targets = Targets::Classes,
          .data = "digits",
          .settings = algorithms::neural::perceptronLbfgsSettings(),
          .numbers = algorithms::neural::perceptronNumbers,
          .makeAlgorithm = algorithms::neural::makePerceptronLbfgs,
          .makeKernel = algorithms::neural::makePerceptronLbfgsKernel},
    Entry{.name = "perceptron-sgd",
          .summary = "multi-layer perceptron by mini-batch gradient descent with momentum",
          .targets = Targets::Classes,
          .data = "digits",
          .settings = algorithms::neural::perceptronSgdSettings(),
          .numbers = algorithms::neural::perceptronNumbers,
          .makeAlgorithm = algorithms::neural::makePerceptronSgd,
          .makeKernel = algorithms::neural::makePerceptronSgdKernel},
    Entry{.name = "lda",
          .summary = "latent Dirichlet allocation by variational EM",
          .documents = true,
          .data = "corpus",
          .settings = algorithms::topics::topicsEmSettings(),
          .numbers = algorithms::topics::topicsNumbers,
          .makeAlgorithm = algorithms::topics::makeTopicsEm,
          .makeKernel = algorithms::topics::makeTopicsEmKernel},
    Entry{.name = "lda-online",
          .summary = "latent Dirichlet allocation by online variational inference",
          .documents = true,
          .data = "corpus",
          .settings = algorithms::topics::topicsOnlineSettings(),
          .numbers = algorithms::topics::topicsNumbers,
          .makeAlgorithm = algorithms::topics::makeTopicsOnline,
          .makeKernel = algorithms::topics::makeTopicsOnlineKernel},
};

}  // namespace

std::span<const Entry> algorithms() { return kAlgorithms; }

Result<Entry> findAlgorithm(const problem::Problem& problem) {
  const auto found = std::ranges::find(kAlgorithms, problem.algorithm, &Entry::name);
  if (found != kAlgorithms.end()) return *found;
  return failure(ErrorKind::Invalid,
                 "unknown algorithm \"" + problem.algorithm + "\"; choose one of " + namesIn(kAlgorithms));
}

}  // namespace slaq::trainer::registry
