// Variational inference of a document's topics, the topics' words given (Hoffman, Blei and Bach 2010, lines
// 5 to 9 of algorithm 1). It always starts alike, so that it depends on nothing but document and topics.
// All in doubles: with small priors weights are as small as e^-100.
#pragma once

#include <cstdint>
#include <span>

#include "trainer/algorithms/algorithm.h"

namespace slaq::trainer::algorithms::topics {

// One row for each word, one column for each topic.
using WordTopics = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// Words by their numbers, and how often each occurs.
struct BagOfWords {
  std::span<const std::int32_t> words;
  std::span<const float> counts;
};

class Inference {
 public:
  // `weights` is exp(E[log of a topic's share of a word]) and must outlive this; `prior` is alpha.
  Inference(Eigen::Map<const WordTopics> weights, double prior) : weights_(weights), prior_(prior) {}

  // Adds to each word's row of `statistics` what, multiplied by its weights, is the expected number of its
  // occurrences by topic. Returns the document's part in the bound of the log likelihood.
  double add(const BagOfWords& document, Eigen::Ref<WordTopics> statistics);

  // Gamma of the document added last.
  const data::Vector& topics() const { return topics_; }

 private:
  void gather(const BagOfWords& document);
  void infer();
  void expect(double logOfSum);

  Eigen::Map<const WordTopics> weights_;
  double prior_;
  // Of the document in work.
  WordTopics words_;      // weights by word
  data::Vector counts_;   // by word
  data::Vector ratios_;   // by word: count over likelihood
  data::Vector topics_;   // gamma
  data::Vector logs_;     // E[log theta]
  data::Vector mixture_;  // exp(E[log theta])
};

}  // namespace slaq::trainer::algorithms::topics
