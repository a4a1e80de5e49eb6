#include "trainer/algorithms/trees/split.h"

#include <gtest/gtest.h>

#include <array>

#include "trainer/data/random.h"

namespace slaq::trainer {
namespace {

// Three features of eight bins, of which the second matters.
algorithms::trees::Histogram randomHistogram(data::Random& random) {
  algorithms::trees::Histogram histogram(3 * 8);
  for (int row = 0; row < 300; ++row) {
    const std::array bins = {random.below(8), random.below(8), random.below(8)};
    const double gradient = random.bell() + (bins[1] > 4 ? 0.5 : 0.0);
    for (std::size_t f = 0; f < 3; ++f) {
      histogram[f * 8 + static_cast<std::size_t>(bins[f])] += {gradient, 1, 1};
    }
  }
  return histogram;
}

double decrease(const algorithms::trees::Split& split, const algorithms::trees::Sums& total, double l2) {
  const auto score = [l2](const algorithms::trees::Sums& s) {
    return s.gradient * s.gradient / (s.curvature + l2);
  };
  return score(split.left) + score(split.right) - score(total);
}

TEST(Split, IsNoWorseThanAnyOther) {
  data::Random random(1, data::Purpose::Data);
  const algorithms::trees::SplitRules rules{.bins = 8, .minLeaf = 10, .l2 = 2, .learningRate = 1};
  for (int trial = 0; trial < 30; ++trial) {
    const algorithms::trees::Histogram histogram = randomHistogram(random);
    const auto best = algorithms::trees::bestSplit(histogram, rules);
    ASSERT_TRUE(best);
    for (std::size_t f = 0; f < 3; ++f) {
      const auto feature = std::span(histogram).subspan(f * 8, 8);
      for (std::size_t last = 0; last < 7; ++last) {
        algorithms::trees::Split other;
        other.left = algorithms::trees::totalOf(feature, static_cast<std::int64_t>(last) + 1);
        other.right = algorithms::trees::totalOf(feature, 8) - other.left;
        if (other.left.count < 10 || other.right.count < 10) continue;
        EXPECT_LE(decrease(other, algorithms::trees::totalOf(feature, 8), rules.l2), best->gain * (1 + 1e-9));
      }
    }
  }
}

TEST(Split, SendsTheRowsOfItsBinsToTheLeft) {
  const algorithms::trees::Histogram histogram = {{-5, 5, 5}, {-4, 4, 4}, {9, 9, 9}, {0, 0, 0}};
  const auto split =
      algorithms::trees::bestSplit(histogram, {.bins = 4, .minLeaf = 1, .l2 = 0, .learningRate = 1});
  ASSERT_TRUE(split);
  EXPECT_EQ(split->node, (algorithms::trees::Tree::Node{0, 1}));
  EXPECT_EQ(split->left, (algorithms::trees::Sums{-9, 9, 9}));
  EXPECT_EQ(split->right, (algorithms::trees::Sums{9, 9, 9}));
  EXPECT_FLOAT_EQ(algorithms::trees::leafValue(split->left, {.l2 = 1, .learningRate = 0.5}), 0.45f);
}

TEST(Split, LeavesEnoughRowsOnEachSide) {
  const algorithms::trees::Histogram histogram = {{-30, 3, 3}, {1, 10, 10}, {2, 10, 10}, {3, 10, 10}};
  for (const double minLeaf : {1.0, 4.0, 13.0}) {
    const auto split =
        algorithms::trees::bestSplit(histogram, {.bins = 4, .minLeaf = minLeaf, .l2 = 0, .learningRate = 1});
    ASSERT_TRUE(split);
    EXPECT_GE(split->left.count, minLeaf);
    EXPECT_GE(split->right.count, minLeaf);
  }
  EXPECT_FALSE(
      algorithms::trees::bestSplit(histogram, {.bins = 4, .minLeaf = 14, .l2 = 0, .learningRate = 1}));
}

TEST(Split, IsNotMadeWhereItLowersNothing) {
  const algorithms::trees::Histogram even = {{2, 2, 2}, {3, 3, 3}, {5, 5, 5}};
  EXPECT_FALSE(algorithms::trees::bestSplit(even, {.bins = 3, .minLeaf = 1, .l2 = 0, .learningRate = 1}));
}

}  // namespace
}  // namespace slaq::trainer
