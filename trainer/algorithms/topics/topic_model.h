// The driver's half of latent Dirichlet allocation: what is known of the topics' words, brought forward by
// the statistics of all documents (EM) or of a mini-batch (online, Hoffman, Blei and Bach 2010).
#pragma once

#include "trainer/algorithms/topics/inference.h"
#include "trainer/data/random.h"

namespace slaq::trainer::algorithms::topics {

class TopicModel {
 public:
  // `prior` is eta. REQUIRES: words, topics > 0, prior > 0.
  TopicModel(Eigen::Index words, Eigen::Index topics, double prior, data::Random& random);

  // REQUIRES: as many as there are, word by word.
  void setParameters(const data::Vector& parameters);

  // lambda, and what Inference takes.
  const WordTopics& parameters() const { return parameters_; }
  const WordTopics& weights() const { return weights_; }

  // The topics' part in the bound of the log likelihood.
  double bound() const { return bound_; }

  // The parameters move by `share` of the way to those of the statistics, which are `scale` times as many:
  // all documents over those of the batch. Line 10 to 12 of algorithm 1; EM has a share of 1.
  void update(const Eigen::Ref<const WordTopics>& statistics, double scale, double share);

 private:
  void expect();

  double prior_;
  WordTopics parameters_;
  WordTopics weights_;
  double bound_ = 0;
};

}  // namespace slaq::trainer::algorithms::topics
