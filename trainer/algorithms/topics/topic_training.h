// The two halves of latent Dirichlet allocation. The state is the iteration, then the weights of the words
// in the topics; a partial result, over the documents of the batch: the statistics, the documents' part in
// the bound, their occurrences of words, their number.
#pragma once

#include <cmath>

#include "trainer/algorithms/minibatch.h"
#include "trainer/algorithms/topics/topic_model.h"

namespace slaq::trainer::algorithms::topics {

// What share of what is known a batch replaces: (tau + t)^-kappa after t batches (Hoffman, Blei and Bach
// 2010, section 2.3), and all of it with a kappa of 0, as EM does.
struct Forgetting {
  double tau = 1;
  double kappa = 0;

  double share(double batches) const { return std::pow(tau + batches, -kappa); }
};

class TopicTraining final : public Algorithm {
 public:
  TopicTraining(TopicModel model, std::int64_t documents, Forgetting forgetting);

  const data::Vector& state() const override { return state_; }
  Eigen::Index partialSize() const override { return model_.weights().size() + 3; }
  Outcome fold(const data::Vector& total) override;
  void archive(io::Archive& fields) override;

 private:
  void broadcast();

  TopicModel model_;
  double documents_;
  Forgetting forgetting_;
  double iteration_ = 0;
  data::Vector state_;
};

class TopicKernel final : public Kernel {
 public:
  // `prior` is alpha.
  TopicKernel(Eigen::Index topics, double prior, Batches batches)
      : topics_(topics), prior_(prior), batches_(batches) {}
  data::Vector partial(const data::Chunk& chunk, const data::Vector& state) const override;

 private:
  Eigen::Index topics_;
  double prior_;
  Batches batches_;
};

}  // namespace slaq::trainer::algorithms::topics
