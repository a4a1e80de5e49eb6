#include "trainer/algorithms/registry.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "trainer/algorithms/k_means.h"
#include "trainer/algorithms/linear_regression.h"
#include "trainer/algorithms/logistic_regression.h"
#include "trainer/algorithms/neural/perceptron.h"
#include "trainer/algorithms/support_vector_machines.h"
#include "trainer/algorithms/topics/topics.h"
#include "trainer/algorithms/trees/boosted_trees.h"
#include "trainer/data/formats.h"
#include "trainer/data/generators.h"
#include "trainer/data/one_against_rest.h"

namespace slaq::trainer {
namespace {

const std::array kAlgorithms{
    Entry{.name = "logistic-regression",
          .summary = "logistic regression by full-batch gradient descent",
          .targets = Targets::Signs,
          .data = "two-classes",
          .settings = logisticRegressionSettings(),
          .numbers = logisticRegressionNumbers,
          .makeAlgorithm = makeLogisticRegression,
          .makeKernel = makeLogisticKernel},
    Entry{.name = "k-means",
          .summary = "k-means by Lloyd's algorithm",
          .data = "mixture",
          .settings = kMeansSettings(),
          .numbers = kMeansNumbers,
          .validate = validateKMeans,
          .makeAlgorithm = makeKMeans,
          .makeKernel = makeKMeansKernel},
    Entry{.name = "linear-regression",
          .summary = "linear regression by L-BFGS",
          .targets = Targets::Numbers,
          .data = "regression",
          .settings = linearRegressionSettings(),
          .numbers = linearRegressionNumbers,
          .makeAlgorithm = makeLinearRegression,
          .makeKernel = makeLinearKernel},
    Entry{.name = "linear-svm",
          .summary = "linear support vector machine by gradient descent",
          .targets = Targets::Signs,
          .data = "two-classes",
          .settings = linearSvmSettings(),
          .numbers = linearSvmNumbers,
          .makeAlgorithm = makeLinearSvm,
          .makeKernel = makeLinearSvmKernel},
    Entry{.name = "polynomial-svm",
          .summary = "support vector machine with a polynomial kernel by gradient descent",
          .targets = Targets::Signs,
          .data = "curved-classes",
          .settings = polynomialSvmSettings(),
          .numbers = polynomialSvmNumbers,
          .makeAlgorithm = makePolynomialSvm,
          .makeKernel = makePolynomialSvmKernel},
    Entry{.name = "boosted-trees",
          .summary = "classification by gradient boosted trees",
          .targets = Targets::Signs,
          .data = "interacting-classes",
          .settings = boostedTreesSettings(),
          .numbers = boostedTreesNumbers,
          .makeAlgorithm = makeBoostedClassification,
          .makeKernel = makeBoostedClassificationKernel},
    Entry{.name = "boosted-trees-regression",
          .summary = "regression by gradient boosted trees",
          .targets = Targets::Numbers,
          .data = "interactions",
          .settings = boostedTreesSettings(),
          .numbers = boostedTreesNumbers,
          .makeAlgorithm = makeBoostedRegression,
          .makeKernel = makeBoostedRegressionKernel},
    Entry{.name = "perceptron",
          .summary = "multi-layer perceptron by L-BFGS",
          .targets = Targets::Classes,
          .data = "digits",
          .settings = perceptronLbfgsSettings(),
          .numbers = perceptronNumbers,
          .makeAlgorithm = makePerceptronLbfgs,
          .makeKernel = makePerceptronLbfgsKernel},
    Entry{.name = "perceptron-sgd",
          .summary = "multi-layer perceptron by mini-batch gradient descent with momentum",
          .targets = Targets::Classes,
          .data = "digits",
          .settings = perceptronSgdSettings(),
          .numbers = perceptronNumbers,
          .makeAlgorithm = makePerceptronSgd,
          .makeKernel = makePerceptronSgdKernel},
    Entry{.name = "lda",
          .summary = "latent Dirichlet allocation by variational EM",
          .documents = true,
          .data = "corpus",
          .settings = topicsEmSettings(),
          .numbers = topicsNumbers,
          .makeAlgorithm = makeTopicsEm,
          .makeKernel = makeTopicsEmKernel},
    Entry{.name = "lda-online",
          .summary = "latent Dirichlet allocation by online variational inference",
          .documents = true,
          .data = "corpus",
          .settings = topicsOnlineSettings(),
          .numbers = topicsNumbers,
          .makeAlgorithm = makeTopicsOnline,
          .makeKernel = makeTopicsOnlineKernel},
};

constexpr std::array kShared{
    // in the order of use in declaredFor()
    Setting{.name = "positive",
            .help = "the class to tell from all others, if there are more than two",
            .least = -1e15,
            .most = 1e15},
    Setting{.name = "standardize",
            .help = "make each feature of a file have mean 0 and deviation 1",
            .kind = Setting::Kind::Word,
            .usual = "no",
            .choices = {"no", "yes"}},
};

tl::unexpected<Error> refuse(const std::string& sentence) { return failure(ErrorKind::Invalid, sentence); }

template <class Table>
std::string namesIn(const Table& table) {
  std::string names;
  for (const auto& entry : table) names += (names.empty() ? "" : ", ") + std::string(entry.name);
  return names;
}

std::string dataOf(const Problem& problem, const Entry& entry) {
  return problem.data.empty() ? std::string(entry.data) : problem.data;
}

void append(std::vector<Setting>& all, std::span<const Setting> more) {
  for (const Setting& setting : more) {
    if (std::ranges::find(all, setting.name, &Setting::name) == all.end()) all.push_back(setting);
  }
}

// Where the rows come from, as far as it matters here: one of the two.
struct Origin {
  const Generator* generator = nullptr;
  const Format* format = nullptr;

