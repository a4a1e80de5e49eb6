#include "trainer/algorithms/topics/inference.h"

#include <gtest/gtest.h>

#include <cmath>

#include "trainer/data/random.h"

namespace slaq::trainer {
namespace {

struct Document {
  std::vector<std::int32_t> words;
  std::vector<float> counts;
  operator algorithms::topics::BagOfWords() const { return {words, counts}; }
};

// Shares of 30 words in 4 topics.
algorithms::topics::WordTopics randomTopics(data::Random& random) {
  algorithms::topics::WordTopics topics(30, 4);
  for (double& share : topics.reshaped()) share = 0.01 + random.uniform();
  topics.array().rowwise() /= topics.colwise().sum().array();
  return topics;
}

Document randomDocument(data::Random& random) {
  Document document;
  for (std::int32_t word = 0; word < 30; ++word) {
    if (random.uniform() < 0.4) continue;
    document.words.push_back(word);
    document.counts.push_back(static_cast<float>(1 + random.below(5)));
  }
  return document;
}

Eigen::Map<const algorithms::topics::WordTopics> mapped(const algorithms::topics::WordTopics& topics) {
  return {topics.data(), topics.rows(), topics.cols()};
}

TEST(Inference, SharesEveryOccurrenceOutAmongTheTopics) {
  data::Random random(1, data::Purpose::Data);
  for (int trial = 0; trial < 20; ++trial) {
    const algorithms::topics::WordTopics topics = randomTopics(random);
    const Document document = randomDocument(random);
    algorithms::topics::WordTopics statistics = algorithms::topics::WordTopics::Zero(30, 4);
    algorithms::topics::Inference inference(mapped(topics), 0.25);
    inference.add(document, statistics);
    const data::Vector shared = statistics.cwiseProduct(topics).rowwise().sum();
    double length = 0;
    for (std::size_t i = 0; i < document.words.size(); ++i) {
      EXPECT_NEAR(shared[document.words[i]], document.counts[i], 1e-9);
      length += document.counts[i];
    }
    EXPECT_NEAR(shared.sum(), length, 1e-9) << "words that do not occur have no share";
    EXPECT_NEAR(inference.topics().sum(), 4 * 0.25 + length, 1e-9);
  }
}

TEST(Inference, FindsTheTopicThatADocumentIsAbout) {
  algorithms::topics::WordTopics topics = algorithms::topics::WordTopics::Constant(30, 3, 1e-4);
  for (Eigen::Index word = 0; word < 30; ++word) topics(word, word / 10) = 0.1;
  algorithms::topics::WordTopics statistics = algorithms::topics::WordTopics::Zero(30, 3);
  algorithms::topics::Inference inference(mapped(topics), 0.1);
  inference.add(Document{{10, 13, 17}, {5, 5, 5}}, statistics);
  EXPECT_GT(inference.topics()[1], 15);
}

// The likelihood of one word is known: its shares averaged over the prior's topics.
TEST(Inference, BoundsTheLikelihoodFromBelow) {
  data::Random random(2, data::Purpose::Data);
  const algorithms::topics::WordTopics topics = randomTopics(random);
  algorithms::topics::WordTopics statistics = algorithms::topics::WordTopics::Zero(30, 4);
  for (std::int32_t word = 0; word < 30; ++word) {
    const double bound =
        algorithms::topics::Inference(mapped(topics), 0.5).add(Document{{word}, {1}}, statistics);
    const double exact = std::log(topics.row(word).mean());
    EXPECT_LE(bound, exact);
    EXPECT_GT(bound, exact - 1);
  }
}

TEST(Inference, IsNotLedAstrayByTinyWeights) {
  const algorithms::topics::WordTopics topics = algorithms::topics::WordTopics::Constant(2, 2, 1e-50);
  algorithms::topics::WordTopics statistics = algorithms::topics::WordTopics::Zero(2, 2);
  const double bound =
      algorithms::topics::Inference(mapped(topics), 0.01).add(Document{{0, 1}, {3, 2}}, statistics);
  EXPECT_TRUE(std::isfinite(bound));
  EXPECT_NEAR(statistics.row(0).sum() * 1e-50, 3, 1e-9);
}

TEST(Inference, AsksNothingOfAnEmptyDocument) {
  const algorithms::topics::WordTopics topics = algorithms::topics::WordTopics::Constant(2, 2, 0.5);
  algorithms::topics::WordTopics statistics = algorithms::topics::WordTopics::Zero(2, 2);
  EXPECT_EQ(algorithms::topics::Inference(mapped(topics), 0.1).add(Document{}, statistics), 0);
  EXPECT_TRUE(statistics.isZero());
}

}  // namespace
}  // namespace slaq::trainer
