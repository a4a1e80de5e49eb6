#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/lifecycle/lifecycle.h"
#include "scheduler/world.h"

namespace slaq::scheduler {
namespace {

using slaq::testing::at;
using slaq::testing::run;
using slaq::testing::scales;
using slaq::testing::starts;
using slaq::testing::suspends;
using slaq::testing::viewOf;
using slaq::testing::World;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(NamespaceLimit, CapsAllJobsOfANamespaceTogether) {
  World world(Cores(20000));
  world.settings.limits["default"] = {.cores = Cores(6000)};
  world.add(viewOf("a")).job.spec.driver = slaq::testing::podOf(Cores(1000));
  world.add(viewOf("b"));
  auto other = viewOf("c");
  other.job.key.ns = "other";
  world.add(other);
  const auto plan = world.decide();
  EXPECT_EQ(plan.jobs[0].target + plan.jobs[1].target, Workers(5));
  EXPECT_EQ(plan.jobs[2].target, Workers(14));
}

TEST(NamespaceLimit, OfTheStarHoldsForEachNamespaceThatIsNotNamed) {
  World world(Cores(40000));
  world.settings.limits["*"] = {.cores = Cores(3000)};
  world.settings.limits["b"] = {.cores = Cores(5000)};
  for (const char* ns : {"a", "b", "c"}) {
    auto view = viewOf("job");
    view.job.key.ns = ns;
    world.add(view);
  }
  const auto plan = world.decide();
  EXPECT_EQ(plan.jobs[0].target, Workers(3));
  EXPECT_EQ(plan.jobs[1].target, Workers(5));
  EXPECT_EQ(plan.jobs[2].target, Workers(3));
}

TEST(NamespaceLimit, LetsAJobWaitThatDoesNotBlockOtherNamespaces) {
  World world(Cores(20000));
  world.settings.limits["default"] = {.cores = Cores(4000)};
  run(world.add(viewOf("runs", 3)), 3);
  world.add(viewOf("waits", 3)).job.created = at(1);
  world.add(viewOf("behind", 1)).job.created = at(2);
  auto other = viewOf("other");
  other.job.key.ns = "other";
  other.job.created = at(3);
  world.add(other);
  const auto plan = world.decide();
  EXPECT_EQ(plan.jobs[1].state, JobState::Waiting);
  EXPECT_THAT(plan.jobs[1].reason, HasSubstr("1 are left under the limit of the namespace default, 4"));
  EXPECT_THAT(plan.jobs[2].reason, HasSubstr("behind default/waits"));
  EXPECT_EQ(plan.jobs[3].target, Workers(16));
}

TEST(NamespaceLimit, IsNamedByAJobThatCanNeverFit) {
  World world(Cores(20000));
  world.settings.limits["default"] = {.cores = Cores(4000)};
  world.add(viewOf("giant", 5));
  const auto plan = world.decide();
  EXPECT_THAT(plan.jobs[0].reason, HasSubstr("more than the limit of the namespace default, 4"));
}

TEST(NamespaceLimit, LetsTheLastAdmittedWaitWhenItWasLowered) {
  World world(Cores(20000));
  world.settings.limits["default"] = {.cores = Cores(4000)};
  run(world.add(viewOf("first", 3)), 3).status.started = at(1);
  run(world.add(viewOf("second", 3)), 3).status.started = at(2);
  EXPECT_THAT(world.decide().actions, ElementsAre(suspends("second")));  // its cores are not free yet
}

TEST(ResourceQuota, BoundsAllJobsOfItsNamespaceByWhatOthersLeave) {
  World world(Cores(20000));
  world.quotas = {{"default", "compute", Cores(10000), Cores(5000)}};
  run(world.add(viewOf("a")), 2);  // so 3 of the 5 used cores are of other pods
  world.add(viewOf("b"));
  auto elsewhere = viewOf("c");
  elsewhere.job.key.ns = "other";
  world.add(elsewhere);
  const auto plan = world.decide();
  EXPECT_EQ(plan.jobs[0].target + plan.jobs[1].target, Workers(7));
  EXPECT_EQ(plan.jobs[2].target, Workers(13));
}

// The API server still counts pods that have just ended.
TEST(ResourceQuota, TakesNothingFromJobs) {
  World world(Cores(20000));
  world.quotas = {{"default", "compute", Cores(4000), Cores(9000)}};
  auto& job = run(world.add(viewOf("a", 3)), 6);
  EXPECT_THAT(world.decide().actions, ::testing::IsEmpty());
  world.quotas.front().hard = Cores();
  job.job.spec.workers.min = Workers(6);
  EXPECT_THAT(world.decide().actions, ::testing::IsEmpty());
}

TEST(ResourceQuota, IsNamedByAJobThatWaitsForIt) {
  World world(Cores(20000));
  world.quotas = {{"default", "compute", Cores(6000), Cores(4000)}};
  world.add(viewOf("waits", 3));
  world.add(viewOf("giant", 7));
  const auto plan = world.decide();
  EXPECT_THAT(plan.jobs[0].reason,
              HasSubstr("waits for 3 cores for its minimum; 2 are left under the ResourceQuota compute of "
                        "the namespace default, 6"));
  EXPECT_THAT(plan.jobs[1].reason,
              HasSubstr("more than the ResourceQuota compute of the namespace default, 6"));
}

TEST(ResourceQuota, HoldsBesideALimitOfTheNamespace) {
  World world(Cores(20000));
  world.quotas = {{"default", "compute", Cores(6000), Cores()}};
  world.add(viewOf("a"));
  world.settings.limits["default"] = {.cores = Cores(4000)};
  EXPECT_EQ(world.decide().jobs[0].target, Workers(4));
  world.settings.limits["default"] = {.cores = Cores(8000)};
  EXPECT_EQ(world.decide().jobs[0].target, Workers(6));
}

// slaq does not stop what it did not create.
TEST(Target, KeepsItsCoresWhereItsJobTakesNoPart) {
  World world(Cores(10000));
  auto& target = run(world.add(viewOf("target")), 6);
  target.job.spec.workers.target = TargetRef{"apps/v1", "Deployment", "train"};
  target.refusal = "somebody else sizes it";
  world.add(viewOf("other"));
  EXPECT_THAT(world.decide().actions, ElementsAre(starts("other", 4)));
  target.refusal.reset();
  target.job.spec.suspend = true;
  EXPECT_THAT(world.decide().actions, ElementsAre(starts("other", 4)));
}

TEST(Target, KeepsItsCoresAfterItsJobHasEnded) {
  World world(Cores(10000));
  auto& target = run(world.add(viewOf("target")), 6);
  target.job.spec.workers.target = TargetRef{"ray.io/v1", "RayJob", "train"};
  target.status.state = JobState::Complete;
  world.add(viewOf("other"));
  EXPECT_THAT(world.decide().actions, ElementsAre(starts("other", 4)));
}

// An object of any size, by whoever may create one, takes no cores that it does not really hold.
TEST(Target, TakesNoMoreThanItsReadyWorkersHold) {
  World world(Cores(10000));
  auto& target = run(world.add(viewOf("target", 50)), 3);
  target.workers.desired = target.workers.active = Workers(1000);
  target.job.spec.workers.max = Workers(1000);
  target.job.spec.workers.target = TargetRef{"apps/v1", "Deployment", "train"};
  world.add(viewOf("other"));
  EXPECT_THAT(world.decide().actions, ElementsAre(starts("other", 7)));
}

// slaq can neither start nor stop it. So it needs no room, and is never said to wait.
TEST(Target, OfFixedSizeRunsAndOthersShareWhatItLeaves) {
  World world(Cores(6000));
  auto& fixed = run(world.add(viewOf("fixed", 4, 4)), 4);
  fixed.job.spec.workers.target = TargetRef{"trainer.kubeflow.org/v1alpha1", "TrainJob", "train", "node"};
  run(world.add(viewOf("other")), 1);
  auto plan = world.decide();
  EXPECT_THAT(plan.actions, ElementsAre(scales("other", 1, 2)));
  EXPECT_EQ(plan.jobs[0].phase, Phase::Fixed);
  EXPECT_EQ(plan.jobs[0].target, Workers(4));
  fixed.workers.desired = fixed.workers.active = fixed.workers.ready = Workers(8);
  fixed.job.spec.workers.min = fixed.job.spec.workers.max = Workers(8);
  plan = world.decide();
  EXPECT_EQ(plan.jobs[0].state, JobState::Running);
  EXPECT_EQ(plan.jobs[0].reason, "its number of workers cannot be changed");
}

JobView& addFixed(World& world, int workers) {
  auto& fixed = run(world.add(viewOf("fixed", workers, workers)), workers);
  fixed.job.spec.workers.target = TargetRef{"trainer.kubeflow.org/v1alpha1", "TrainJob", "train", "node"};
  return fixed;
}

TEST(Target, OfFixedSizeGetsRoomForItsPodsWhereThatIsPossible) {
  World world(Cores(6000));
  auto& fixed = addFixed(world, 4);
  fixed.workers.ready = Workers(0);  // its pods are pending
  run(world.add(viewOf("other")), 6);
  EXPECT_THAT(world.decide().actions, ElementsAre(scales("other", 6, 2)));
  fixed.workers.desired = fixed.workers.active = Workers(1000);
  EXPECT_THAT(world.decide().actions, IsEmpty()) << "it takes no cores that it does not really hold";
}

// The capacity is already without the cores of the pods of such an object.
TEST(Target, OfFixedSizeIsNotInACapacityOfTheNodes) {
  World world(Cores(6000));
  auto& fixed = addFixed(world, 4);
  fixed.onNodes = Cores();
  run(world.add(viewOf("other")), 1);
  EXPECT_EQ(world.decide().jobs[1].target, Workers(6));
  world.settings.limits["default"] = {.cores = Cores(7000)};
  EXPECT_EQ(world.decide().jobs[1].target, Workers(3)) << "it is in the limit of its namespace";
}

// The capacity has the pods in it. So their cores are taken from it, whatever the object tells.
TEST(Target, HoldsWhatItsPodsHoldOnTheNodes) {
  World world(Cores(10000));
  auto& target = run(world.add(viewOf("target")), 3);
  target.job.spec.workers.target = TargetRef{"apps/v1", "Deployment", "train"};
  target.onNodes = Cores(8000);
  target.refusal = "somebody else sizes it";
  world.add(viewOf("other"));
  EXPECT_THAT(world.decide().actions, ElementsAre(starts("other", 2)));
  target.onNodes = Cores();  // nothing of it has come to a node yet
  EXPECT_THAT(world.decide().actions, ElementsAre(starts("other", 10)));
}

TEST(Target, HoldsWhatPodsHoldThatStopWithoutBeingCounted) {
  World world(Cores(10000));
  auto& target = run(world.add(viewOf("target", 1, 2)), 2);
  target.job.spec.workers.target = TargetRef{"apps/v1", "Deployment", "train"};
  target.onNodes = Cores(6000);
  world.add(viewOf("other"));
  EXPECT_THAT(world.decide().actions, ElementsAre(starts("other", 4)));
  target.onNodes = Cores(2000);
  EXPECT_THAT(world.decide().actions, ElementsAre(starts("other", 8)));
}

TEST(Target, IsSizedLikeOtherJobs) {
  World world(Cores(10000));
  run(world.add(viewOf("target")), 6).job.spec.workers.target = TargetRef{"apps/v1", "Deployment", "train"};
  EXPECT_THAT(world.decide().actions, ElementsAre(scales("target", 6, 10)));
}

// A job with two workers, of an object that slaq is only to observe.
JobView& observed(World& world, const std::string& name) {
  auto& job = run(world.add(viewOf(name)), 2);
  job.job.spec.workers.target = TargetRef{"apps/v1", "Deployment", name};
  job.job.spec.mode = Mode::Observe;
  return job;
}

TEST(ObservedJob, IsToldWhatItWouldHaveAndKeepsWhatItHas) {
  World world(Cores(10000));
  observed(world, "a");
  observed(world, "b");
  const auto plan = world.decide();
  EXPECT_THAT(plan.actions, ::testing::IsEmpty());
  for (const auto& each : plan.jobs) {
    EXPECT_EQ(each.phase, Phase::Observed);
    EXPECT_EQ(each.target, Workers(5));
    EXPECT_EQ(each.state, JobState::Running);
    EXPECT_THAT(each.reason, ::testing::StartsWith("only observed, and would be: 2 -> 5: "));
  }
}

// Others are decided as the cluster is, not as it would be.
TEST(ObservedJob, LeavesOthersWhatItDoesNotHold) {
  World world(Cores(10000));
  observed(world, "a");
  world.add(viewOf("other"));
  const auto plan = world.decide();
  EXPECT_THAT(plan.actions, ElementsAre(starts("other", 8)));
  EXPECT_EQ(plan.jobs[0].target, Workers(5));
}

TEST(ObservedJob, CountsTheOtherPodsOfItsObject) {
  World world(Cores(10000));
  auto& job = observed(world, "a");
  job.job.spec.driver.emplace().effective = Cores(3000);
  job.driver = {.exists = true, .active = true, .ready = true};
  world.add(viewOf("other"));
  EXPECT_THAT(world.decide().actions, ElementsAre(starts("other", 5)));
}

// It trains, whatever would become of it.
TEST(ObservedJob, DoesNotWaitWhereSlaqWouldLetItWait) {
  World world(Cores(3000));
  auto& job = observed(world, "a");
  job.job.spec.workers.min = Workers(4);
  const auto plan = world.decide();
  EXPECT_EQ(plan.jobs[0].state, JobState::Running);
  EXPECT_EQ(plan.jobs[0].awaited, Cores());
  EXPECT_THAT(plan.jobs[0].reason, HasSubstr("only observed"));
}

TEST(ObservedJob, IsRefusedLikeOthers) {
  World world(Cores(10000));
  JobView& job = observed(world, "a");
  job.refusal = "there is no Deployment a";
  EXPECT_TRUE(isRefused(world.decide().jobs[0], job));
}

TEST(WeightLimit, CountsALargerWeightAsTheLimitAndSaysSo) {
  World world(Cores(12000));
  world.settings.limits["default"] = {.weight = 2};
  world.add(viewOf("heavy")).job.spec.weight = 50;
  world.add(viewOf("light"));
  const auto plan = world.decide();
  EXPECT_THAT(plan.actions, ElementsAre(starts("heavy", 8), starts("light", 4)));
  EXPECT_THAT(plan.jobs[0].reason,
              HasSubstr("its weight 50 counts as 2, the limit of the namespace default"));
}

}  // namespace
}  // namespace slaq::scheduler