  bool documents() const { return generator ? generator->documents : format->documents; }
  std::span<const Setting> settings() const { return generator ? generator->settings : format->settings; }
};

Result<Origin> originOf(const std::string& data) {
  const Origin origin{findGenerator(data), findFormat(data)};
  if (origin.generator || origin.format) return origin;
  return refuse("unknown data \"" + data + "\"; choose one of " + namesIn(generators()) +
                ", or FORMAT:PATH with a format of " + namesIn(formats()));
}

// Data of the right shape, with something to predict for those that predict.
Result<void> validateData(const Problem& problem, const Entry& entry, const Origin& data) {
  const std::string pair = problem.algorithm + " cannot train on " + problem.data;
  if (entry.documents != data.documents()) {
    return refuse(pair + ": it takes " + (entry.documents ? "documents" : "rows of features"));
  }
  const bool wantsClasses = entry.targets == Targets::Signs || entry.targets == Targets::Classes;
  const bool known = data.generator || problem.rows > 0;  // of a file only once it is read
  if (known && wantsClasses && problem.classes < 2) return refuse(pair + ": it takes two classes or more");
  return {};
}

Result<void> validatePositive(const Problem& problem) {
  const std::string classes = "there are classes 0 to " + std::to_string(problem.classes - 1);
  if (!problem.settings.has("positive")) {
    if (problem.classes == 2) return {};
    return refuse(problem.algorithm +
                  " tells one class from all others; say which with --positive: " + classes);
  }
  const double positive = problem.settings.number("positive");
  const bool counted = positive >= 0 && positive < static_cast<double>(problem.classes);
  if (counted && positive == std::floor(positive)) return {};
  return refuse("--positive must be a class: " + classes);
}

std::int64_t positiveOf(const Problem& problem) {
  return problem.settings.has("positive") ? problem.settings.whole("positive") : problem.classes - 1;
}

// Fills in what the generator has rows and features of usually.
Result<void> setSizes(Problem& problem, const Generator& generator) {
  if (problem.rows == 0) problem.rows = generator.rows;
  if (problem.features == 0) problem.features = generator.features;
  const std::string pair = problem.algorithm + " on " + problem.data;
  if (problem.rows == 0) return refuse(pair + " needs --rows: how many rows to make, such as 10000");
  if (problem.features == 0) return refuse(pair + " needs --features: how many each row has, such as 10");
  return {};
}

Result<void> validateGenerated(const Problem& problem, const Entry& entry, const Generator& data) {
  if (entry.targets == Targets::Signs) {
    if (auto positive = validatePositive(problem); !positive) return positive;
  }
  return data.validate ? data.validate(problem) : Result<void>();
}

}  // namespace

std::span<const Entry> algorithms() { return kAlgorithms; }

Result<Entry> findAlgorithm(const Problem& problem) {
  const auto found = std::ranges::find(kAlgorithms, problem.algorithm, &Entry::name);
  if (found != kAlgorithms.end()) return *found;
  return refuse("unknown algorithm \"" + problem.algorithm + "\"; choose one of " + namesIn(kAlgorithms));
}

std::span<const Setting> sharedSettings() { return kShared; }

Result<std::vector<Setting>> declaredFor(const Problem& problem) {
  const auto entry = findAlgorithm(problem);
  if (!entry) return failure(entry.error());
  const auto origin = originOf(dataOf(problem, *entry));
  if (!origin) return failure(origin.error());
  std::vector<Setting> all(entry->settings.begin(), entry->settings.end());
  if (entry->targets == Targets::Signs) append(all, sharedSettings().first(1));
  append(all, origin->settings());
  if (origin->format && !origin->documents()) append(all, sharedSettings().last(1));
  return all;
}

Result<Problem> complete(Problem given) {
  const auto declared = declaredFor(given);
  if (!declared) return failure(declared.error());
  const Entry entry = findAlgorithm(given).value();
  given.data = dataOf(given, entry);
  auto settings = complete(std::move(given.settings), *declared, given.algorithm + " on " + given.data);
  if (!settings) return failure(settings.error());
  given.settings = std::move(*settings);
  const Origin data = originOf(given.data).value();
  if (const Generator* generator = data.generator) {
    if (auto sizes = setSizes(given, *generator); !sizes) return failure(sizes.error());
    given.classes = generator->classes ? generator->classes(given.settings) : 0;
  }
  if (auto fits = validateData(given, entry, data); !fits) return failure(fits.error());
  return given;
}

Result<Entry> entryFor(const Problem& problem) {
  const auto whole = complete(problem);
  if (!whole) return failure(whole.error());
  if (*whole != problem) return refuse("the problem is not complete");
  const Entry entry = findAlgorithm(problem).value();
  const Generator* generator = findGenerator(problem.data);
  if (auto sizes = validateSizes(problem); !sizes) return failure(sizes.error());
  if (entry.numbers(problem) > kMostNumbers) {
    return refuse(
        "the model must have at most 4,000,000 parameters; make it or the number of features smaller");
  }
  if (generator) {
    if (auto valid = validateGenerated(problem, entry, *generator); !valid) return failure(valid.error());
  }
  if (entry.validate) {
    if (auto valid = entry.validate(problem); !valid) return failure(valid.error());
  }
  return entry;
}

std::unique_ptr<Source> makeSource(const Problem& problem) {
  const Generator* generator = findGenerator(problem.data);
  if (!generator) return nullptr;
  auto source = generator->make(problem);
  const Entry entry = findAlgorithm(problem).value();
  return entry.targets == Targets::Signs ? oneAgainstRest(std::move(source), positiveOf(problem))
                                         : std::move(source);
}

}  // namespace slaq::trainer
