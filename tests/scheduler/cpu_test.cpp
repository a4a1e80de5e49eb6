// Scaling by CPU: the workers stay, the cores of each move (section 5).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "forecast/predictors/registry.h"
#include "scheduler/demands.h"
#include "scheduler/state/observe.h"
#include "scheduler/world.h"

namespace slaq::scheduler {
namespace {

using slaq::testing::at;
using slaq::testing::run;
using slaq::testing::scales;
using slaq::testing::scalesCpu;
using slaq::testing::viewOf;
using slaq::testing::World;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

JobView byCpu(const std::string& name, int workers = 2, int min = 200, int max = 4000) {
  auto view = viewOf(name, workers, 16);
  view.job.spec.workers.scaling = Scaling::CPU;
  view.job.spec.workers.cpu = {Cores(min), Cores(max)};
  return view;
}

JobView& runWith(JobView& view, int workers, int cpu) {
  run(view, workers);
  view.workers.cpu = CpuView{.asked = Cores(cpu), .held = Cores(cpu) * Workers(workers)};
  return view;
}

Action startsWith(const char* job, int workers, int cpu) {
  return StartJob{{"default", job}, Workers(workers), Cores(cpu)};
}

TEST(ScalingByCpu, StartsTheLeastWorkersWithTheirShareOfCores) {
  World world(Cores(6000));
  world.add(byCpu("a"));
  world.add(byCpu("b"));
  EXPECT_THAT(world.decide().actions, ElementsAre(startsWith("a", 2, 1500), startsWith("b", 2, 1500)));
}

TEST(ScalingByCpu, ReservesWhatWorkersOnTheirWayOutStillHold) {
  auto view = byCpu("suspended");
  view.workers.exists = view.workers.suspended = true;
  view.workers.terminating = Workers(2);
  view.workers.cpu = CpuView{.asked = Cores(1500), .held = Cores(3000)};
  EXPECT_EQ(coresInUse(view), Cores(3000));
}

TEST(ScalingByCpu, GivesFractionsOfACoreToTheJobThatStillLearns) {
  World world(Cores(4300));
  runWith(world.add(byCpu("converged")), 2, 1000);
  runWith(world.add(byCpu("learns")), 2, 1000);
  world.learned(0, 1.0);
  world.learned(1, 0.001);
  const auto plan = world.decide();
  EXPECT_EQ(plan.jobs[0].targetCpu, Cores(200));
  EXPECT_EQ(plan.jobs[1].targetCpu, Cores(1950));
  EXPECT_THAT(plan.actions, ElementsAre(scalesCpu("converged", 1000, 200)));
  EXPECT_THAT(sentenceOf(plan.jobs[1]), HasSubstr("waits for 1900m cores"));
}

TEST(ScalingByCpu, SharesWithJobsThatScaleByReplicas) {
  World world(Cores(8000));
  runWith(world.add(byCpu("converged", 2, 200, 2000)), 2, 2000);
  run(world.add(viewOf("learns")), 4);
  world.learned(0, 1.0);
  world.learned(1, 0.001);
  const auto plan = world.decide();
  EXPECT_EQ(plan.jobs[1].target, Workers(7));
  EXPECT_THAT(plan.actions, ElementsAre(scalesCpu("converged", 2000, 500)));
}

TEST(ScalingByCpu, NeedsNoPauseToPayOff) {
  World world(Cores(2000));
  // 20% more would not make up for 5 s of pause in 30.
  runWith(world.add(byCpu("a", 1)), 1, 1700);
  world.learned(0, 0.001);
  EXPECT_THAT(world.decide().actions, ElementsAre(scalesCpu("a", 1700, 2000)));
}

TEST(ScalingByCpu, DoesNotMoveForLessThanATenth) {
  World world(Cores(2000));
  runWith(world.add(byCpu("a", 1)), 1, 1850);
  world.learned(0, 0.001);
  EXPECT_THAT(world.decide().actions, IsEmpty());
}

TEST(ScalingByCpu, DoesNotSwapCoresOfTwoJobsThatAreAlike) {
  World world(Cores(4000));
  runWith(world.add(byCpu("a", 1)), 1, 2000);
  runWith(world.add(byCpu("b", 1)), 1, 2000);
  world.learned(0, 0.00100);
  world.learned(1, 0.00101);
  EXPECT_THAT(world.decide().actions, IsEmpty());
}

TEST(ScalingByCpu, KeepsCoresThatAreNoWholeQuantum) {
  World world(Cores(2030));
  runWith(world.add(byCpu("a", 1)), 1, 1963);
  world.learned(0, 0.001);
  const auto plan = world.decide();
  EXPECT_EQ(plan.jobs[0].targetCpu, Cores(1963));
  EXPECT_THAT(plan.actions, IsEmpty());
}

TEST(ScalingByCpu, TellsPodsThatTookThePlaceOfOthersAgain) {
  World world(Cores(4000));
  auto& view = runWith(world.add(byCpu("a")), 2, 2000);
  view.workers.cpu->settled = false;
  EXPECT_THAT(world.decide().actions, ElementsAre(scalesCpu("a", 2000, 2000)));
}

TEST(ScalingByCpu, GrowsNoFurtherWhereTheNodeIsFull) {
  World world(Cores(8000));
  auto& view = runWith(world.add(byCpu("a")), 2, 2000);
  world.learned(0, 0.001);
  ASSERT_THAT(world.decide().actions, ElementsAre(scalesCpu("a", 2000, 4000)));
  view.workers.cpu->obstacle = "node full";
  EXPECT_THAT(world.decide().actions, IsEmpty());
}

TEST(ScalingByCpu, KeepsWhatItHasWherePodsCannotBeResized) {
  World world(Cores(8000));
  auto& view = runWith(world.add(byCpu("a")), 2, 2000);
  view.workers.cpu->settled = false;
  view.workers.cpu->impossible = "the server is older than 1.33";
  EXPECT_THAT(world.decide().actions, IsEmpty());
}

TEST(ScalingByCpu, KeepsTheNumberItIsPinnedToAndMovesTheCores) {
  World world(Cores(6000));
  auto& view = runWith(world.add(byCpu("a")), 2, 1000);
  view.job.spec.replicas = Workers(3);
  auto plan = world.decide();
  EXPECT_EQ(plan.jobs[0].target, Workers(3));
  EXPECT_EQ(plan.jobs[0].targetCpu, Cores(2000));
  EXPECT_THAT(plan.actions, ElementsAre(scales("a", 2, 3)));  // their cores come once they are there
  runWith(view, 3, 1000);
  EXPECT_THAT(world.decide().actions, ElementsAre(scalesCpu("a", 1000, 2000)));
}

TEST(ScalingByCpu, ReservesTheMostCores) {
  World world(Cores(9000));
  auto view = byCpu("a");
  view.job.spec.scheduling = Scheduling::Reserved;
  world.add(view);
  EXPECT_THAT(world.decide().actions, ElementsAre(startsWith("a", 2, 4000)));
}

TEST(ScalingByCpu, TellsTheRunningTimeTheCoresThatReallyRun) {
  JobHistory history;
  auto view = byCpu("a");
  runWith(view, 2, 500);
  for (int s = 0; s <= 5; ++s) {
    observe(history, view, at(s));
    learn(history, at(s), Iterations(4 * s), Loss(1), {});
  }
  EXPECT_DOUBLE_EQ(history.runtime.speed()->at(1), 4);
}

// It is weighed, and uses a whole core for each worker while others leave them. Where it uses less than its
// part, as one that waits for data does, it would not be faster with more.
TEST(ScalingByCpu, TellsTheRunningTimeTheCpuThatWasUsedWhereThatIsMore) {
  for (const auto& [used, cores] : {std::pair(2.0, 2.0), {0.4, 1.0}}) {
    JobHistory history;
    auto view = byCpu("a");
    runWith(view, 2, 500);
    for (int s = 0; s <= 5; ++s) {
      view.workers.cpu->used = Seconds(used * s);
      observe(history, view, at(s));
      learn(history, at(s), Iterations(4 * s), Loss(1), {});
    }
    EXPECT_DOUBLE_EQ(history.runtime.speed()->at(cores), 4) << used;
  }
}

// The kubelet's counters come later and more seldom. They say nothing of the size that the job has had since.
TEST(ScalingByCpu, CountsTheCpuThatWasUsedOnlyForTheSizeThatUsedIt) {
  JobHistory history;
  auto view = byCpu("a");
  runWith(view, 2, 500);
  const auto seeWithCounter = [&](int s, int counted, double used) {
    observe(history, view, at(s));
    history.pods.cpuReadings.add({at(counted), Seconds(used)});
    observe(history, view, at(s + 1));
    return history.pods.running;
  };
  observe(history, view, at(0));
  EXPECT_EQ(seeWithCounter(12, 10, 30), Cores(1000)) << "counted once";
  EXPECT_EQ(seeWithCounter(22, 20, 60), Cores(3000));
  EXPECT_EQ(seeWithCounter(28, 20, 60), Cores(3000)) << "until it is counted again";
  runWith(view, 2, 250);
  EXPECT_EQ(seeWithCounter(32, 30, 75), Cores(500)) << "some of it was used with the size before";
  EXPECT_EQ(seeWithCounter(42, 40, 90), Cores(1500));
  EXPECT_EQ(seeWithCounter(52, 50, 100), Cores(1000));
  EXPECT_EQ(seeWithCounter(62, 60, 5), Cores(500)) << "a pod was replaced";
}

// Decisions may be an eighth of a second apart, and a process waits at times and then uses two cores.
TEST(ScalingByCpu, MeasuresTheUseOfCpuOverASecond) {
  JobHistory history;
  auto view = byCpu("a");
  runWith(view, 1, 250);
  double used = 0;
  for (int eighth = 0; eighth <= 32; ++eighth) {
    view.workers.cpu->used = Seconds(used += eighth % 2 ? 0.25 : 0);
    observe(history, view, at(eighth / 8.0));
    EXPECT_EQ(history.pods.running, Cores(eighth < 8 ? 250 : 1000)) << eighth;
  }
}

TEST(CpuReadings, TellTheCpuTimeBetweenTheReadingsAroundAMoment) {
  CpuReadings readings;
  EXPECT_EQ(readings.usedAt(at(0)), std::nullopt);
  readings.add({at(10), Seconds(0)});
  readings.add({at(30), Seconds(10)});
  readings.add({at(20), Seconds(9)});  // late
  EXPECT_EQ(readings.usedAt(at(9)), std::nullopt);
  EXPECT_EQ(readings.usedAt(at(10)), Seconds(0));
  EXPECT_EQ(readings.usedAt(at(20)), Seconds(5));
  EXPECT_EQ(readings.usedAt(at(30)), Seconds(10));
  EXPECT_EQ(readings.usedAt(at(31)), std::nullopt);
  readings.add({at(40), Seconds(4)});  // a pod was replaced
  EXPECT_EQ(readings.usedAt(at(35)), std::nullopt);
  EXPECT_EQ(readings.used(), Seconds(4));
}

TEST(CpuReadings, MeasureTheCoresFromAReadingThatIsOldEnough) {
  CpuReadings readings;
  readings.add({at(0), Seconds(0)});
  readings.add({at(3), Seconds(3)});
  EXPECT_EQ(readings.coresSince(at(0)), Cores(1000));
  readings.add({at(3.125), Seconds(3.75)});
  EXPECT_EQ(readings.coresSince(at(0)), Cores(1200));
  EXPECT_EQ(readings.coresSince(at(3)), std::nullopt);
}

// Two jobs whose first loss is seen when they have used three seconds of CPU tell a third what its start
// needs.
TEST(ScalingByCpu, LearnsFromOtherJobsWhatAStartNeeds) {
  Peers peers;
  const auto predictor = makePredictor("Ensemble", forecast::defaultConstants());
  for (int j = 0; j < 2; ++j) {
    JobHistory history;
    auto view = byCpu("a");
    observe(history, view, at(-2));
    runWith(view, 2, 500);
    for (int s = 0; s <= 6; s += 2) {
      view.workers.cpu->used = Seconds(s);
      observe(history, view, at(s));
      if (s == 4) learn(history, at(3), Iterations(0), Loss(1), {});
      updatePeers(history, *predictor, peers);
    }
  }
  JobHistory third;
  expect(third, byCpu("b").job.spec, *predictor, peers);
  EXPECT_EQ(third.expected.start, Seconds(3));
}

// The kubelet's first reading comes after the first loss. The start itself is the reading before it.
TEST(ScalingByCpu, LearnsWhatAStartNeedsWhereTheFirstReadingComesLater) {
  Peers peers;
  const auto predictor = makePredictor("Ensemble", forecast::defaultConstants());
  for (int j = 0; j < 2; ++j) {
    JobHistory history;
    auto view = byCpu("a");
    observe(history, view, at(-2));
    runWith(view, 2, 500);
    view.workers.ready = Workers(0);
    observe(history, view, at(0));
    view.workers.ready = Workers(2);
    observe(history, view, at(12));
    learn(history, at(8), Iterations(0), Loss(1), {});
    history.pods.cpuReadings.add({at(12), Seconds(6)});
    updatePeers(history, *predictor, peers);
  }
  JobHistory third;
  expect(third, byCpu("b").job.spec, *predictor, peers);
  EXPECT_EQ(third.expected.start, Seconds(4));
}

TEST(Demand, DoesNoIterationBeforeItsStartIsOver) {
  Demand demand = learner(1, 0.05);
  demand.startWork = 6;
  EXPECT_EQ(demand.iterations(2, 3), 0);
  EXPECT_EQ(demand.iterations(2, 5), 4);
  EXPECT_EQ(demand.iterations(3, 5), 9);
}

}  // namespace
}  // namespace slaq::scheduler
