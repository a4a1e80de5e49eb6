#include "trainer/algorithms/topics/topic_model.h"

#include <gtest/gtest.h>

#include "trainer/algorithms/topics/dirichlet.h"
#include "trainer/data/random.h"

namespace slaq::trainer {
namespace {

algorithms::topics::TopicModel model() {
  data::Random random(1, data::Purpose::FirstState);
  return algorithms::topics::TopicModel(12, 3, 0.2, random);
}

algorithms::topics::WordTopics statistics() {
  data::Random random(2, data::Purpose::Data);
  algorithms::topics::WordTopics statistics(12, 3);
  for (double& number : statistics.reshaped()) number = 10 * random.uniform();
  return statistics;
}

TEST(TopicModel, WeighsWordsByTheirExpectedLogs) {
  const algorithms::topics::TopicModel topics = model();
  for (Eigen::Index k = 0; k < 3; ++k) {
    const data::Vector logs = algorithms::topics::expectedLog(topics.parameters().col(k));
    EXPECT_LT((topics.weights().col(k).array().log() - logs.array()).abs().maxCoeff(), 1e-12);
  }
  EXPECT_GT(topics.parameters().minCoeff(), 0);
}

TEST(TopicModel, TakesTheStatisticsOfAllDocumentsOutright) {
  algorithms::topics::TopicModel topics = model();
  const algorithms::topics::WordTopics expected = 0.2 + statistics().array() * topics.weights().array();
  topics.update(statistics(), 1, 1);
  EXPECT_TRUE(topics.parameters().isApprox(expected, 1e-12));
}

TEST(TopicModel, GoesItsShareOfTheWayToABatch) {
  algorithms::topics::TopicModel topics = model();
  algorithms::topics::TopicModel whole = topics;
  const algorithms::topics::WordTopics before = topics.parameters();
  whole.update(statistics(), 7, 1);
  topics.update(statistics(), 7, 0.25);
  EXPECT_TRUE(topics.parameters().isApprox(0.75 * before + 0.25 * whole.parameters(), 1e-12));
}

}  // namespace
}  // namespace slaq::trainer
