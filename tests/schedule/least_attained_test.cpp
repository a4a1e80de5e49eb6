#include "schedule/least_attained.h"

#include <gtest/gtest.h>

#include "schedule/world.h"

namespace slaq {
namespace {

using slaq::testing::at;
using slaq::testing::run;
using slaq::testing::viewOf;
using slaq::testing::World;

constexpr Seconds kEpoch{3};

TEST(LeastAttained, ServesWhoHasUsedLeast) {
  std::vector<Candidate> jobs(2, Candidate{.max = 100});
  jobs[0].attained = 1000;
  EXPECT_EQ(leastAttained(jobs, Cores(10000), kEpoch), (Allocation{1, 9}));
}

TEST(LeastAttained, EvensOutWhatIsUsedByTheEnd) {
  std::vector<Candidate> jobs(2, Candidate{.max = 100});
  jobs[0].attained = 12;  // four cores for an epoch
  EXPECT_EQ(leastAttained(jobs, Cores(10000), kEpoch), (Allocation{3, 7}));
}

TEST(LeastAttained, CountsServiceByWeight) {
  std::vector<Candidate> jobs(2, Candidate{.max = 100});
  jobs[0].attained = 300;
  jobs[1].attained = 900;
  jobs[1].weight = 9;
  EXPECT_EQ(leastAttained(jobs, Cores(10000), kEpoch), (Allocation{1, 9}));
}

TEST(LeastAttained, LeavesNoCoreIdle) {
  std::vector<Candidate> jobs = {{.max = 100}, {.max = 2}};
  jobs[0].attained = 1000;
  EXPECT_EQ(leastAttained(jobs, Cores(10000), kEpoch), (Allocation{8, 2}));
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
  EXPECT_DOUBLE_EQ(history.attained, 4 * 15 + 2 * 10);
}

TEST(LeastAttainedService, AsksForNoLoss) {
  World world(Cores(10000));
  world.settings.policy = PolicyName::LeastAttainedService;
  run(world.add(viewOf("a")), 5);
  run(world.add(viewOf("b")), 5);
  world.historyOf(0).attained = 1000;
  world.historyOf(1).attained = 100;
  const auto plan = world.decide();
  EXPECT_EQ(plan.jobs[0].target, Workers(1));
  EXPECT_EQ(plan.jobs[1].target, Workers(9));
  EXPECT_EQ(plan.jobs[0].reason, "5 -> 1: it has used 1000 core-seconds so far");
}

TEST(LeastAttainedService, MovesNobodyForASmallDifference) {
  World world(Cores(10000));
  world.settings.policy = PolicyName::LeastAttainedService;
  run(world.add(viewOf("a")), 5);
  run(world.add(viewOf("b")), 5);
  world.historyOf(0).attained = 1000;
  world.historyOf(1).attained = 950;
  EXPECT_TRUE(world.decide().actions.empty());
  world.settings.price = {.grow = Seconds(0), .shrink = Seconds(0)};
  EXPECT_FALSE(world.decide().actions.empty());
}

}  // namespace
}  // namespace slaq
