#include "scheduler/state/change_cost.h"

#include <gtest/gtest.h>

#include <cmath>

#include "scheduler/world.h"

namespace slaq::scheduler {
namespace {

using slaq::testing::run;
using slaq::testing::viewOf;
using slaq::testing::World;

constexpr ResizePrice kConfigured{.grow = Seconds(5), .shrink = Seconds(1)};

TEST(ChangeCost, IsTheFirstThatIsKnown) {
  JobHistory history;
  WorkersSpec workers;
  const auto grow = [&] { return changeCostOf(history, workers, kConfigured).growPause; };
  EXPECT_EQ(grow(), Seconds(5));
  history.expected.pauses.ofAll.grow = Seconds(10);
  EXPECT_EQ(grow(), Seconds(10));
  workers.restart.pause = Seconds(20);
  EXPECT_EQ(grow(), Seconds(20));
  history.expected.pauses.ofKind.grow = Seconds(30);
  EXPECT_EQ(grow(), Seconds(30));
}

// Two iterations a second.
TEST(ChangeCost, IsHalfAnIterationWhereAProgramSaysThatItMakesCheckpoints) {
  World world(Cores(8000));
  run(world.add(viewOf("a")), 4);
  world.learned(0, 0.1);
  const JobHistory& history = world.historyOf(0);
  EXPECT_FALSE(lostWorkOf(history, {}));
  EXPECT_NEAR(lostWorkOf(history, {.checkpointed = true})->count(), 0.25, 0.01);
}

// One iteration every 20 s, seen every second.
TEST(ChangeCost, WhereNobodyKnowsWhatIsLostItIsWhatWasBegunOfTheIteration) {
  JobHistory history;
  history.pods.running = Cores(1000);
  history.runtime.running(slaq::testing::at(0), history.pods.running);
  const auto costAt = [&](int second) {
    history.runtime.sample(slaq::testing::at(second), Iterations(std::floor(second / 20.0)));
    history.pods.observed = slaq::testing::at(second);
    return changeCostOf(history, {}, kConfigured);
  };
  for (int s = 1; s < 80; ++s) costAt(s);
  EXPECT_FALSE(costAt(81).isLostKnown);
  EXPECT_LT(costAt(82).lost, Seconds(3));
  for (int s = 83; s < 95; ++s) costAt(s);
  EXPECT_NEAR(costAt(95).lost.count(), 15, 2);
  history.expected.pauses.ofAll.lost = Seconds(0);
  EXPECT_TRUE(costAt(96).isLostKnown);
  EXPECT_EQ(costAt(97).lost, Seconds(0));
}

// One of two jobs has converged; the other could use its cores. Each change loses the work of a minute.
TEST(ChangeCost, WhereWorkIsLostNoChangeIsTakenBackBeforeItHasPaid) {
  World world(Cores(10000));
  for (const char* name : {"converged", "learns"}) run(world.add(viewOf(name, 1, 8)), 5);
  world.learned(0, 1.0);
  world.learned(1, 0.001);
  world.historyOf(0).expected.pauses.ofKind.lost = Seconds(60);
  EXPECT_LT(world.decide().jobs[0].target, Workers(5));
  world.historyOf(0).resizes.grew = slaq::testing::at(0);  // 100 s ago
  EXPECT_EQ(world.decide().jobs[0].target, Workers(5));
}

}  // namespace
}  // namespace slaq::scheduler
