#include "scheduler/runtime/runtime_model.h"

#include <gtest/gtest.h>

#include <cmath>

#include "scheduler/world.h"

namespace slaq::scheduler {
namespace {

using slaq::testing::at;

// c*S, as that number of cores shows it.
double costWith(const RuntimeModel& model, double cores) { return cores / model.speed().value().at(cores); }

TEST(RuntimeModel, KnowsNothingBeforeAnIterationWentBy) {
  RuntimeModel model;
  EXPECT_FALSE(model.speed());
  model.running(at(0), Cores(2000));
  model.sample(at(1), Iterations(3));
  EXPECT_FALSE(model.speed());
  model.sample(at(2), Iterations(3));  // no iteration went by
  EXPECT_FALSE(model.speed());
}

// 100 iterations a second with 7 workers of 0.1 cores, before a new controller came at second 0 and since
// then.
TEST(RuntimeModel, GoesOnWithWhatItMeasuredBeforeItsProcessCame) {
  RuntimeModel model;
  model.expect({}, Cores(100));
  model.running(at(0), Cores(700));
  model.restore(std::vector<forecast::TimedSize>{{4, 0.02, 5}, {7, 0.01, 5}});
  for (int s = -60; s <= 30; s += s < 0 ? 15 : 1) {
    model.sample(at(s + 0.5), Iterations(6000 + 100 * s));
    EXPECT_NEAR(model.speed()->at(0.7), 100, 10) << s;
  }
  EXPECT_EQ(model.measured().size(), 2u);
}

// Other jobs were slow with one worker, where it runs now: that it isn't says nothing of the size at which it
// was measured.
TEST(RuntimeModel, WhatItDoesAtOneSizeDoesNotAlterWhatWasMeasuredAtAnother) {
  using Points = const std::vector<forecast::SpeedPoint>;
  RuntimeModel model;
  model.expect({.points = std::make_shared<Points>(Points{{1, 8}, {4, 100}}), .isTimed = true}, Cores(100));
  model.running(at(0), Cores(100));
  model.restore(std::vector<forecast::TimedSize>{{4, 0.01, 10}});
  for (int s = -60; s <= 30; s += s < 0 ? 15 : 1) {
    model.sample(at(s + 0.5), Iterations(6000 + 70 * s));
    EXPECT_NEAR(model.speed()->at(0.4), 100, 10) << s;
  }
}

TEST(RuntimeModel, GoesOnWithTheOneSizeThatItMeasuredBeforeItsProcessCame) {
  RuntimeModel model;
  model.expect({}, Cores(100));
  model.running(at(0), Cores(700));
  model.restore(std::vector<forecast::TimedSize>{{7, 0.01, 5}});
  for (int s = -60; s <= 30; s += s < 0 ? 15 : 1) {
    model.sample(at(s + 0.5), Iterations(6000 + 100 * s));
    EXPECT_NEAR(model.speed()->at(0.7), 100, 10) << s;
  }
}

TEST(RuntimeModel, LearnsCoreSecondsPerIteration) {
  RuntimeModel model;
  model.running(at(0), Cores(2000));
  for (int s = 1; s <= 10; ++s) model.sample(at(s), Iterations(4 * s));
  EXPECT_DOUBLE_EQ(costWith(model, 1), 0.5);  // 2 cores x 1 s / 4 iterations
}

// One iteration every 10 s. At 35 s, in the midst of the fourth, the work of 4 s is lost.
TEST(RuntimeModel, WorkThatAChangeLosesIsToBeDoneAgain) {
  RuntimeModel model;
  model.running(at(0), Cores(1000));
  for (int s = 1; s <= 35; ++s) model.sample(at(s), Iterations(std::floor(s / 10.0)));
  const double before = model.iterationAt(at(35), Seconds(0))->value();
  EXPECT_NEAR(before, 3.5, 0.11);
  model.running(at(35), Cores(1001), Seconds(0), Seconds(4));
  EXPECT_NEAR(model.iterationAt(at(35), Seconds(0))->value(), before - 0.4, 0.01);
  model.running(at(36), Cores(1002), Seconds(0), Seconds(40));
  EXPECT_EQ(model.iterationAt(at(36), Seconds(0))->value(), 3);
}

TEST(RuntimeModel, MeasuresAnewAfterAResizeAndKeepsTheOldFigureUntilThen) {
  RuntimeModel model;
  model.running(at(0), Cores(1000));
  for (int s = 1; s <= 4; ++s) model.sample(at(s), Iterations(s));
  model.running(at(4), Cores(4000));
  EXPECT_DOUBLE_EQ(costWith(model, 1), 1.0);
  for (int s = 5; s <= 8; ++s) model.sample(at(s), Iterations(4 + 2 * (s - 4)));  // only twice as fast
  EXPECT_NEAR(costWith(model, 4), 2.0, 0.1);
}

// Three cores more or less every second, an iteration of 40 core-seconds: none ever ends where it began.
TEST(RuntimeModel, CountsCoreSecondsWhereTheCoresNeverStandStill) {
  RuntimeModel model;
  double spent = 0;
  for (int s = 0; s < 60; ++s) {
    const int cores = 4 + 3 * (s % 3 - 1);
    model.running(at(s), Cores(1000 * cores));
    spent += cores;
    model.sample(at(s + 1), Iterations(std::floor(spent / 40)));
  }
  EXPECT_NEAR(costWith(model, 4), 40, 4);
}

TEST(RuntimeModel, KnowsThePartOfAnIterationThatIsDone) {
  RuntimeModel model;
  model.running(at(0), Cores(2000));
  for (int s = 0; s <= 30; ++s) model.sample(at(s), Iterations(std::floor(s / 10.0)));  // 20 core-seconds
  EXPECT_NEAR(model.iterationAt(at(30), Seconds(9))->value(), 3.0, 0.11);
  for (int s = 31; s <= 38; ++s) model.sample(at(s), Iterations(3));
  EXPECT_NEAR(model.iterationAt(at(38), Seconds(9))->value(), 3.8, 0.11);
  // It can't be further than what was seen allows.
  for (int s = 39; s <= 50; ++s) model.sample(at(s), Iterations(3));
  EXPECT_LT(model.iterationAt(at(50), Seconds(9))->value(), 4.0);
}

TEST(RuntimeModel, ExtrapolatesNoFurtherThanItIsTold) {
  RuntimeModel model;
  model.running(at(0), Cores(1000));
  for (int s = 1; s <= 9; ++s) model.sample(at(s), Iterations(s));
  EXPECT_NEAR(model.iterationAt(at(11), Seconds(9))->value(), 11, 1);
  EXPECT_NEAR(model.iterationAt(at(100), Seconds(9))->value(), 18, 1);
}

TEST(RuntimeModel, IgnoresSamplesWhileNothingRuns) {
  RuntimeModel model;
  model.sample(at(1), Iterations(1));
  model.sample(at(2), Iterations(2));
  EXPECT_FALSE(model.speed());
}

TEST(RuntimeModel, StartsAnewWhenTheTrainerDid) {
  RuntimeModel model;
  model.running(at(0), Cores(1000));
  model.sample(at(1), Iterations(100));
  model.sample(at(2), Iterations(0));
  EXPECT_FALSE(model.speed());
  model.sample(at(3), Iterations(2));
  model.sample(at(4), Iterations(4));
  EXPECT_DOUBLE_EQ(costWith(model, 1), 0.5);
}

// Iterations of 100 s with a core, of 50 with two. At 290 s it falls back to a checkpoint that it made 20 s
// before its first iteration ended.
TEST(RuntimeModel, AnIterationThatIsGoneOnWithIsNotTakenForAWholeOne) {
  RuntimeModel model;
  model.running(at(0), Cores(1000));
  for (int s = 1; s <= 290; ++s) model.sample(at(s), Iterations(std::floor(s / 100.0)));
  model.running(at(290), Cores(2000), Seconds(0), std::nullopt);
  model.sample(at(291), Iterations(0));
  for (int s = 292; s <= 300; ++s) model.sample(at(s), Iterations(0));
  for (int s = 301; s <= 500; ++s) model.sample(at(s), Iterations(1 + std::floor((s - 301) / 50.0)));
  EXPECT_NEAR(1 / model.speed()->at(2), 50, 2);
}

// Two iterations a second with 2 workers, four with 4, which join only 8 s after the change, when it stands
// still for 10 s.
TEST(RuntimeModel, AStandstillSomeTimeAfterAChangeIsNotTakenForSlowness) {
  RuntimeModel model;
  model.running(at(0), Cores(2000));
  double done = 0;
  for (int s = 1; s <= 63; ++s) {
    if (s == 40) model.running(at(s), Cores(4000));
    if (s <= 48) done += 2;
    if (s > 58) done += 4;
    model.sample(at(s), Iterations(done));
  }
  EXPECT_GT(model.speed()->at(4), 2.5);
  EXPECT_GT(model.speed()->at(4), 1.2 * model.speed()->at(2));
}

TEST(RuntimeModel, FollowsAChangeOfSpeed) {
  RuntimeModel model;
  model.running(at(0), Cores(1000));
  for (int s = 1; s <= 20; ++s) model.sample(at(s), Iterations(s));
  for (int s = 21; s <= 40; ++s) model.sample(at(s), Iterations(20 + 10 * (s - 20)));
  EXPECT_DOUBLE_EQ(costWith(model, 1), 0.1);
}

TEST(RuntimeModel, TakesLateSamplesFromBeforeSeveralChanges) {
  RuntimeModel model;
  model.running(at(0), Cores(1000));
  model.running(at(10), Cores(100000));
  model.running(at(13), Cores(5000));
  for (int s = 4; s <= 10; ++s) model.sample(at(s), Iterations(s));
  EXPECT_DOUBLE_EQ(costWith(model, 1), 1);
}

TEST(RuntimeModel, NeverTurnsNegativeHoweverLateTheSamples) {
  RuntimeModel model;
  for (int s = 0; s < 40; ++s) model.running(at(s), Cores(s % 2 == 0 ? 1000 : 100000));
  for (int s = 1; s <= 40; ++s) {
    model.sample(at(s), Iterations(s));
    if (!model.speed()) continue;
    EXPECT_GE(model.speed()->at(1), 0) << s;
  }
}

}  // namespace
}  // namespace slaq::scheduler
