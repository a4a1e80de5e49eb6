#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "forecast/predictors/registry.h"
#include "scheduler/lifecycle/lifecycle.h"
#include "scheduler/state/observe.h"
#include "scheduler/world.h"

namespace slaq::scheduler {
namespace {

using slaq::testing::at;
using slaq::testing::finishes;
using slaq::testing::run;
using slaq::testing::scales;
using slaq::testing::starts;
using slaq::testing::suspends;
using slaq::testing::viewOf;
using slaq::testing::World;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(Decide, StartsANewJobWithItsFairShare) {
  World world(Cores(8000));
  world.add(viewOf("a"));
  world.add(viewOf("b"));
  const auto plan = world.decide();
  EXPECT_THAT(plan.actions, ElementsAre(starts("a", 4), starts("b", 4)));
  EXPECT_EQ(plan.jobs[0].phase, Phase::Fair);
  EXPECT_THAT(sentenceOf(plan.jobs[0]), HasSubstr("starts with 4: its fair share"));
}

TEST(Decide, CountsTheDriver) {
  World world(Cores(8000));
  world.add(viewOf("a")).job.spec.driver = slaq::testing::podOf(Cores(500));
  EXPECT_THAT(world.decide().actions, ElementsAre(starts("a", 7)));
}

TEST(Decide, LeavesAnUnchangedWorldAlone) {
  World world(Cores(8000));
  run(world.add(viewOf("a")), 4);
  run(world.add(viewOf("b")), 4);
  EXPECT_THAT(world.decide().actions, IsEmpty());
}

TEST(Decide, TakesCoresFromAConvergedJobForANewOneFirstAndStartsItWhenTheyAreFree) {
  World world(Cores(8000));
  auto& converged = run(world.add(viewOf("a")), 8);
  world.learned(0, 1.0);
  world.add(viewOf("b"));
  auto plan = world.decide();
  EXPECT_THAT(plan.actions, ElementsAre(scales("a", 8, 4)));
  EXPECT_THAT(sentenceOf(plan.jobs[1]), HasSubstr("waits for 1 core that others are giving back"));
  EXPECT_GT(plan.jobs[1].awaited, Cores());
  EXPECT_EQ(plan.jobs[0].awaited, Cores());

  converged.workers.desired = converged.workers.active = converged.workers.ready = Workers(4);
  converged.workers.terminating = Workers(2);
  world.historyOf(0).resizes.since = at(99);
  plan = world.decide();
  EXPECT_THAT(plan.actions, ElementsAre(starts("b", 2)));
  EXPECT_EQ(plan.jobs[1].awaited, Cores(2000)) << "the rest of its start";
}

TEST(Decide, MovesCoresToTheJobThatStillLearns) {
  World world(Cores(8000));
  run(world.add(viewOf("a")), 4);
  run(world.add(viewOf("b")), 4);
  world.learned(0, 1.0);    // converged
  world.learned(1, 0.001);  // far from it
  const auto plan = world.decide();
  EXPECT_THAT(plan.actions, ElementsAre(scales("a", 4, 1)));
  EXPECT_EQ(plan.jobs[1].target, Workers(7));
  EXPECT_THAT(sentenceOf(plan.jobs[1]), HasSubstr("waits for 3 cores"));
}

TEST(Decide, UnderFairDoesNotLookAtTheLoss) {
  World world(Cores(8000));
  world.settings.policy = findPolicy("Fair");
  run(world.add(viewOf("a")), 4);
  run(world.add(viewOf("b")), 4);
  world.learned(0, 1.0);
  world.learned(1, 0.001);
  EXPECT_THAT(world.decide().actions, IsEmpty());
}

TEST(Decide, MakesNoNewDecisionForAJobThatIsStillResizing) {
  World world(Cores(8000));
  run(world.add(viewOf("a")), 4);
  run(world.add(viewOf("b")), 4);
  world.learned(0, 1.0);
  world.learned(1, 0.001);
  world.historyOf(0).resizes.since = at(95);
  const auto plan = world.decide();
  EXPECT_THAT(plan.actions, IsEmpty());
  EXPECT_EQ(plan.jobs[0].phase, Phase::Resizing);
  world.historyOf(0).resizes.since = at(60);  // it hangs: not for ever
  EXPECT_THAT(world.decide().actions, ElementsAre(scales("a", 4, 1)));
}

TEST(Decide, HoldsWhatJobsHaveWhenTheLossSourceIsDown) {
  World world(Cores(8000));
  run(world.add(viewOf("a")), 4);
  run(world.add(viewOf("b")), 4);
  world.learned(0, 1.0);
  world.learned(1, 0.001);
  world.lossSourceDown = true;
  const auto plan = world.decide();
  EXPECT_THAT(plan.actions, IsEmpty());
  EXPECT_EQ(plan.jobs[0].phase, Phase::Held);
}

// Such as one of hundreds of jobs with queries of their own, of which an epoch reads twenty.
TEST(Decide, AJobIsNotSilentBecauseItIsReadSeldom) {
  World world(Cores(8000));
  run(world.add(viewOf("a")), 4);
  world.learned(0, 1.0);
  auto& history = world.historyOf(0);
  history.losses.lastSample = at(70);
  const auto phase = [&] { return world.decide().jobs[0].phase; };
  EXPECT_EQ(phase(), Phase::Held) << "nothing came for 30 s";
  history.losses.lastRead = at(71);
  EXPECT_EQ(phase(), Phase::Quality);
  history.losses.lastRead = at(90);
  EXPECT_EQ(phase(), Phase::Held) << "it was read, and nothing new was found";
  history.losses.lastSample = at(-210);
  history.losses.lastRead = at(-205);
  EXPECT_EQ(phase(), Phase::Held) << "nobody knows of it for five minutes";
}

TEST(Decide, HoldsAfterARestartUntilHistoryAndSpeedAreBack) {
  World world(Cores(8000));
  run(world.add(viewOf("a")), 7);
  run(world.add(viewOf("b")), 1);
  world.historyOf(0).losses.caughtUp = world.historyOf(1).losses.caughtUp = false;
  EXPECT_THAT(world.decide().actions, IsEmpty());
  for (const int i : {0, 1}) {
    // The history is back, but the running time of this size was not measured yet.
    auto& history = world.historyOf(static_cast<std::size_t>(i));
    history.pods.adopted = true;
    for (int s = 0; s <= 20; ++s) learn(history, at(80 + s), Iterations(s), Loss(1.0 / (1 + s)), {});
    refit(history, {}, *makePredictor(world.settings.predictor, forecast::defaultConstants()));
    history.losses.caughtUp = true;
  }
  EXPECT_THAT(world.decide().actions, IsEmpty());
}

// Nobody else can mend what keeps one job's history from being read.
TEST(Decide, HoldsAJobThatCannotBeReadForFiveMinutes) {
  World world(Cores(8000));
  run(world.add(viewOf("a")), 7);
  auto& history = world.historyOf(0);
  history.pods.adopted = true;
  history.losses.caughtUp = false;
  const auto phaseAfter = [&](double seconds) {
    history.pods.known = at(100 - seconds);
    return world.decide().jobs[0].phase;
  };
  EXPECT_EQ(phaseAfter(1000), Phase::Held) << "it was not its turn yet";
  history.losses.problem = "its history can't be read: too slow";
  EXPECT_EQ(phaseAfter(299), Phase::Held);
  EXPECT_EQ(phaseAfter(301), Phase::Fair);
  world.lossSourceDown = true;
  EXPECT_EQ(phaseAfter(301), Phase::Held) << "nobody can be read";
}

TEST(Decide, GivesAJobWithoutALossItsFairShare) {
  World world(Cores(8000));
  run(world.add(viewOf("silent")), 8);
  run(world.add(viewOf("b")), 0).workers.exists = false;
  const auto plan = world.decide();
  EXPECT_THAT(plan.actions, ElementsAre(scales("silent", 8, 4)));
}

TEST(Decide, LetsThoseWaitWhoseMinimumDoesNotFitAndNobodyOvertakes) {
  World world(Cores(8000));
  run(world.add(viewOf("runs", 2)), 2);
  auto& big = world.add(viewOf("big", 7));
  big.job.created = at(1);
  world.add(viewOf("small", 1)).job.created = at(2);
  auto& heavy = world.add(viewOf("heavy", 3));
  heavy.job.created = at(3);
  heavy.job.spec.weight = 10;
  const auto plan = world.decide();
  EXPECT_EQ(plan.jobs[1].state, JobState::Waiting);
  EXPECT_EQ(plan.jobs[2].state, JobState::Waiting);
  EXPECT_THAT(sentenceOf(plan.jobs[2]), HasSubstr("behind default/big"));
  EXPECT_EQ(plan.jobs[3].phase, Phase::Fair);
}

TEST(Decide, IsNotBlockedByAJobThatCanNeverFit) {
  World world(Cores(8000));
  auto& giant = world.add(viewOf("giant", 9));
  giant.job.created = at(1);
  world.add(viewOf("small")).job.created = at(2);
  const auto plan = world.decide();
  EXPECT_THAT(sentenceOf(plan.jobs[0]), HasSubstr("more than the capacity of 8"));
  EXPECT_THAT(plan.actions, ElementsAre(starts("small", 8)));
}

TEST(Decide, EndsWhatIsOver) {
  World world(Cores(8000));
  auto& complete = run(world.add(viewOf("complete")), 2);
  complete.job.spec.driver = slaq::testing::podOf(Cores(100));
  complete.driver.exists = complete.driver.succeeded = true;
  auto& failed = run(world.add(viewOf("failed")), 2);
  failed.job.spec.driver = slaq::testing::podOf(Cores(100));
  failed.driver.exists = true;
  failed.driver.failures = 4;
  auto& suspended = run(world.add(viewOf("suspended")), 2);
  suspended.job.spec.suspend = true;
  const auto plan = world.decide();
  EXPECT_THAT(plan.actions, ElementsAre(finishes("complete"), finishes("failed"), suspends("suspended")));
  EXPECT_EQ(plan.jobs[0].state, JobState::Complete);
  EXPECT_EQ(plan.jobs[1].state, JobState::Failed);
  EXPECT_THAT(sentenceOf(plan.jobs[1]), HasSubstr("backoffLimit is 3"));
  EXPECT_EQ(plan.jobs[2].state, JobState::Suspended);
}

// The plan for the only job after looks at it, each of which shows one more failure, in these words.
JobPlan afterFailures(World& world, JobView& job, std::initializer_list<const char*> failures) {
  observe(world.historyOf(0), job, at(80));
  for (const char* how : failures) {
    ++job.workers.failures;
    job.workers.lastFailure = how;
    observe(world.historyOf(0), job, at(90));
  }
  return world.decide().jobs[0];
}

TEST(UserError, EndsAProgramThatFailsTwiceInTheSameWayBeforeItsFirstIteration) {
  World world(Cores(8000));
  auto& job = run(world.add(viewOf("a")), 2);
  EXPECT_EQ(afterFailures(world, job, {"ended with exit code 2"}).state, JobState::Running);
  const auto plan = afterFailures(world, job, {"ended with exit code 2"});
  EXPECT_EQ(plan.state, JobState::Failed);
  EXPECT_EQ(plan.endReason, "UserError");
  EXPECT_EQ(plan.reason, "worker 0, the chief, ended with exit code 2, 2 times before its first iteration");
}

TEST(UserError, IsNotWhatComesInDifferentWaysOrByOthers) {
  World world(Cores(8000));
  auto& job = run(world.add(viewOf("a")), 2);
  EXPECT_EQ(afterFailures(world, job, {"ended with exit code 2", "ended with exit code 3", ""}).state,
            JobState::Running);
  job.job.spec.backoffLimit = 9;
  EXPECT_EQ(afterFailures(world, job, {"", "", "ended with exit code 1"}).state, JobState::Running);
}

TEST(UserError, IsNotWhatComesMuchLaterOrWhileNoLossCanBeRead) {
  World world(Cores(8000));
  auto& job = run(world.add(viewOf("a")), 2);
  EXPECT_EQ(afterFailures(world, job, {"ended with exit code 1"}).state, JobState::Running);
  ++job.workers.failures;
  observe(world.historyOf(0), job, at(90 + 3600));
  EXPECT_EQ(world.decide().jobs[0].state, JobState::Running);
  ++job.workers.failures;
  observe(world.historyOf(0), job, at(95 + 3600));
  world.lossSourceDown = true;
  EXPECT_EQ(world.decide().jobs[0].state, JobState::Running);
  world.lossSourceDown = false;
  EXPECT_EQ(world.decide().jobs[0].endReason, "UserError");
}

TEST(UserError, IsNotOfAProgramThatWorkedOrWhoseLossNobodyNeeds) {
  for (const bool isFair : {false, true}) {
    World world(Cores(8000));
    auto& job = run(world.add(viewOf("a")), 2);
    if (isFair) job.job.spec.scheduling = Scheduling::Fair;
    if (!isFair) world.historyOf(0).losses.newest = Iterations(5);
    EXPECT_EQ(afterFailures(world, job, {"ended with exit code 1", "ended with exit code 1"}).state,
              JobState::Running);
  }
}

TEST(Decide, EndsWithTheChiefsMainContainerWhateverElseGoesOnInItsPod) {
  for (const bool succeeded : {true, false}) {
    World world(Cores(8000));
    run(world.add(viewOf("a")), 2).chiefEnd = ChiefEnd{succeeded, "t ended, and proxy goes on"};
    const auto plan = world.decide();
    EXPECT_THAT(plan.actions, ElementsAre(finishes("a")));
    EXPECT_EQ(plan.jobs[0].state, succeeded ? JobState::Complete : JobState::Failed);
    EXPECT_THAT(plan.jobs[0].reason, HasSubstr("proxy goes on"));
  }
}

// Adds a job whose workers are done and whose driver still has so many cores.
JobView& addClosing(World& world, Cores driver) {
  auto& job = run(world.add(viewOf("a")), 8);
  job.job.spec.driver = slaq::testing::podOf(driver);
  job.driver.exists = job.driver.active = true;
  job.workers.succeeded = true;
  job.workers.active = job.workers.ready = Workers(0);
  return job;
}

TEST(Decide, LetsTheDriverOfWorkersThatAreDoneSayItsLastWords) {
  World world(Cores(8000));
  auto& job = addClosing(world, Cores(500));
  world.add(viewOf("next")).job.spec.weight = 10;
  const auto plan = world.decide();
  EXPECT_THAT(plan.actions, ElementsAre(starts("next", 7)));
  EXPECT_TRUE(isClosing(plan.jobs[0], job));
  job.driver.succeeded = true;
  EXPECT_EQ(world.decide().jobs[0].state, JobState::Complete);
}

// Nobody else gets the driver's cores before it ends.
TEST(Decide, DividesWhatTheDriverOfWorkersThatAreDoneLeaves) {
  World world(Cores(8000));
  addClosing(world, Cores(2000));
  run(world.add(viewOf("b")), 6);
  world.add(viewOf("c", 2));
  EXPECT_THAT(world.decide().actions, ElementsAre(scales("b", 6, 3)));
  run(world.viewAt(1), 3);
  EXPECT_THAT(world.decide().actions, ElementsAre(starts("c", 3)));
}

// Smaller jobs that come later do not overtake it.
TEST(Decide, LetsAJobWaitForTheCoresOfADriverThatEndsSoon) {
  World world(Cores(8000));
  addClosing(world, Cores(500));
  world.add(viewOf("b", 8)).job.created = at(1);
  world.add(viewOf("c")).job.created = at(2);
  const auto plan = world.decide();
  EXPECT_THAT(plan.actions, IsEmpty());
  EXPECT_THAT(plan.jobs[1].reason, HasSubstr("waits for 8 cores for its minimum"));
  EXPECT_THAT(plan.jobs[2].reason, HasSubstr("waits behind default/b"));
}

TEST(Decide, CountsNoCoresForWorkersThatEndedByThemselves) {
  World world(Cores(8000));
  auto& complete = run(world.add(viewOf("complete")), 8);
  complete.status.state = JobState::Complete;
  complete.workers.succeeded = true;
  complete.workers.active = complete.workers.ready = Workers(0);
  world.add(viewOf("next"));
  EXPECT_THAT(world.decide().actions, ElementsAre(starts("next", 8)));
}

TEST(UserError, OfAProgramThatFailedSeveralTimesBetweenTwoLooks) {
  World world(Cores(8000));
  auto& job = run(world.add(viewOf("a", 1, 1)), 1);
  observe(world.historyOf(0), job, at(80));
  const auto failed = [&](int failures) {
    job.workers.failures = failures;
    job.workers.lastFailure = "ended with exit code 1";
    observe(world.historyOf(0), job, at(90));
    return world.decide().jobs[0];
  };
  EXPECT_EQ(failed(3).state, JobState::Running);  // nobody knows how the first two ended
  job.job.spec.backoffLimit = 9;
  const auto plan = failed(5);
  EXPECT_EQ(plan.state, JobState::Failed);
  EXPECT_EQ(plan.reason, "its program ended with exit code 1, 3 times before its first iteration");
}

TEST(Decide, SaysHowAJobFailedLastThatFailedTooOften) {
  World world(Cores(8000));
  auto& job = run(world.add(viewOf("a", 1, 7)), 7);
  world.learned(0, 0.05);
  observe(world.historyOf(0), job, at(80));
  job.workers.failures = 4;
  job.workers.lastFailure = "ended with exit code 1";
  observe(world.historyOf(0), job, at(90));
  EXPECT_EQ(
      world.decide().jobs[0].reason,
      "worker 0, the chief, failed 4 times without a new iteration; backoffLimit is 3. The last time it "
      "ended with exit code 1");
}

TEST(Decide, ForgivesFailuresBeforeANewIteration) {
  World world(Cores(8000));
  auto& job = run(world.add(viewOf("a", 1, 7)), 7);
  job.job.spec.driver = slaq::testing::podOf(Cores(100));
  job.driver.exists = true;
  job.driver.failures = 4;
  world.historyOf(0).failures.forgiven = 3;
  EXPECT_THAT(world.decide().actions, IsEmpty());
}

TEST(Decide, DoesNotLetARefusedJobHarmTheOthers) {
  World world(Cores(8000));
  world.add(viewOf("bad")).refusal = "quota exceeded";
  world.add(viewOf("worse", 5, 2));
  world.add(viewOf("good"));
  const auto plan = world.decide();
  EXPECT_THAT(plan.actions, ElementsAre(starts("good", 8)));
  EXPECT_EQ(sentenceOf(plan.jobs[0]), "quota exceeded");
  EXPECT_THAT(sentenceOf(plan.jobs[1]), HasSubstr("spec.workers.maxReplicas"));
}

TEST(Decide, KeepsAPinnedJobAtItsNumber) {
  World world(Cores(8000));
  auto& pinned = run(world.add(viewOf("a")), 2);
  pinned.job.spec.replicas = Workers(5);
  EXPECT_THAT(world.decide().actions, ElementsAre(scales("a", 2, 5)));
}

TEST(Decide, KeepsRunningJobsWhenOneIsPinnedToMoreThanFits) {
  World world(Cores(8000));
  for (const char* name : {"a", "b", "c"}) run(world.add(viewOf(name)), 2);
  run(world.add(viewOf("d", 1, 16)), 2).job.spec.replicas = Workers(12);
  const auto plan = world.decide();
  for (const auto& job : plan.jobs) EXPECT_NE(job.state, JobState::Waiting) << job.job.name;
  Cores used;
  for (const auto& job : plan.jobs) used += Cores(1000) * job.target;
  EXPECT_LE(used, Cores(8000));
}

// Its state stays as it was, and does not say that it is refused or that its driver is not done yet.
TEST(Decide, TakesADeletedJobForOverInAnyState) {
  for (const JobState state :
       {JobState::Pending, JobState::Waiting, JobState::Running, JobState::Suspended}) {
    World world(Cores(8000));
    auto& job = run(world.add(viewOf("a")), 2);
    job.job.deleting = true;
    job.status.state = state;
    const auto plan = world.decide();
    EXPECT_THAT(plan.actions, IsEmpty());
    EXPECT_EQ(plan.jobs[0].state, state);
    EXPECT_TRUE(isOver(plan.jobs[0], job));
    EXPECT_FALSE(isClosing(plan.jobs[0], job));
    EXPECT_FALSE(isRefused(plan.jobs[0], job));
  }
}

TEST(Decide, LeavesAPinnedJobWhatFitsOfItsNumber) {
  World world(Cores(10000));
  run(world.add(viewOf("a", 1, 16)), 8).job.spec.replicas = Workers(8);
  for (const char* name : {"b", "c", "d"}) run(world.add(viewOf(name)), 1);
  for (std::size_t i = 1; i <= 3; ++i) world.learned(i, 0.1);
  EXPECT_EQ(world.decide().jobs[0].target, Workers(7));
}

TEST(Decide, StartsAPinnedNewcomerWithWhatFitsOfItsNumber) {
  World world(Cores(10000));
  for (const char* name : {"a", "c"}) run(world.add(viewOf(name)), 4).job.spec.replicas = Workers(4);
  world.add(viewOf("b")).job.spec.replicas = Workers(4);
  const auto plan = world.decide();
  EXPECT_THAT(plan.actions, ElementsAre(scales("c", 4, 3), starts("b", 2)));
  world.settle(plan);
  EXPECT_THAT(world.decide().actions, ElementsAre(scales("b", 2, 3)));
}

TEST(Decide, LetsAJobThatWasEditedToNeedMoreWaitRatherThanOthers) {
  World world(Cores(8000));
  run(world.add(viewOf("edited")), 4).status.started = at(1);
  run(world.add(viewOf("younger", 4)), 4).status.started = at(2);
  world.viewAt(0).job.spec.workers.min = Workers(6);
  const auto plan = world.decide();
  EXPECT_EQ(plan.jobs[0].state, JobState::Waiting);
  EXPECT_GE(plan.jobs[1].target, Workers(4));
}

TEST(Decide, CountsCoresOfPodsWhoseJobIsGone) {
  World world(Cores(8000));
  world.leaving = Cores(5000);
  world.add(viewOf("next"));
  EXPECT_THAT(world.decide().actions, ElementsAre(starts("next", 3)));
}

TEST(Decide, CountsADriverOnItsWayOut) {
  World world(Cores(8000));
  auto& suspended = world.add(viewOf("a", 1, 16));
  suspended.job.spec.driver = slaq::testing::podOf(Cores(2000));
  suspended.job.spec.suspend = true;
  suspended.driver.exists = suspended.driver.suspended = suspended.driver.terminating = true;
  world.add(viewOf("next"));
  EXPECT_THAT(world.decide().actions, ElementsAre(starts("next", 6)));
}

// The Job controller has ended the driver, so there is nothing to suspend.
TEST(Decide, SuspendsAFailedJobOnce) {
  World world(Cores(8000));
  auto& failed = world.add(viewOf("a"));
  failed.job.spec.driver = slaq::testing::podOf(Cores(500));
  failed.status.state = JobState::Failed;
  failed.driver.exists = true;
  failed.driver.failed = "DeadlineExceeded";
  EXPECT_THAT(world.decide().actions, IsEmpty());
}

TEST(Decide, MakesALostDriverAgain) {
  World world(Cores(8000));
  run(world.add(viewOf("a")), 4).job.spec.driver = slaq::testing::podOf(Cores(500));
  const auto plan = world.decide();
  EXPECT_THAT(plan.actions, ElementsAre(starts("a", 4)));
  EXPECT_THAT(sentenceOf(plan.jobs[0]), HasSubstr("driver is gone"));
}

TEST(Decide, ShrinksAJobWithoutADriverOnce) {
  World world(Cores(8000));
  run(world.add(viewOf("a")), 7).job.spec.driver = slaq::testing::podOf(Cores(500));
  world.add(viewOf("b"));
  EXPECT_THAT(world.decide().actions, ElementsAre(scales("a", 7, 4), starts("a", 4)));
}

TEST(Decide, HoldsNoFailuresFromBeforeItsTimeAgainstAJob) {
  World world(Cores(8000));
  auto& job = run(world.add(viewOf("a", 1, 7)), 7);
  job.job.spec.driver = slaq::testing::podOf(Cores(100));
  job.driver.exists = job.driver.active = true;
  job.driver.failures = 9;
  observe(world.historyOf(0), job, at(99));
  EXPECT_THAT(world.decide().actions, IsEmpty());
  job.driver.failures = 13;
  EXPECT_EQ(world.decide().jobs[0].state, JobState::Failed);
}

TEST(History, ForgivesFailuresOnlyForIterationsThatAreNew) {
  JobHistory history;
  // Each is seen twice: one sample alone may be wrong.
  auto see = [&, second = 0](int iteration, int failures) mutable {
    history.failures.before = failures;
    for (int time = 0; time < 2; ++time)
      learn(history, at(++second), Iterations(iteration), Loss(1.0 / (1 + iteration)), {});
  };
  see(1, 0);
  see(5, 1);
  EXPECT_EQ(history.failures.forgiven, 1);
  see(0, 2);  // started again from zero
  see(5, 3);
  EXPECT_EQ(history.failures.forgiven, 1);
  see(6, 3);
  EXPECT_EQ(history.failures.forgiven, 3);
}

// The program fails after an iteration that is seen together with its failure.
TEST(History, DoesNotForgiveTheFailureAfterTheNewIteration) {
  World world(Cores(8000));
  auto& job = run(world.add(viewOf("a")), 2);
  job.job.spec.backoffLimit = 0;
  auto& history = world.historyOf(0);
  observe(history, job, at(99));
  for (const double second : {99.1, 99.2, 99.3, 99.4})
    learn(history, at(second), Iterations(second < 99.25 ? 1 : 2), Loss(0.5), {});
  EXPECT_EQ(world.decide().jobs[0].state, JobState::Running);
  job.workers.failures = 1;
  observe(history, job, at(100));
  for (const double second : {99.5, 99.6}) learn(history, at(second), Iterations(3), Loss(0.4), {});
  EXPECT_EQ(world.decide().jobs[0].state, JobState::Failed);
}

// So a program exports it before it has set anything.
TEST(History, TakesNoGaugeForALossThatWasNotSetYet) {
  JobHistory history;
  learn(history, at(1), Iterations(0), Loss(0), {});
  EXPECT_TRUE(history.losses.series.empty());
  for (const double second : {2.0, 3.0}) learn(history, at(second), Iterations(1), Loss(0.7), {});
  EXPECT_EQ(history.losses.series.first(), Loss(0.7));
}

TEST(Decide, EndsNoJobWhoseIterationsCouldNotBeSeen) {
  World world(Cores(8000));
  auto& job = run(world.add(viewOf("a")), 2);
  auto& history = world.historyOf(0);
  observe(history, job, at(99));
  for (const double second : {99.1, 99.2}) learn(history, at(second), Iterations(1), Loss(0.5), {});
  job.workers.failures = 9;
  observe(history, job, at(100));
  EXPECT_EQ(world.decide().jobs[0].state, JobState::Failed);
  forgiveUnseen(history);
  EXPECT_EQ(world.decide().jobs[0].state, JobState::Running) << "also once losses can be read again";
}

TEST(History, CountsTheTimeOfEachResizeAnew) {
  JobHistory history;
  auto view = viewOf("a");
  run(view, 4).workers.ready = Workers(3);
  observe(history, view, at(10));
  observe(history, view, at(20));
  EXPECT_EQ(history.resizes.since, at(10));
  view.workers.desired = Workers(6);
  observe(history, view, at(30));
  EXPECT_EQ(history.resizes.since, at(30));
}

TEST(Decide, DoesNotDependOnTheOrderOfThoseWhoAreAlike) {
  for (const bool reversed : {false, true}) {
    World world(Cores(9000));
    std::vector<std::string> names = {"a", "b", "c"};
    if (reversed) std::ranges::reverse(names);
    for (const auto& name : names) world.add(viewOf(name, 3, 3));
    auto actions = world.decide().actions;
    std::ranges::sort(actions, {}, [](const Action& action) { return jobOf(action).name; });
    EXPECT_THAT(actions, ElementsAre(starts("a", 3), starts("b", 3), starts("c", 3)));
  }
}

}  // namespace
}  // namespace slaq::scheduler
