#include "schedule/runtime_model.h"

#include <gtest/gtest.h>

namespace slaq {
namespace {

Time at(double seconds) { return Time(Seconds(seconds)); }

TEST(RuntimeModel, KnowsNothingBeforeAnIterationWentBy) {
  RuntimeModel model;
  EXPECT_FALSE(model.coreSecondsPerIteration());
  model.running(at(0), Cores(2000));
  model.sample(at(1), Iterations(3));
  EXPECT_FALSE(model.coreSecondsPerIteration());
  model.sample(at(2), Iterations(3));  // no iteration went by
  EXPECT_FALSE(model.coreSecondsPerIteration());
}

TEST(RuntimeModel, LearnsCoreSecondsPerIteration) {
  RuntimeModel model;
  model.running(at(0), Cores(2000));
  for (int s = 1; s <= 10; ++s) model.sample(at(s), Iterations(4 * s));
  EXPECT_DOUBLE_EQ(*model.coreSecondsPerIteration(), 0.5);  // 2 cores x 1 s / 4 iterations
}

TEST(RuntimeModel, MeasuresAnewAfterAResizeAndKeepsTheOldFigureUntilThen) {
  RuntimeModel model;
  model.running(at(0), Cores(1000));
  for (int s = 1; s <= 4; ++s) model.sample(at(s), Iterations(s));
  model.running(at(5), Cores(4000));
  model.sample(at(4.5), Iterations(4));  // read before the change was seen: belongs to neither
  EXPECT_DOUBLE_EQ(*model.coreSecondsPerIteration(), 1.0);
  model.sample(at(6), Iterations(10));
  model.sample(at(7), Iterations(12));  // communication: only twice as fast with 4 cores
  EXPECT_DOUBLE_EQ(*model.coreSecondsPerIteration(), 2.0);
}

TEST(RuntimeModel, IgnoresSamplesWhileNothingRuns) {
  RuntimeModel model;
  model.sample(at(1), Iterations(1));
  model.sample(at(2), Iterations(2));
  EXPECT_FALSE(model.coreSecondsPerIteration());
}

TEST(RuntimeModel, StartsAnewWhenTheTrainerDid) {
  RuntimeModel model;
  model.running(at(0), Cores(1000));
  model.sample(at(1), Iterations(100));
  model.sample(at(2), Iterations(0));
  EXPECT_FALSE(model.coreSecondsPerIteration());
  model.sample(at(3), Iterations(2));
  model.sample(at(4), Iterations(4));
  EXPECT_DOUBLE_EQ(*model.coreSecondsPerIteration(), 0.5);
}

TEST(RuntimeModel, FollowsAChangeOfSpeed) {
  RuntimeModel model;
  model.running(at(0), Cores(1000));
  for (int s = 1; s <= 20; ++s) model.sample(at(s), Iterations(s));
  for (int s = 21; s <= 40; ++s) model.sample(at(s), Iterations(20 + 10 * (s - 20)));
  EXPECT_DOUBLE_EQ(*model.coreSecondsPerIteration(), 0.1);
}

}  // namespace
}  // namespace slaq
