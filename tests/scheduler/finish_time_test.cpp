#include "scheduler/policies/finish_time.h"

#include <gtest/gtest.h>

#include "scheduler/state/record.h"
#include "scheduler/state/remaining.h"
#include "scheduler/world.h"

namespace slaq::scheduler {
namespace {

using slaq::testing::at;
using slaq::testing::run;
using slaq::testing::viewOf;
using slaq::testing::World;

Demand demandWith(double remaining, const forecast::SpeedCurve& speed) {
  return {.max = 8, .speed = speed, .remaining = remaining};
}

// Resizes are free.
Allocation finishTime(const std::vector<Demand>& jobs, Cores cores) {
  const AllocationProblem problem{
      .demands = jobs, .budget = cores, .epoch = Seconds(60), .resizePrice = {.horizon = Seconds(0)}};
  return FinishTime().divide(problem).allocation;
}

TEST(FinishTime, PrefersTheJobWithLessLeft) {
  const auto speed = forecast::SpeedCurve::parallel(10);
  EXPECT_EQ(finishTime({demandWith(10000, speed), demandWith(1000, speed)}, Cores(10000)),
            (Allocation{2, 8}));
}

TEST(FinishTime, GivesNobodyMoreThanMakesItFaster) {
  const std::vector<forecast::SpeedPoint> points = {{1, 0.1}, {2, 0.15}, {4, 0.2}, {8, 0.1}};
  const auto endsAt4 = forecast::SpeedCurve::through(points);
  EXPECT_EQ(finishTime({demandWith(1000, endsAt4), demandWith(1000, endsAt4)}, Cores(16000)),
            (Allocation{4, 4}));
}

TEST(FinishTime, AJobThatIsFasterWithMoreGetsThemBeforeOneThatIsNot) {
  const auto parallel = forecast::SpeedCurve::parallel(10);
  const auto serial = forecast::SpeedCurve::parallel(1, 9);
  const auto allocation = finishTime({demandWith(1000, serial), demandWith(1000, parallel)}, Cores(9000));
  EXPECT_EQ(allocation, (Allocation{1, 8}));
}

class Remaining : public ::testing::Test {
 protected:
  Remaining() : world_(Cores(8000)) {
    run(world_.add(viewOf("a")), 4);
    world_.learned(0, 0.1);
  }

  // From the iteration that it is at, the 40th.
  double left(const StopSpec& stop) { return remainingIterations(world_.historyOf(0), stop, 40).value(); }

  World world_;
};

TEST_F(Remaining, IsWhatComesFirst) {
  EXPECT_EQ(left({.maxIterations = 100}), 60);
  world_.historyOf(0).expected.length = 70;
  EXPECT_EQ(left({.maxIterations = 100}), 30);
  EXPECT_EQ(left({.maxIterations = 50}), 10);
  EXPECT_LT(left({.lossReductionPercent = 99}), 30);
}

TEST_F(Remaining, IsUntilTheLossIsNearlyDoneWhereNothingSaysMore) {
  // exp(-0.1 k) is at 1% at k = 46.
  EXPECT_NEAR(left({}), 6, 3);
}

TEST_F(Remaining, NeverEnds) { EXPECT_GT(left({.maxIterations = 40}), 0); }

TEST(FinishTimePolicy, MovesCoresToTheJobThatEndsSooner) {
  World world(Cores(10000));
  world.settings.policy = findPolicy("FinishTime");
  for (const auto& [name, most] : {std::pair{"long", 100000}, std::pair{"short", 300}}) {
    run(world.add(viewOf(name, 1, 8)), 5).job.spec.stop.maxIterations = most;
  }
  world.learned(0, 0.1);
  world.learned(1, 0.1);
  const auto plan = world.decide();
  EXPECT_EQ(plan.jobs[0].target, Workers(2));
  EXPECT_EQ(plan.jobs[1].target, Workers(8));
}

// By their losses both jobs have as good as nothing to gain.
TEST(JobValue, OfCompletionCountsUnderLookAhead) {
  World world(Cores(10000));
  for (const char* name : {"loss", "completion"}) run(world.add(viewOf(name, 1, 8)), 5);
  world.viewAt(1).job.spec.value = Value::Completion;
  world.viewAt(1).job.spec.stop.maxIterations = 300;
  world.learned(0, 1.0);
  world.learned(1, 1.0);
  const auto plan = world.decide();
  EXPECT_EQ(plan.jobs[0].target, Workers(2));
  EXPECT_EQ(plan.jobs[1].target, Workers(8));
}

TEST(AnEnd, TellsTheKindHowLongItsTrainingsAre) {
  World world(Cores(8000));
  run(world.add(viewOf("a")), 4);
  world.learned(0, 0.1);
  JobHistory& history = world.historyOf(0);
  history.kind = "resnet";
  Peers peers;
  const auto predictor = forecast::makePredictor("Ensemble", forecast::defaultConstants());
  updatePeersAtEnd(history, at(100), *predictor, peers);
  updatePeersAtEnd(history, at(200), *predictor, peers);
  EXPECT_NEAR(peers.lengths.expected("resnet", 0).value_or(0), 40, 1);
  EXPECT_FALSE(peers.lengths.expected("resnet", 41));
}

}  // namespace
}  // namespace slaq::scheduler
