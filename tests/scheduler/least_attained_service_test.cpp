#include "scheduler/policies/least_attained_service.h"

#include <gtest/gtest.h>

#include "scheduler/demands.h"
#include "scheduler/state/observe.h"
#include "scheduler/world.h"

namespace slaq::scheduler {
namespace {

using slaq::testing::at;
using slaq::testing::run;
using slaq::testing::viewOf;
using slaq::testing::World;

// Resizes are free.
Allocation leastAttained(const std::vector<Demand>& jobs, Cores cores) {
  const AllocationProblem problem{
      .demands = jobs, .budget = cores, .epoch = kEpoch, .resizePrice = {.horizon = Seconds(0)}};
  return LeastAttainedService().divide(problem).allocation;
}

TEST(LeastAttained, ServesWhoHasUsedLeast) {
  std::vector<Demand> jobs(2, Demand{.max = 100});
  jobs[0].attained = 1000;
  EXPECT_EQ(leastAttained(jobs, Cores(10000)), (Allocation{1, 9}));
}

TEST(LeastAttained, EvensOutWhatIsUsedByTheEnd) {
  std::vector<Demand> jobs(2, Demand{.max = 100});
  jobs[0].attained = 12;  // four cores for an epoch
  EXPECT_EQ(leastAttained(jobs, Cores(10000)), (Allocation{3, 7}));
}

TEST(LeastAttained, CountsServiceByWeight) {
  std::vector<Demand> jobs(2, Demand{.max = 100});
  jobs[0].attained = 300;
  jobs[1].attained = 900;
  jobs[1].weight = 9;
  EXPECT_EQ(leastAttained(jobs, Cores(10000)), (Allocation{1, 9}));
}

TEST(LeastAttained, LeavesNoCoreIdle) {
  std::vector<Demand> jobs = {{.max = 100}, {.max = 2}};
  jobs[0].attained = 1000;
  EXPECT_EQ(leastAttained(jobs, Cores(10000)), (Allocation{8, 2}));
}

TEST(LeastAttainedService, IsWhatAJobHeldOverTime) {
  JobHistory history;
  auto view = viewOf("a");
  run(view, 4);
  observe(history, view, at(10));
  observe(history, view, at(20));
  run(view, 2);
  observe(history, view, at(25));
  observe(history, view, at(35));
  EXPECT_DOUBLE_EQ(history.pods.attained, 4 * 15 + 2 * 10);
}

TEST(LeastAttainedService, AsksForNoLoss) {
  World world(Cores(10000));
  world.settings.policy = findPolicy("LeastAttainedService");
  run(world.add(viewOf("a")), 5);
  run(world.add(viewOf("b")), 5);
  world.historyOf(0).pods.attained = 1000;
  world.historyOf(1).pods.attained = 100;
  const auto plan = world.decide();
  EXPECT_EQ(plan.jobs[0].target, Workers(1));
  EXPECT_EQ(plan.jobs[1].target, Workers(9));
  EXPECT_EQ(sentenceOf(plan.jobs[0]), "5 -> 1: it has used 1000 core-seconds so far; b gets them");
}

TEST(LeastAttainedService, MovesNobodyForASmallDifference) {
  World world(Cores(10000));
  world.settings.policy = findPolicy("LeastAttainedService");
  run(world.add(viewOf("a")), 5);
  run(world.add(viewOf("b")), 5);
  world.historyOf(0).pods.attained = 1000;
  world.historyOf(1).pods.attained = 950;
  EXPECT_TRUE(world.decide().actions.empty());
  world.settings.price = {.grow = Seconds(0), .shrink = Seconds(0)};
  EXPECT_FALSE(world.decide().actions.empty());
}

}  // namespace
}  // namespace slaq::scheduler
