#include "trainer/algorithms/topics/topic_model.h"

#include "trainer/algorithms/topics/dirichlet.h"
#include "trainer/data/random.h"

namespace slaq::trainer::algorithms::topics {
namespace {

// Around 1 with a standard deviation of a tenth, as is usual; never far enough to be negative.
WordTopics firstGuess(Eigen::Index words, Eigen::Index topics, data::Random& random) {
  WordTopics guess(words, topics);
  for (double& parameter : guess.reshaped<Eigen::RowMajor>()) parameter = 1 + 0.1 * random.bell();
  return guess;
}

}  // namespace

TopicModel::TopicModel(Eigen::Index words, Eigen::Index topics, double prior, data::Random& random)
    : prior_(prior), parameters_(firstGuess(words, topics, random)) {
  expect();
}

void TopicModel::setParameters(const data::Vector& parameters) {
  parameters_ = parameters.reshaped<Eigen::RowMajor>(parameters_.rows(), parameters_.cols());
  expect();
}

void TopicModel::update(const Eigen::Ref<const WordTopics>& statistics, double scale, double share) {
  const auto found = prior_ + scale * statistics.array() * weights_.array();
  parameters_ = (1 - share) * parameters_.array() + share * found;
  expect();
}

void TopicModel::expect() {
  weights_.resize(parameters_.rows(), parameters_.cols());
  bound_ = 0;
  for (Eigen::Index k = 0; k < parameters_.cols(); ++k) {
    const data::Vector topic = parameters_.col(k);
    const data::Vector logs = expectedLog(topic);
    bound_ += priorBound(prior_, topic, logs);
    weights_.col(k) = logs.array().exp();
  }
}

}  // namespace slaq::trainer::algorithms::topics
