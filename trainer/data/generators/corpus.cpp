#include "trainer/data/generators/corpus.h"

#include <algorithm>
#include <array>
#include <vector>

#include "trainer/data/random.h"

namespace slaq::trainer::data::generators {
namespace {

constexpr std::array kCorpusSettings{
    problem::Setting{.name = "topics",
                     .help = "topics of the documents",
                     .kind = problem::Setting::Kind::Whole,
                     .usual = "20",
                     .least = 1,
                     .most = 10000},
    problem::Setting{.name = "document-length",
                     .help = "occurrences of words in a document, on average",
                     .kind = problem::Setting::Kind::Whole,
                     .usual = "194",
                     .least = 1,
                     .most = 1e6},
};

constexpr double kMostShares = 1e8;
constexpr int kTopicsOfADocument = 3;

// What can be drawn from: the sums of the weights so far.
class Distribution {
 public:
  void add(double weight) { sums_.push_back((sums_.empty() ? 0 : sums_.back()) + weight); }

  std::int32_t draw(Random& random) const {
    const double point = random.uniform() * sums_.back();
    const auto after = std::upper_bound(sums_.begin(), sums_.end() - 1, point);
    return static_cast<std::int32_t>(after - sums_.begin());
  }

 private:
  std::vector<double> sums_;
};

// Zipf's law over all topics, which a topic follows with some words much raised and the others lowered.
Distribution drawTopic(std::int64_t words, Random& random) {
  constexpr double kOwn = 0.05;  // share of the words that a topic raises
  Distribution topic;
  for (std::int64_t word = 0; word < words; ++word) {
    const double usual = 1 / (static_cast<double>(word) + 2.7);
    topic.add(usual * (random.uniform() < kOwn ? 20 : 0.2));
  }
  return topic;
}

class Corpus final : public Source {
 public:
  explicit Corpus(const problem::Problem& problem)
      : problem_(problem), length_(problem.settings.number("document-length")) {
    Random random(problem.seed, Purpose::Truth);
    for (std::int64_t k = 0; k < problem.settings.whole("topics"); ++k) {
      topics_.push_back(drawTopic(problem.features, random));
    }
  }

  Chunk chunk(std::int64_t index) const override {
    Random random(problem_.seed, Purpose::Data, index);
    Chunk chunk{index, {}, {}, {}};
    for (std::int64_t i = 0; i < problem::rowsOf(problem_, index).count; ++i)
      append(draw(random), chunk.documents);
    return chunk;
  }

 private:
  std::vector<std::int32_t> draw(Random& random) const {
    Distribution mixture;
    std::array<std::size_t, kTopicsOfADocument> about;
    for (std::size_t& topic : about) {
      topic = static_cast<std::size_t>(random.below(static_cast<std::int64_t>(topics_.size())));
      mixture.add(random.uniform());
    }
    const double length = length_ * (0.2 + 1.6 * random.uniform());
    std::vector<std::int32_t> words(std::max<std::size_t>(1, static_cast<std::size_t>(length)));
    for (std::int32_t& word : words) {
      word = topics_[about[static_cast<std::size_t>(mixture.draw(random))]].draw(random);
    }
    return words;
  }

  static void append(std::vector<std::int32_t> words, Documents& documents) {
    std::ranges::sort(words);
    for (auto word = words.begin(); word != words.end();) {
      const auto other = std::upper_bound(word, words.end(), *word);
      documents.words.push_back(*word);
      documents.counts.push_back(static_cast<float>(other - word));
      word = other;
    }
    documents.begins.push_back(static_cast<std::int64_t>(documents.words.size()));
  }

  problem::Problem problem_;
  double length_;
  std::vector<Distribution> topics_;
};

}  // namespace

std::span<const problem::Setting> corpusSettings() { return kCorpusSettings; }

Result<void> validateCorpus(const problem::Problem& problem) {
  const double shares = problem.settings.number("topics") * static_cast<double>(problem.features);
  if (shares <= kMostShares) return {};
  return failure(ErrorKind::Invalid, "--topics times --features must be at most 100,000,000");
}

std::unique_ptr<Source> makeCorpus(const problem::Problem& problem) {
  return std::make_unique<Corpus>(problem);
}

}  // namespace slaq::trainer::data::generators
