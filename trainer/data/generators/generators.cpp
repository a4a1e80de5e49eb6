#include "trainer/data/generators/generators.h"

#include <algorithm>
#include <array>

#include "trainer/data/generators/corpus.h"
#include "trainer/data/generators/digits.h"
#include "trainer/data/generators/interactions.h"
#include "trainer/data/generators/linear_data.h"
#include "trainer/data/generators/mixture.h"

namespace slaq::trainer::data::generators {
namespace {

std::int64_t two(const problem::Settings&) { return 2; }
std::int64_t ten(const problem::Settings&) { return kDigits; }
std::int64_t asManyAsClusters(const problem::Settings& settings) { return settings.whole("clusters"); }

const std::array kGenerators{
    Generator{.name = "regression",
              .summary = "a linear function with noise",
              .settings = linearDataSettings(),
              .make = makeRegressionData},
    Generator{.name = "two-classes",
              .summary = "two overlapping classes on both sides of a plane",
              .settings = linearDataSettings(),
              .classes = two,
              .make = makeTwoClassData},
    Generator{.name = "curved-classes",
              .summary = "two overlapping classes that no plane divides",
              .settings = linearDataSettings(),
              .classes = two,
              .make = makeCurvedClassData},
    Generator{.name = "mixture",
              .summary = "a mixture of Gaussian clusters, a class each",
              .settings = mixtureSettings(),
              .classes = asManyAsClusters,
              .make = makeMixture},
    Generator{.name = "digits",
              .summary = "images of ten classes in the shape of MNIST",
              .rows = 60000,
              .features = 784,
              .settings = digitsSettings(),
              .classes = ten,
              .validate = validateDigits,
              .make = makeDigits},
    Generator{.name = "interactions",
              .summary = "a function of products, squares and thresholds of a few features, with noise",
              .settings = interactionsSettings(),
              .make = makeInteractions},
    Generator{.name = "interacting-classes",
              .summary = "two classes that such a function tells apart",
              .settings = interactionsSettings(),
              .classes = two,
              .make = makeInteractingClasses},
    Generator{.name = "corpus",
              .summary = "documents of a topic model in the shape of the Associated Press corpus",
              .documents = true,
              .rows = 2246,
              .features = 10473,
              .settings = corpusSettings(),
              .validate = validateCorpus,
              .make = makeCorpus},
};

}  // namespace

std::span<const Generator> generators() { return kGenerators; }

const Generator* findGenerator(std::string_view name) {
  const auto found = std::ranges::find(kGenerators, name, &Generator::name);
  return found == kGenerators.end() ? nullptr : &*found;
}

}  // namespace slaq::trainer::data::generators
