#include "simulate/run/training.h"

#include <gmock/gmock.h>

#include <random>

#include "support/workloads.h"

namespace slaq::simulate {
namespace {

using ::testing::ElementsAre;
using testing::linearFall;
using testing::workloadOf;

// A job of ten iterations of 8 core-seconds each, and when each of them ended.
class Trainer {
 public:
  explicit Trainer(ResizePauses pauses = {}, SimulatedJob rest = {})
      : workload_(workloadOf(16, {{.name = "a", .losses = linearFall(10), .cost = 8}}, pauses)),
        training(workload_.jobs.front()) {
    workload_.jobs.front().start = rest.start;
    workload_.jobs.front().startCoreSeconds = rest.startCoreSeconds;
    workload_.jobs.front().serial = rest.serial;
  }

  void pass(double until) {
    training.advance(Seconds(until), [this](Seconds then) { ends.push_back(then.count()); });
  }

 private:
  Workload workload_;

 public:
  Training training;
  std::vector<double> ends;
};

TEST(Training, AnIterationTakesItsCoreSecondsOverItsWorkers) {
  Trainer a;
  a.training.resize(Seconds(0), Workers(4));
  a.pass(5);
  EXPECT_THAT(a.ends, ElementsAre(2, 4));
  EXPECT_EQ(a.training.iteration(), 2u);
  EXPECT_DOUBLE_EQ(a.training.position(), 2.5);
  EXPECT_DOUBLE_EQ(a.training.loss(), 0.8);
}

TEST(Training, EndsWithItsTrace) {
  Trainer a;
  a.training.resize(Seconds(0), Workers(4));
  a.pass(100);
  EXPECT_TRUE(a.training.over());
  EXPECT_EQ(a.ends.size(), 10u);
  EXPECT_DOUBLE_EQ(a.ends.back(), 20);
  EXPECT_DOUBLE_EQ(a.training.coreSeconds(), 80);
}

// With 4 workers an iteration takes 2 s: 2.5 of them are done by 5 s, and the last checkpoint was made at 3
// s.
TEST(Training, FallsBackToItsLastCheckpointAtAChange) {
  Trainer a({.grow = Seconds(1), .checkpoint = Seconds(3)});
  a.training.resize(Seconds(0), Workers(4));
  a.pass(5);
  EXPECT_DOUBLE_EQ(a.training.position(), 2.5);
  a.training.resize(Seconds(5), Workers(8));
  EXPECT_DOUBLE_EQ(a.training.position(), 1.5);
  a.pass(8);
  EXPECT_DOUBLE_EQ(a.training.position(), 3.5);
  // The next one is made 3 s after it works again, at 9 s.
  a.training.resize(Seconds(8), Workers(4));
  EXPECT_DOUBLE_EQ(a.training.position(), 1.5);
}

TEST(Training, WorksOnceItsStartIsOver) {
  Trainer a({}, {.start = Seconds(3)});
  a.training.resize(Seconds(0), Workers(4));
  a.pass(6);
  EXPECT_THAT(a.ends, ElementsAre(5));
  a.training.resize(Seconds(6), Workers(8));
  a.pass(7);
  EXPECT_THAT(a.ends, ElementsAre(5, 6.5));
}

TEST(Training, TheWorkOfItsStartIsSharedByItsWorkers) {
  Trainer a({}, {.startCoreSeconds = 12});
  a.training.resize(Seconds(0), Workers(4));
  a.pass(1);
  a.training.resize(Seconds(1), Workers(8));
  a.pass(3.5);
  EXPECT_THAT(a.ends, ElementsAre(3));
}

TEST(Training, WorkersThatGoHoldTheirCoresForAWhile) {
  Trainer a({.release = Seconds(2)});
  a.training.resize(Seconds(0), Workers(4));
  a.pass(3);
  a.training.resize(Seconds(3), Workers(1));
  EXPECT_EQ(a.training.leaving(), Workers(3));
  EXPECT_EQ(a.training.release(), Seconds(5));
  a.pass(5);
  EXPECT_EQ(a.training.leaving(), Workers(0));
  EXPECT_FALSE(a.training.release());
}

TEST(Training, WorkersThatGoAreStillThereWhenMoreOfThemGo) {
  Trainer a({.release = Seconds(2)});
  a.training.resize(Seconds(0), Workers(4));
  a.pass(3);
  a.training.resize(Seconds(3), Workers(2));
  a.pass(4);
  a.training.resize(Seconds(4), Workers(1));
  EXPECT_EQ(a.training.leaving(), Workers(3));
}

TEST(Training, WhatIsSerialTakesItsTimeWithAnyWorkers) {
  Trainer a({}, {.serial = Seconds(1)});
  a.training.resize(Seconds(0), Workers(4));
  a.pass(4.5);
  EXPECT_THAT(a.ends, ElementsAre(3));
  EXPECT_DOUBLE_EQ(a.training.position(), 1.5);
  a.training.resize(Seconds(4.5), Workers(8));
  a.pass(7.5);
  EXPECT_THAT(a.ends, ElementsAre(3, 5.5, 7.5));
}

TEST(Training, WithoutWorkersNothingMoves) {
  Trainer a;
  a.pass(100);
  EXPECT_EQ(a.training.position(), 0);
  EXPECT_FALSE(a.training.started());
}

TEST(Training, KeepsTheIterationUnderWayOverAResize) {
  Trainer a;
  a.training.resize(Seconds(0), Workers(4));
  a.pass(3);
  a.training.resize(Seconds(3), Workers(2));
  a.pass(10);
  EXPECT_THAT(a.ends, ElementsAre(2, 5, 9));
  EXPECT_EQ(a.training.resizes(), 1);
}

TEST(Training, StandsStillWhileItGrows) {
  Trainer a({.grow = Seconds(5)});
  a.training.resize(Seconds(0), Workers(2));
  a.pass(6);
  a.training.resize(Seconds(6), Workers(4));
  a.pass(10);
  EXPECT_EQ(a.training.ready(), Workers(2));
  EXPECT_DOUBLE_EQ(a.training.position(), 1.5);
  a.pass(14);
  EXPECT_EQ(a.training.ready(), Workers(4));
  EXPECT_THAT(a.ends, ElementsAre(4, 12, 14));
}

TEST(Training, GoesOnWithItsOldWorkersWhereAGrowthDoesNotBlock) {
  Trainer a({.grow = Seconds(5), .blocks = false});
  a.training.resize(Seconds(0), Workers(2));
  a.pass(6);
  a.training.resize(Seconds(6), Workers(4));
  a.pass(14);
  // 1.5 by 6, 1.25 more by 11 with two workers, then four.
  EXPECT_THAT(a.ends, ElementsAre(4, 8, 11.5, 13.5));
}

TEST(Training, NewWorkersMayBeCalledReadyBeforeTheyWork) {
  Trainer a({.grow = Seconds(5), .blocks = false, .ready = Seconds(1)});
  a.training.resize(Seconds(0), Workers(2));
  a.pass(6);
  a.training.resize(Seconds(6), Workers(4));
  EXPECT_EQ(a.training.ready(), Workers(2));
  a.pass(7);
  EXPECT_EQ(a.training.ready(), Workers(4));
  EXPECT_EQ(a.training.working(), Workers(2));
  a.pass(14);
  EXPECT_EQ(a.training.working(), Workers(4));
  EXPECT_THAT(a.ends, ElementsAre(4, 8, 11.5, 13.5));
}

TEST(Training, HasALossOnceItsStartIsOver) {
  Trainer a({}, {.start = Seconds(3), .startCoreSeconds = 4});
  EXPECT_FALSE(a.training.begun());
  a.training.resize(Seconds(0), Workers(4));
  a.pass(3.5);
  EXPECT_FALSE(a.training.begun());
  a.pass(4);
  EXPECT_TRUE(a.training.begun());
}

TEST(Training, KeepsItsFirstLossThroughAPause) {
  Trainer a({.grow = Seconds(5)});
  a.training.resize(Seconds(0), Workers(2));
  a.training.resize(Seconds(0), Workers(4));
  EXPECT_TRUE(a.training.begun());
}

TEST(Training, AShrinkHasAPauseOfItsOwn) {
  Trainer a({.grow = Seconds(5), .shrink = Seconds(1), .blocks = false});
  a.training.resize(Seconds(0), Workers(4));
  a.pass(3);
  a.training.resize(Seconds(3), Workers(2));
  EXPECT_EQ(a.training.ready(), Workers(2));
  a.pass(10);
  EXPECT_THAT(a.ends, ElementsAre(2, 6, 10));
}

TEST(Training, AGrowthThatIsTakenBackLeavesTheOldWorkers) {
  Trainer a({.grow = Seconds(5), .blocks = false});
  a.training.resize(Seconds(0), Workers(2));
  a.training.resize(Seconds(0), Workers(8));
  a.pass(2);
  a.training.resize(Seconds(2), Workers(2));
  a.pass(12);
  EXPECT_EQ(a.training.ready(), Workers(2));
  EXPECT_THAT(a.ends, ElementsAre(4, 8, 12));
}

// However often and however it is resized, with nothing to pause for every core-second goes into iterations.
TEST(Training, WastesNothingWhereResizesAreFree) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    Trainer a;
    double held = 0;
    double now = 0;
    while (!a.training.over()) {
      const int workers = std::uniform_int_distribution(1, 16)(random);
      a.training.resize(Seconds(now), Workers(workers));
      const double next = now + std::uniform_real_distribution(0.0, 3.0)(random);
      a.pass(next);
      if (!a.training.over()) {
        held += workers * (next - now);
        ASSERT_NEAR(a.training.coreSeconds(), held, 1e-6);
        ASSERT_NEAR(a.training.position(), held / 8, 1e-6);
      }
      now = next;
    }
    ASSERT_NEAR(a.training.coreSeconds(), 80, 1e-6);
    ASSERT_TRUE(std::ranges::is_sorted(a.ends));
  }
}

// Each blocking change costs its pause and no more.
TEST(Training, LosesItsPausesAndNoMore) {
  std::mt19937 random(11);
  for (int round = 0; round < 200; ++round) {
    Trainer a({.grow = Seconds(1), .shrink = Seconds(1)});
    a.training.resize(Seconds(0), Workers(1));
    double worked = 0;
    for (double now = 0; !a.training.over(); now += 3) {
      const int workers = std::uniform_int_distribution(1, 3)(random);
      const bool changes = Workers(workers) != a.training.workers();
      a.training.resize(Seconds(now), Workers(workers));
      a.pass(now + 3);
      if (a.training.over()) break;
      worked += workers * (changes ? 2 : 3);
      ASSERT_NEAR(a.training.coreSeconds(), worked, 1e-6);
    }
  }
}

}  // namespace
}  // namespace slaq::simulate
