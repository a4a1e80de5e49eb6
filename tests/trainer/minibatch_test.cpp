#include "trainer/algorithms/minibatch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace slaq::trainer {
namespace {

TEST(Batches, VisitEachRowOnceInAnEpoch) {
  for (const Eigen::Index rows : {1, 2, 7, 64, 100, 997}) {
    for (const double share : {0.001, 0.1, 0.37, 1.0}) {
      const algorithms::Batches batches{.seed = 5, .share = share};
      std::vector<Eigen::Index> visited;
      for (std::int64_t k = 0; static_cast<Eigen::Index>(visited.size()) < 3 * rows; ++k) {
        const auto batch = batches.pick(rows, k);
        visited.insert(visited.end(), batch.begin(), batch.end());
      }
      std::vector<Eigen::Index> every(static_cast<std::size_t>(rows));
      std::iota(every.begin(), every.end(), 0);
      for (auto epoch = visited.begin(); epoch != visited.begin() + 3 * rows; epoch += rows) {
        EXPECT_TRUE(std::is_permutation(epoch, epoch + rows, every.begin())) << rows << " rows, " << share;
      }
    }
  }
}

TEST(Batches, TakeTheirShareOfAChunkAndAtLeastOneRow) {
  EXPECT_EQ((algorithms::Batches{.share = 0.1}.pick(1000, 3).size()), 100u);
  EXPECT_EQ((algorithms::Batches{.share = 1e-6}.pick(1000, 3).size()), 1u);
  EXPECT_EQ((algorithms::Batches{.share = 1}.pick(1000, 3).size()), 1000u);
}

TEST(Batches, DependOnSeedAndIterationAlone) {
  const algorithms::Batches batches{.seed = 1, .share = 0.2};
  EXPECT_EQ(batches.pick(500, 7), (algorithms::Batches{.seed = 1, .share = 0.2}.pick(500, 7)));
  EXPECT_NE(batches.pick(500, 7), batches.pick(500, 8));
  EXPECT_NE(batches.pick(500, 7), (algorithms::Batches{.seed = 2, .share = 0.2}.pick(500, 7)));
}

}  // namespace
}  // namespace slaq::trainer
