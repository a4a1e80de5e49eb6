#include "scheduler/lifecycle/capacity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/world.h"

namespace slaq::scheduler {
namespace {

using slaq::testing::at;
using slaq::testing::podOf;
using slaq::testing::run;
using slaq::testing::scales;
using slaq::testing::suspends;
using slaq::testing::viewOf;
using slaq::testing::World;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

ClusterView nodesWith(std::initializer_list<int> free) {
  ClusterView view;
  for (const int each : free) view.nodes.push_back({"node", Cores(each)});
  return view;
}

TEST(AutomaticCapacity, IsTheWholeWorkersThatFitNodeByNode) {
  auto view = nodesWith({3700, 2900, 900});
  view.jobs.push_back(viewOf("a", 1, 16, Cores(1000)));
  EXPECT_EQ(capacityOf(view), Cores(5000));
  view.jobs.push_back(viewOf("b", 1, 16, Cores(500)));
  EXPECT_EQ(capacityOf(view), Cores(6500));
}

TEST(AutomaticCapacity, HasRoomForDriversBetweenTheWorkers) {
  auto view = nodesWith({3700, 2900});
  view.jobs.push_back(viewOf("a", 1, 16, Cores(1000)));
  view.jobs[0].job.spec.driver = podOf(Cores(200));
  EXPECT_EQ(capacityOf(view), Cores(5200));  // and for no more of them than there are
}

TEST(AutomaticCapacity, LeavesRoomForThePodsOfOthersThatWait) {
  auto view = nodesWith({4000, 4000});
  view.jobs.push_back(viewOf("a"));
  view.waiting = Cores(2500);
  EXPECT_EQ(capacityOf(view), Cores(5500));
  view.waiting = Cores(25000);
  EXPECT_EQ(capacityOf(view), Cores());
}

TEST(AutomaticCapacity, CountsAWorkerThatScalesByCpuWithItsLeastCores) {
  auto view = nodesWith({3700});
  view.jobs.push_back(viewOf("a", 1, 16, Cores(4000)));
  view.jobs[0].job.spec.workers.scaling = Scaling::CPU;
  view.jobs[0].job.spec.workers.cpu = {Cores(300), Cores(4000)};
  EXPECT_EQ(capacityOf(view), Cores(3600));
}

TEST(AutomaticCapacity, IgnoresNodesThatOthersFilledUpAndJobsThatAreOver) {
  auto view = nodesWith({-500, 3700});
  view.jobs = {viewOf("a", 1, 16, Cores(1000)), viewOf("b", 1, 16, Cores(100))};
  view.jobs[1].status.state = JobState::Complete;
  EXPECT_EQ(capacityOf(view), Cores(3000));
}

TEST(AutomaticCapacity, IsWhatJobsHoldWhereNoNodeIsKnown) {
  ClusterView view;
  view.jobs.push_back(viewOf("a"));
  run(view.jobs[0], 4);
  view.jobs.push_back(viewOf("b"));
  EXPECT_EQ(capacityOf(view), Cores(4000));
}

TEST(ShrunkCapacity, ShrinksJobsAndKeepsTheirMinimums) {
  World world(Cores(6000));
  run(world.add(viewOf("a")), 4);
  run(world.add(viewOf("b", 2)), 4);
  EXPECT_THAT(world.decide().actions, ElementsAre(scales("a", 4, 3), scales("b", 4, 3)));
}

TEST(ShrunkCapacity, LetsTheLastAdmittedWait) {
  World world(Cores(6000));
  run(world.add(viewOf("a", 3)), 4).status.started = at(2);
  run(world.add(viewOf("b", 4)), 4).status.started = at(1);
  const auto plan = world.decide();
  EXPECT_THAT(plan.actions, ElementsAre(suspends("a")));
  EXPECT_EQ(plan.jobs[0].state, JobState::Waiting);
  EXPECT_THAT(plan.jobs[0].reason, HasSubstr("waits for 3 cores for its minimum; 2 are left"));
}

}  // namespace
}  // namespace slaq::scheduler
