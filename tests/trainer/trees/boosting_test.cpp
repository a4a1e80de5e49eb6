#include "trainer/algorithms/trees/boosting.h"

#include <gtest/gtest.h>

#include <cmath>

#include "trainer/calm.h"

namespace slaq::trainer {
namespace {

problem::Problem boosted(const std::string& algorithm) {
  problem::Problem problem;
  problem.algorithm = algorithm;
  problem.rows = 3001;  // no multiple of anything
  problem.features = 7;
  problem.chunks = 5;
  problem.settings.set("trees", 80.0);
  problem.settings.set("depth", 3.0);
  problem.settings.set("bins", 32.0);
  return completed(problem);
}

const std::array kBoth = {"boosted-trees", "boosted-trees-regression"};

data::Floats allTargets(const problem::Problem& problem) {
  const auto source = registry::makeSource(problem);
  data::Floats targets(problem.rows);
  for (std::int64_t c = 0; c < problem.chunks; ++c) {
    targets.segment(problem::rowsOf(problem, c).first, problem::rowsOf(problem, c).count) =
        source->chunk(c).targets;
  }
  return targets;
}

TEST(Boosting, NeverRaisesTheLossOfTheRowsItLearnsFrom) {
  for (const std::string algorithm : kBoth) {
    const auto curve = trainCalmly(boosted(algorithm), {1000, 0});
    for (std::size_t k = 1; k < curve.size(); ++k) {
      EXPECT_LT(curve[k].loss, curve[k - 1].loss) << algorithm << " at tree " << k;
    }
    EXPECT_LT(curve.back().loss, 0.6 * curve.front().loss) << algorithm;
  }
}

TEST(Boosting, EndsWithItsLastTree) {
  for (const std::string algorithm : kBoth) {
    EXPECT_EQ(trainCalmly(boosted(algorithm), {1000, 0}).back().iteration, 80) << algorithm;
  }
}

TEST(Boosting, BeginsWithTheBestConstant) {
  const problem::Problem numbers = boosted("boosted-trees-regression");
  const Eigen::ArrayXd targets = allTargets(numbers).cast<double>();
  EXPECT_NEAR(trainCalmly(numbers, {1, 0}).front().loss, 0.5 * (targets - targets.mean()).square().mean(),
              1e-6);
  const problem::Problem classes = boosted("boosted-trees");
  const double chance = (allTargets(classes).array() > 0).cast<double>().mean();
  EXPECT_NEAR(trainCalmly(classes, {1, 0}).front().loss,
              -chance * std::log(chance) - (1 - chance) * std::log(1 - chance), 1e-6);
}

TEST(Boosting, SettlesWhereNoSplitIsLeft) {
  problem::Problem problem = boosted("boosted-trees-regression");
  problem.settings.set("min-leaf", 2000.0);
  EXPECT_EQ(trainCalmly(problem, {1000, 0}).size(), 1u);
}

TEST(Boosting, LearnsFromOneClassThatItIsTheOnlyOne) {
  problem::Problem problem = boosted("boosted-trees");
  problem.rows = 5;
  problem.settings.set("min-leaf", 1.0);
  for (const training::Progress& now : trainCalmly(problem, {1000, 0})) EXPECT_TRUE(std::isfinite(now.loss));
}

// A worker may have computed other chunks, rounds or problems before, or nothing at all.
TEST(Boosting, IsTheSameWithAndWithoutAMemoryOfTheRows) {
  for (const std::string algorithm : kBoth) {
    const problem::Problem problem = boosted(algorithm);
    const registry::Entry entry = registry::entryFor(problem).value();
    const auto source = registry::makeSource(problem);
    const auto training = entry.makeAlgorithm(problem, *source);
    const auto kernel = entry.makeKernel(problem);
    const data::Chunk chunk = source->chunk(2);
    data::Vector total = data::Vector::Zero(training->partialSize());
    std::unique_ptr<algorithms::Memory> memory;
    std::vector<data::Vector> states;
    for (int round = 0; round < 40; ++round) {
      states.push_back(training->state());
      const data::Vector partial = kernel->partial(chunk, training->state());
      // Skipping rounds, and now and then going back.
      if (round % 3 == 0) {
        EXPECT_EQ(kernel->partial(chunk, training->state(), memory), partial) << "round " << round;
      }
      if (round % 10 == 9) {
        EXPECT_EQ(kernel->partial(chunk, states[6], memory), kernel->partial(chunk, states[6]));
      }
      training->fold(partial);
    }
  }
}

}  // namespace
}  // namespace slaq::trainer
