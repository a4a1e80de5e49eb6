#include "trainer/algorithms/topics/topic_training.h"

#include <gtest/gtest.h>

#include "trainer/calm.h"

namespace slaq::trainer {
namespace {

problem::Problem topics(const std::string& algorithm) {
  problem::Problem problem;
  problem.algorithm = algorithm;
  problem.rows = 151;
  problem.features = 300;
  problem.chunks = 4;
  problem.settings.set("topics", 5.0);
  problem.settings.set("document-length", 60.0);
  return completed(problem);
}

TEST(TopicsByEm, NeverLowerTheBound) {
  const auto curve = trainCalmly(topics("lda"), {80, 0});
  ASSERT_EQ(curve.size(), 81u);
  // A document's inference ends when it changes by little, and so the bound is known.
  for (std::size_t k = 1; k < curve.size(); ++k) EXPECT_LT(curve[k].loss, curve[k - 1].loss + 1e-4) << k;
  EXPECT_LT(curve.back().loss, 0.9 * curve.front().loss);
}

// Any model is worth less than to know each word's frequency in each document.
TEST(TopicsByEm, AreWorthLessThanAllThereIsToKnow) {
  const problem::Problem problem = topics("lda");
  const auto source = registry::makeSource(problem);
  double best = 0;
  double occurrences = 0;
  for (std::int64_t c = 0; c < problem.chunks; ++c) {
    const data::Documents documents = source->chunk(c).documents;
    for (std::int64_t d = 0; d < documents.count(); ++d) {
      double length = 0;
      for (auto i = documents.begins[d]; i < documents.begins[d + 1]; ++i) length += documents.counts[i];
      for (auto i = documents.begins[d]; i < documents.begins[d + 1]; ++i) {
        best -= documents.counts[i] * std::log(documents.counts[i] / length);
      }
      occurrences += length;
    }
  }
  const auto curve = trainCalmly(problem, {40, 0});
  EXPECT_GT(curve.back().loss, best / occurrences);
  EXPECT_LT(curve.back().loss, std::log(300.0)) << "than to know nothing, it is worth more";
}

TEST(TopicsOnline, ComeNearToWhatEmFinds) {
  problem::Problem problem = topics("lda-online");
  problem.settings.set("batch-size", 40.0);
  const auto online = trainCalmly(problem, {150, 0});
  const auto em = trainCalmly(topics("lda"), {80, 0});
  double late = 0;
  for (std::size_t k = online.size() - 20; k < online.size(); ++k) late += online[k].loss / 20;
  EXPECT_NEAR(late, em.back().loss, 0.05 * em.back().loss);
}

TEST(TopicsOnline, AreEmWhenABatchHoldsAllAndNothingIsKept) {
  const problem::Problem problem = topics("lda");
  const auto source = registry::makeSource(problem);
  const data::Chunk chunk = source->chunk(0);
  const algorithms::topics::TopicKernel whole(5, 0.2, algorithms::Batches{});
  const auto em = registry::entryFor(problem).value().makeKernel(problem);
  const auto state = registry::entryFor(problem).value().makeAlgorithm(problem, *source)->state();
  EXPECT_EQ(whole.partial(chunk, state), em->partial(chunk, state));
  EXPECT_EQ(algorithms::topics::Forgetting{}.share(17), 1);
  EXPECT_DOUBLE_EQ((algorithms::topics::Forgetting{10, 0.5}.share(6)), 0.25);
}

}  // namespace
}  // namespace slaq::trainer
