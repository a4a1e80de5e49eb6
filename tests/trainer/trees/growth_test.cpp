// Trees grown from the histograms of half of the nodes against trees grown row by row.
#include "trainer/algorithms/trees/growth.h"

#include <gtest/gtest.h>

#include "trainer/data/random.h"

namespace slaq::trainer {
namespace {

struct Rows {
  algorithms::trees::Bins bins;
  std::vector<float> gradients;
};

// Whole gradients: sums and differences of them are exact in any order.
Rows randomRows(std::int64_t seed, Eigen::Index count) {
  data::Random random(static_cast<std::uint64_t>(seed), data::Purpose::Data);
  Rows rows{algorithms::trees::Bins(count, 4), {}};
  for (algorithms::trees::Bin& bin : rows.bins.reshaped())
    bin = static_cast<algorithms::trees::Bin>(random.below(8));
  for (Eigen::Index i = 0; i < count; ++i) {
    const int pattern = (rows.bins(i, 0) > 3) != (rows.bins(i, 2) > 5) ? 3 : 0;
    rows.gradients.push_back(static_cast<float>(random.below(9) - 4 + pattern));
  }
  return rows;
}

using Members = std::vector<Eigen::Index>;

algorithms::trees::Histogram histogramOf(const Rows& rows, const Members& members) {
  algorithms::trees::Histogram histogram(4 * 8);
  for (const Eigen::Index i : members) {
    for (Eigen::Index f = 0; f < 4; ++f) {
      histogram[static_cast<std::size_t>(f * 8 + rows.bins(i, f))] +=
          {rows.gradients[static_cast<std::size_t>(i)], 1, 1};
    }
  }
  return histogram;
}

Members membersAt(const Rows& rows, const algorithms::trees::Tree& tree, int level, std::size_t place) {
  Members members;
  for (Eigen::Index i = 0; i < rows.bins.rows(); ++i) {
    if (tree.placeOf(rows.bins.row(i).data(), level) == place) members.push_back(i);
  }
  return members;
}

std::vector<algorithms::trees::Histogram> histogramsOfWanted(const Rows& rows,
                                                             const algorithms::trees::Growth& growth) {
  std::vector<algorithms::trees::Histogram> found;
  for (const std::size_t place : growth.wanted()) {
    found.push_back(histogramOf(rows, membersAt(rows, growth.tree(), growth.level(), place)));
  }
  return found;
}

algorithms::trees::Tree grown(const Rows& rows, int depth, const algorithms::trees::SplitRules& rules) {
  algorithms::trees::Growth growth(depth, rules);
  while (!growth.isDone()) growth.grow(histogramsOfWanted(rows, growth));
  return growth.tree();
}

float valueByRows(const Rows& rows, const Members& members, const algorithms::trees::Bin* row, int levels,
                  const algorithms::trees::SplitRules& rules) {
  const algorithms::trees::Histogram histogram = histogramOf(rows, members);
  const auto split = levels > 0 ? algorithms::trees::bestSplit(histogram, rules) : std::nullopt;
  if (!split) return algorithms::trees::leafValue(algorithms::trees::totalOf(histogram, 8), rules);
  const auto goesRight = [&](const algorithms::trees::Bin* bins) {
    return bins[split->node.feature] > split->node.lastLeft;
  };
  Members side;
  for (const Eigen::Index i : members) {
    if (goesRight(rows.bins.row(i).data()) == goesRight(row)) side.push_back(i);
  }
  return valueByRows(rows, side, row, levels - 1, rules);
}

TEST(Growth, GivesTheTreeThatIsGrownRowByRow) {
  const algorithms::trees::SplitRules rules{.bins = 8, .minLeaf = 7, .l2 = 1, .learningRate = 0.3};
  for (int depth = 1; depth <= 5; ++depth) {
    const Rows rows = randomRows(depth, 400);
    const Members all = membersAt(rows, algorithms::trees::Tree(depth), 0, 0);
    const algorithms::trees::Tree tree = grown(rows, depth, rules);
    for (Eigen::Index i = 0; i < 60; ++i) {
      const algorithms::trees::Bin* row = rows.bins.row(i).data();
      EXPECT_EQ(tree.valueFor(row), valueByRows(rows, all, row, depth, rules)) << "depth " << depth;
    }
  }
}

TEST(Growth, IsDoneAtOnceWhereNothingIsToBeSplit) {
  algorithms::trees::Growth growth(3, {.bins = 8, .minLeaf = 300, .l2 = 1, .learningRate = 1});
  const Rows rows = randomRows(9, 400);
  growth.grow({histogramOf(rows, membersAt(rows, growth.tree(), 0, 0))});
  EXPECT_TRUE(growth.isDone());
  EXPECT_FALSE(growth.tree().isSplit());
}

TEST(Growth, GoesOnFromAnArchiveAtAnyLevel) {
  const Rows rows = randomRows(11, 400);
  const algorithms::trees::SplitRules rules{.bins = 8, .minLeaf = 5, .l2 = 1, .learningRate = 1};
  const algorithms::trees::Tree expected = grown(rows, 4, rules);
  algorithms::trees::Growth growth(4, rules);
  while (!growth.isDone()) {
    io::Archive saved;
    growth.archive(saved);
    const std::string bytes = saved.take();
    io::Archive loaded(bytes);
    growth = algorithms::trees::Growth(4, rules);
    growth.archive(loaded);
    ASSERT_TRUE(loaded.whole());
    growth.grow(histogramsOfWanted(rows, growth));
  }
  EXPECT_EQ(growth.tree(), expected);
}

TEST(Tree, IsReadBackAsItWasWritten) {
  const algorithms::trees::Tree tree =
      grown(randomRows(5, 200), 3, {.bins = 8, .minLeaf = 5, .l2 = 1, .learningRate = 0.1});
  Eigen::VectorXd numbers(algorithms::trees::Tree::sizeOf(3));
  tree.write(numbers);
  EXPECT_EQ(algorithms::trees::Tree::read(3, numbers), tree);
}

}  // namespace
}  // namespace slaq::trainer
