#include "trainer/algorithms/trees/split.h"

#include <gtest/gtest.h>

#include <array>

#include "trainer/data/random.h"

namespace slaq::trainer {
namespace {

// Three features of eight bins, of which the second matters.
Histogram randomHistogram(Random& random) {
  Histogram histogram(3 * 8);
  for (int row = 0; row < 300; ++row) {
    const std::array bins = {random.below(8), random.below(8), random.below(8)};
    const double gradient = random.bell() + (bins[1] > 4 ? 0.5 : 0.0);
    for (std::size_t f = 0; f < 3; ++f) {
      histogram[f * 8 + static_cast<std::size_t>(bins[f])] += {gradient, 1, 1};
    }
  }
  return histogram;
}

double decrease(const Split& split, const Sums& total, double l2) {
  const auto score = [l2](const Sums& s) { return s.gradient * s.gradient / (s.curvature + l2); };
  return score(split.left) + score(split.right) - score(total);
}

TEST(Split, IsNoWorseThanAnyOther) {
  Random random(1, Purpose::Data);
  const SplitRules rules{.bins = 8, .minLeaf = 10, .l2 = 2, .learningRate = 1};
  for (int trial = 0; trial < 30; ++trial) {
    const Histogram histogram = randomHistogram(random);
    const auto best = bestSplit(histogram, rules);
    ASSERT_TRUE(best);
    for (std::size_t f = 0; f < 3; ++f) {
      const auto feature = std::span(histogram).subspan(f * 8, 8);
      for (std::size_t last = 0; last < 7; ++last) {
        Split other;
        other.left = totalOf(feature, static_cast<std::int64_t>(last) + 1);
        other.right = totalOf(feature, 8) - other.left;
        if (other.left.count < 10 || other.right.count < 10) continue;
        EXPECT_LE(decrease(other, totalOf(feature, 8), rules.l2), best->gain * (1 + 1e-9));
      }
    }
  }
}

TEST(Split, SendsTheRowsOfItsBinsToTheLeft) {
  const Histogram histogram = {{-5, 5, 5}, {-4, 4, 4}, {9, 9, 9}, {0, 0, 0}};
  const auto split = bestSplit(histogram, {.bins = 4, .minLeaf = 1, .l2 = 0, .learningRate = 1});
  ASSERT_TRUE(split);
  EXPECT_EQ(split->node, (Tree::Node{0, 1}));
  EXPECT_EQ(split->left, (Sums{-9, 9, 9}));
  EXPECT_EQ(split->right, (Sums{9, 9, 9}));
  EXPECT_FLOAT_EQ(leafValue(split->left, {.l2 = 1, .learningRate = 0.5}), 0.45f);
}

TEST(Split, LeavesEnoughRowsOnEachSide) {
  const Histogram histogram = {{-30, 3, 3}, {1, 10, 10}, {2, 10, 10}, {3, 10, 10}};
  for (const double minLeaf : {1.0, 4.0, 13.0}) {
    const auto split = bestSplit(histogram, {.bins = 4, .minLeaf = minLeaf, .l2 = 0, .learningRate = 1});
    ASSERT_TRUE(split);
    EXPECT_GE(split->left.count, minLeaf);
    EXPECT_GE(split->right.count, minLeaf);
  }
  EXPECT_FALSE(bestSplit(histogram, {.bins = 4, .minLeaf = 14, .l2 = 0, .learningRate = 1}));
}

TEST(Split, IsNotMadeWhereItLowersNothing) {
  const Histogram even = {{2, 2, 2}, {3, 3, 3}, {5, 5, 5}};
  EXPECT_FALSE(bestSplit(even, {.bins = 3, .minLeaf = 1, .l2 = 0, .learningRate = 1}));
}

}  // namespace
}  // namespace slaq::trainer
