#include <gmock/gmock.h>

#include "scheduler/lifecycle/priority_boost.h"
#include "scheduler/world.h"

namespace slaq::scheduler {
namespace {

using testing::at;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::run;
using testing::scales;
using testing::starts;
using testing::suspends;
using testing::viewOf;
using testing::World;

Action asks(const char* job, int workers, bool podsReady = false) {
  return RequestQuota{{"default", job}, Workers(workers), podsReady};
}

QueueView admitted(int workers, int most = 100) {
  return {.quota = "the cohort all",
          .asked = Workers(workers),
          .admitted = Workers(workers),
          .most = Workers(most),
          .podsReady = workers > 0};
}

// A job that may have 1 to 8 workers of a core each.
JobView queued(const char* name, QueueView queue) {
  auto view = viewOf(name, 1, 8);
  view.queue = std::move(queue);
  return view;
}

TEST(Queueing, AJobAsksForItsMinimumAndWaits) {
  World world(Cores(8000));
  world.add(queued("a", {.message = "waits in the queue q"}));
  const auto plan = world.decide();
  EXPECT_THAT(plan.actions, ElementsAre(asks("a", 1)));
  EXPECT_EQ(plan.jobs[0].phase, Phase::Inactive);
  EXPECT_EQ(plan.jobs[0].state, JobState::Waiting);
  EXPECT_EQ(plan.jobs[0].reason, "waits in the queue q");
}

TEST(Queueing, AJobThatWaitsAsksOnce) {
  World world(Cores(8000));
  world.add(queued("a", {.asked = Workers(1)}));
  EXPECT_THAT(world.decide().actions, IsEmpty());
}

TEST(Queueing, AnAdmittedJobStartsWithinItsQuotaAndAsksForMore) {
  World world(Cores(8000));
  auto& job = world.add(queued("a", admitted(1)));
  job.queue->podsReady = false;
  const auto plan = world.decide();
  EXPECT_THAT(plan.actions, ElementsAre(asks("a", 8), starts("a", 1)));
  EXPECT_THAT(plan.jobs[0].reason, HasSubstr("its queue is asked for 8 workers"));
}

TEST(Queueing, PodsFollowTheQuotaOfAGrowth) {
  World world(Cores(8000));
  auto& job = run(world.add(queued("a", admitted(2))), 2);
  EXPECT_THAT(world.decide().actions, ElementsAre(asks("a", 8, true)));
  job.queue->asked = Workers(8);
  EXPECT_THAT(world.decide().actions, IsEmpty());
  job.queue->admitted = Workers(8);
  EXPECT_THAT(world.decide().actions, ElementsAre(scales("a", 2, 8)));
}

// Its first pods need longer than an epoch, as on every real cluster.
TEST(Queueing, AGrowthIsStillWantedWhileTheFirstPodsStart) {
  World world(Cores(8000));
  auto& job = run(world.add(queued("a", admitted(1))), 1);
  job.workers.ready = Workers(0);
  job.queue->asked = Workers(8);
  job.queue->podsReady = false;
  world.historyOf(0).resizes.since = at(99);
  const auto plan = world.decide();
  EXPECT_EQ(plan.jobs[0].phase, Phase::Resizing);
  EXPECT_THAT(plan.actions, IsEmpty());
  job.queue->most = Workers(1);  // it has waited for too long
  EXPECT_THAT(world.decide().actions, ElementsAre(asks("a", 1)));
}

TEST(Queueing, WorkersThatSomebodyElseMadeBeyondTheQuotaGo) {
  World world(Cores(8000));
  run(world.add(queued("a", admitted(4))), 8);
  EXPECT_THAT(world.decide().actions, ElementsAre(scales("a", 8, 4)));
}

TEST(Queueing, ARequestThatIsNoLongerWantedIsWithdrawn) {
  World world(Cores(4000));
  auto& job = run(world.add(queued("a", admitted(4))), 4);
  job.queue->asked = Workers(6);
  EXPECT_THAT(world.decide().actions, ElementsAre(asks("a", 4, true)));
}

TEST(Queueing, QuotaIsGivenBackOnceThePodsAreGone) {
  World world(Cores(4000));
  auto& job = run(world.add(queued("a", admitted(6))), 4);
  job.workers.terminating = Workers(2);
  EXPECT_THAT(world.decide().actions, IsEmpty());
  job.workers.terminating = Workers(0);
  EXPECT_THAT(world.decide().actions, ElementsAre(asks("a", 4, true)));
}

TEST(Queueing, AnEvictedJobStopsAndGivesAllBackOnceNoPodIsLeft) {
  World world(Cores(8000));
  auto& job = run(world.add(queued("a", admitted(2))), 2);
  job.queue->evicted = true;
  EXPECT_THAT(world.decide().actions, ElementsAre(suspends("a")));
  job.workers = {.exists = true, .suspended = true, .desired = Workers(2), .terminating = Workers(1)};
  EXPECT_THAT(world.decide().actions, IsEmpty());
  job.workers.terminating = Workers(0);
  EXPECT_THAT(world.decide().actions, ElementsAre(asks("a", 0)));
}

TEST(Queueing, AnEvictedJobWithdrawsItsGrowthAtOnce) {
  World world(Cores(8000));
  auto& job = run(world.add(queued("a", admitted(2))), 2);
  job.queue->evicted = true;
  job.queue->asked = Workers(6);
  EXPECT_THAT(world.decide().actions, ElementsAre(asks("a", 2, true), suspends("a")));
}

TEST(Queueing, AJobThatWasNotAdmittedStopsBeforeItAsks) {
  World world(Cores(8000));
  auto& job = run(world.add(queued("a", {})), 2);
  EXPECT_THAT(world.decide().actions, ElementsAre(suspends("a")));
  job.workers = {};
  EXPECT_THAT(world.decide().actions, ElementsAre(asks("a", 1)));
}

TEST(Queueing, AJobThatLeftTheQueueGoesOnWithoutIt) {
  World world(Cores(8000));
  auto& job = run(world.add(queued("a", admitted(2))), 2);
  job.queue->left = true;
  EXPECT_THAT(world.decide().actions, ElementsAre(asks("a", 0), scales("a", 2, 8)));
}

TEST(Queueing, AQueueThatSeesChangesIsNotAsked) {
  World world(Cores(8000));
  auto& job = run(world.add(queued("a", admitted(2, 5))), 2);
  job.queue->seesChanges = true;
  EXPECT_THAT(world.decide().actions, ElementsAre(scales("a", 2, 5)));
}

TEST(Queueing, UselessRequestsAreRemoved) {
  World world(Cores(2000));
  auto& job = run(world.add(queued("a", admitted(2))), 2);
  job.queue->hasStale = true;
  EXPECT_THAT(world.decide().actions, ElementsAre(asks("a", 2, true)));
}

TEST(Queueing, AMinimumThatWasRaisedIsAskedForOnceThePodsAreGone) {
  World world(Cores(8000));
  world.queueQuotas = {{"the cohort all", Cores(3000), Cores(8000)}};
  auto& job = run(world.add(queued("a", admitted(2))), 2);
  job.job.spec.workers.min = Workers(4);
  EXPECT_THAT(world.decide().actions, ElementsAre(suspends("a")));
  job.workers = {.exists = true, .suspended = true};
  job.queue->podsReady = false;
  EXPECT_THAT(world.decide().actions, ElementsAre(asks("a", 4)));
}

TEST(Queueing, ASuspendedJobGivesAllBack) {
  World world(Cores(8000));
  auto& job = world.add(queued("a", admitted(1)));
  job.job.spec.suspend = true;
  EXPECT_THAT(world.decide().actions, ElementsAre(asks("a", 0)));
  job.queue = QueueView{};
  EXPECT_THAT(world.decide().actions, IsEmpty());
}

TEST(Queueing, TheQueueIsToldWhenItsPodsAreReady) {
  World world(Cores(2000));
  auto& job = run(world.add(queued("a", admitted(2))), 2);
  job.queue->podsReady = false;
  EXPECT_THAT(world.decide().actions, ElementsAre(asks("a", 2, true)));
  job.queue->podsReady = true;
  job.workers.ready = Workers(0);
  EXPECT_THAT(world.decide().actions, ElementsAre(asks("a", 2)));
}

// A growth may wait long, for example for admission checks. The queue is told nothing new meanwhile.
TEST(Queueing, TheQueueIsNotToldAgainAndAgainWhileAGrowthWaits) {
  World world(Cores(8000));
  auto& job = run(world.add(queued("a", admitted(2))), 2);
  job.queue->asked = Workers(8);
  job.queue->podsReady = false;
  EXPECT_THAT(world.decide().actions, IsEmpty());
}

TEST(Queueing, AJobGrowsNoFurtherThanItsQueueCanAdmit) {
  World world(Cores(8000));
  run(world.add(queued("a", admitted(2, 3))), 2);
  const auto plan = world.decide();
  EXPECT_EQ(plan.jobs[0].target, Workers(3));
  EXPECT_THAT(plan.jobs[0].reason, HasSubstr("all that its queue has for it now"));
}

TEST(Queueing, JobsOfOneQuotaShareItAndOthersDoNot) {
  World world(Cores(20000));
  world.queueQuotas = {{"the cohort all", Cores(6000), Cores(6000)}};
  run(world.add(queued("a", admitted(4))), 4);
  run(world.add(queued("b", admitted(2))), 2);
  world.add(viewOf("c", 1, 8));
  const auto plan = world.decide();
  EXPECT_EQ(plan.jobs[0].target + plan.jobs[1].target, Workers(6));
  EXPECT_EQ(plan.jobs[2].target, Workers(8));
}

TEST(Queueing, JobsShrinkForOthersThatWaitForTheirQuota) {
  World world(Cores(20000));
  world.queueQuotas = {{"the cohort all", Cores(3000), Cores(6000)}};
  run(world.add(queued("a", admitted(4))), 4);
  run(world.add(queued("b", admitted(2))), 2);
  const auto plan = world.decide();
  EXPECT_EQ(plan.jobs[0].target + plan.jobs[1].target, Workers(3));
}

TEST(Queueing, PodsOfJobsInQueuesAreOthersToAResourceQuota) {
  World world(Cores(20000));
  world.quotas = {{"default", "compute", Cores(10000), Cores(6000)}};
  run(world.add(queued("a", admitted(4))), 4);
  run(world.add(viewOf("b", 1, 8)), 2);
  EXPECT_EQ(world.decide().jobs[1].target, Workers(6));
}

// The plan keeps two workers, which take off 2e-3 of the loss in 3 s. That is 3e-4 for each core-second.
JobPlan forecast(double reduction = 2e-3) {
  return {.job = {"default", "a"},
          .phase = Phase::Quality,
          .held = Workers(2),
          .target = Workers(2),
          .predictedReduction = reduction};
}

// `before` is what was decided last, 0 if nothing.
int boostOf(const JobPlan& plan, int before, Value value = Value::Loss) {
  auto view = queued("a", admitted(2));
  run(view, 2);
  view.job.spec.value = value;
  view.queue->priorityBoost = 0;
  JobHistory history;
  if (before > 0) history.priorityBoost = before;
  return priorityBoostOf({&view, &history}, plan, Seconds(3)).value_or(-1);
}

TEST(Queueing, APriorityBoostIsTheDecadeOfTheLossThatACoreTakesOff) {
  EXPECT_EQ(boostOf(forecast(2e-3), 0), 6);
  EXPECT_EQ(boostOf(forecast(2e-4), 0), 5);
  EXPECT_EQ(boostOf(forecast(2e-4), 6), 5);
  EXPECT_EQ(boostOf(forecast(6), 0), 9);
  EXPECT_EQ(boostOf(forecast(1e-12), 6), 1);
  EXPECT_EQ(boostOf(forecast(0), 6), 1);
}

TEST(Queueing, APriorityBoostStaysWhileTheForecastHardlyChanges) {
  EXPECT_EQ(boostOf(forecast(7e-4), 6), 6);  // 1.2e-4
  EXPECT_EQ(boostOf(forecast(5e-4), 6), 6);  // 8e-5
  EXPECT_EQ(boostOf(forecast(5e-4), 5), 5);
  EXPECT_EQ(boostOf(forecast(7e-4), 5), 5);
  EXPECT_EQ(boostOf(forecast(3e-4), 6), 5);
  EXPECT_EQ(boostOf(forecast(1.2e-3), 5), 6);
}

TEST(Queueing, APriorityBoostStaysWhileNoForecastDecides) {
  auto plan = forecast();
  plan.target = Workers(3);
  EXPECT_EQ(boostOf(plan, 4), 4);
  for (const Phase phase : {Phase::Fair, Phase::Held, Phase::Trial, Phase::Resizing}) {
    plan = forecast();
    plan.phase = phase;
    EXPECT_EQ(boostOf(plan, 4), 4);
    EXPECT_EQ(boostOf(plan, 0), kUnknownPriorityBoost);
  }
  EXPECT_EQ(boostOf(forecast(), 4, Value::Completion), 4) << "its forecast is not of its loss";
}

TEST(Queueing, TheQueueIsToldOfTheCostOfAnEvictionOnce) {
  World world(Cores(2000));
  auto& job = run(world.add(queued("a", admitted(2))), 2);
  world.learned(0, 0.05);
  EXPECT_THAT(world.decide().actions, IsEmpty()) << "it is not to be told";
  job.queue->priorityBoost = 0;
  auto plan = world.decide();
  ASSERT_EQ(plan.actions.size(), 1U);
  const auto boost = std::get<RequestQuota>(plan.actions[0]).priorityBoost;
  ASSERT_TRUE(boost);
  EXPECT_GT(*boost, 5);
  job.queue->priorityBoost = boost;
  EXPECT_THAT(world.decide().actions, IsEmpty());
}

// A growth is a new Workload, which has no boost.
TEST(Queueing, AJobThatHasGrownKeepsItsPriorityBoost) {
  World world(Cores(8000));
  auto& job = run(world.add(queued("a", admitted(2))), 2);
  job.queue->podsReady = true;
  job.queue->priorityBoost = 0;
  world.historyOf(0).priorityBoost = 7;
  world.historyOf(0).resizes.since = at(99);
  const auto plan = world.decide();
  ASSERT_EQ(plan.jobs[0].phase, Phase::Resizing);
  ASSERT_EQ(plan.actions.size(), 1U);
  EXPECT_EQ(std::get<RequestQuota>(plan.actions[0]).priorityBoost, 7);
}

TEST(Queueing, AJobThatWaitsIsNotRaisedAboveOthers) {
  World world(Cores(8000));
  auto& job = world.add(queued("a", {.asked = Workers(1), .priorityBoost = 7}));
  auto asked = std::get<RequestQuota>(asks("a", 1));
  asked.priorityBoost = 0;
  EXPECT_THAT(world.decide().actions, ElementsAre(asked));
  job.queue = admitted(1);
  job.queue->priorityBoost = 7;
  job.queue->evicted = true;
  asked.workers = Workers(0);
  EXPECT_THAT(world.decide().actions, ElementsAre(asked));
}

TEST(Queueing, ALimitOfTheNamespaceDoesNotHoldForAJobInAQueue) {
  World world(Cores(20000));
  world.settings.limits["default"] = {.cores = Cores(3000)};
  world.queueQuotas = {{"the cohort all", Cores(6000), Cores(6000)}};
  run(world.add(queued("a", admitted(6))), 6);
  EXPECT_EQ(world.decide().jobs[0].target, Workers(6));
}

}  // namespace
}  // namespace slaq::scheduler
