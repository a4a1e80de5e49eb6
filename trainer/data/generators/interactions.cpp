#include "trainer/data/generators/interactions.h"

#include <array>

#include "trainer/data/random.h"

namespace slaq::trainer::data::generators {
namespace {

constexpr std::array kInteractionsSettings{
    problem::Setting{
        .name = "noise", .help = "how much the data contradict the model; 1 is usual", .usual = "1"},
};

struct Term {
  enum class Kind { Product, Square, Threshold, Single };

  Kind kind = Kind::Single;
  Eigen::Index first = 0;
  Eigen::Index second = 0;

  // Of mean 0 and about variance 1.
  template <class Row>
  float at(const Row& row) const {
    switch (kind) {
      case Kind::Product:
        return row[first] * row[second];
      case Kind::Square:
        return 0.77f * (row[first] * row[first] - 1);
      case Kind::Threshold:
        return row[first] > 0 ? 1.0f : -1.0f;
      case Kind::Single:
        break;
    }
    return row[first];
  }
};

// Four of each kind: enough for boosting to go on for hundreds of trees.
using Terms = std::array<Term, 16>;

Terms drawTerms(const problem::Problem& problem) {
  Random random(problem.seed, Purpose::Truth);
  Terms terms;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    terms[i].kind = static_cast<Term::Kind>(i % 4);
    terms[i].first = random.below(problem.features);
    terms[i].second = random.below(problem.features);
  }
  return terms;
}

class Interactions final : public Source {
 public:
  Interactions(const problem::Problem& problem, bool classes)
      : problem_(problem),
        classes_(classes),
        noise_(static_cast<float>(problem.settings.number("noise"))),
        terms_(drawTerms(problem)) {}

  Chunk chunk(std::int64_t index) const override {
    Random random(problem_.seed, Purpose::Data, index);
    const problem::RowRange range = problem::rowsOf(problem_, index);
    Chunk chunk{index, Matrix(range.count, problem_.features), Floats(range.count), {}};
    for (Eigen::Index i = 0; i < range.count; ++i) {
      auto row = chunk.features.row(i);
      for (float& value : row) value = random.bell();
      chunk.targets[i] = target(row, random);
    }
    return chunk;
  }

 private:
  template <class Row>
  float target(const Row& row, Random& random) const {
    float sum = 0;
    for (const Term& term : terms_) sum += 0.25f * term.at(row);  // 16 terms: of variance 1 altogether
    sum += 0.3f * noise_ * random.bell();
    return classes_ ? (sum > 0 ? 1.0f : 0.0f) : sum;
  }

  problem::Problem problem_;
  bool classes_;
  float noise_;
  Terms terms_;
};

}  // namespace

std::span<const problem::Setting> interactionsSettings() { return kInteractionsSettings; }

std::unique_ptr<Source> makeInteractions(const problem::Problem& problem) {
  return std::make_unique<Interactions>(problem, false);
}

std::unique_ptr<Source> makeInteractingClasses(const problem::Problem& problem) {
  return std::make_unique<Interactions>(problem, true);
}

}  // namespace slaq::trainer::data::generators
