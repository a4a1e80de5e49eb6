#include "trainer/algorithms/topics/topic_model.h"

#include <gtest/gtest.h>

#include "trainer/algorithms/topics/dirichlet.h"
#include "trainer/data/random.h"

namespace slaq::trainer {
namespace {

TopicModel model() {
  Random random(1, Purpose::FirstState);
  return TopicModel(12, 3, 0.2, random);
}

WordTopics statistics() {
  Random random(2, Purpose::Data);
  WordTopics statistics(12, 3);
  for (double& number : statistics.reshaped()) number = 10 * random.uniform();
  return statistics;
}

TEST(TopicModel, WeighsWordsByTheirExpectedLogs) {
  const TopicModel topics = model();
  for (Eigen::Index k = 0; k < 3; ++k) {
    const Vector logs = expectedLog(topics.parameters().col(k));
    EXPECT_LT((topics.weights().col(k).array().log() - logs.array()).abs().maxCoeff(), 1e-12);
  }
  EXPECT_GT(topics.parameters().minCoeff(), 0);
}

TEST(TopicModel, TakesTheStatisticsOfAllDocumentsOutright) {
  TopicModel topics = model();
  const WordTopics expected = 0.2 + statistics().array() * topics.weights().array();
  topics.update(statistics(), 1, 1);
  EXPECT_TRUE(topics.parameters().isApprox(expected, 1e-12));
}

TEST(TopicModel, GoesItsShareOfTheWayToABatch) {
  TopicModel topics = model();
  TopicModel whole = topics;
  const WordTopics before = topics.parameters();
  whole.update(statistics(), 7, 1);
  topics.update(statistics(), 7, 0.25);
  EXPECT_TRUE(topics.parameters().isApprox(0.75 * before + 0.25 * whole.parameters(), 1e-12));
}

}  // namespace
}  // namespace slaq::trainer
