// Growths that never arrive are given back, and what was changed a moment ago is not changed back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/state/observe.h"
#include "scheduler/state/resize_watch.h"
#include "scheduler/world.h"

namespace slaq::scheduler {
namespace {

using slaq::testing::asPublished;
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

// Asks for `desired` workers of which `ready` are there.
void ask(JobView& view, int desired, int ready, std::optional<std::string> obstacle = {}) {
  run(view, desired).workers.ready = Workers(ready);
  view.workers.obstacle = std::move(obstacle);
}

TEST(GrowthThatNeverArrives, IsGivenBackToWhatIsReady) {
  World world(Cores(8000));
  auto& view = world.add(viewOf("a"));
  ask(view, 8, 5);
  observe(world.historyOf(0), view, at(70));
  observe(world.historyOf(0), view, at(100));
  const auto plan = world.decide();
  EXPECT_THAT(plan.actions, ElementsAre(scales("a", 8, 5)));
  EXPECT_THAT(sentenceOf(plan.jobs[0]), HasSubstr("5 is all that came"));
  EXPECT_THAT(world.historyOf(0).resizes.givenBack->why,
              HasSubstr("5 of 8 workers became ready within 30 s"));
}

TEST(GrowthThatNeverArrives, IsGivenBackSoonerWhereTheObstacleIsKnown) {
  World world(Cores(8000));
  auto& view = world.add(viewOf("a"));
  ask(view, 8, 5, "quota exceeded");
  observe(world.historyOf(0), view, at(90));
  EXPECT_THAT(world.decide().actions, IsEmpty());  // it may just be slow
  observe(world.historyOf(0), view, at(100));
  EXPECT_THAT(world.decide().actions, ElementsAre(scales("a", 8, 5)));
  EXPECT_EQ(world.historyOf(0).resizes.givenBack->why, "quota exceeded");
}

// Where thousands of pods are asked for at once, all are slow.
TEST(GrowthThatNeverArrives, IsWaitedForTwiceAsLongAsOthersTake) {
  GrowthTimes others;
  for (int i = 0; i < 4; ++i) others.add(Seconds(60), at(70));
  World world(Cores(8000));
  auto& view = world.add(viewOf("a"));
  ask(view, 8, 5);
  observe(world.historyOf(0), view, at(70));
  shareGrowthTime(world.historyOf(0), others, at(70));
  observe(world.historyOf(0), view, at(180));
  EXPECT_FALSE(world.historyOf(0).resizes.givenBack);
  observe(world.historyOf(0), view, at(190));
  ASSERT_TRUE(world.historyOf(0).resizes.givenBack);
  EXPECT_THAT(world.historyOf(0).resizes.givenBack->why, HasSubstr("within 120 s"));
}

TEST(Growth, TellsOthersHowLongItTook) {
  GrowthTimes others;
  JobHistory history;
  auto view = viewOf("a");
  double now = 0;
  for (const int workers : {4, 2, 6, 8}) {  // that of the start counts as well
    ask(view, workers, 1);
    observe(history, view, at(now));
    ask(view, workers, workers);
    observe(history, view, at(now += workers == 2 ? 500 : 40));
    shareGrowthTime(history, others, at(now));
  }
  EXPECT_EQ(history.resizes.timeout, Seconds(80));
}

// Else a tenant whose quota lets no more pods come would make all others wait.
TEST(GrowthThatNeverArrives, TellsOthersNothing) {
  GrowthTimes others;
  for (const bool isSuspended : {false, true, false, true}) {
    JobHistory history;
    auto view = viewOf("a");
    ask(view, 8, 5);
    observe(history, view, at(0));
    ask(view, 5, 5);
    view.workers.suspended = isSuspended;
    observe(history, view, at(100));
    shareGrowthTime(history, others, at(100));
  }
  EXPECT_EQ(others.timeout(at(100)), Seconds(30));
}

// The cluster makes the pod again after a pause. Fewer workers would take away one that runs.
TEST(GrowthThatNeverArrives, IsNotAWorkerThatFailsLater) {
  World world(Cores(8000));
  auto& view = world.add(viewOf("a"));
  ask(view, 8, 8);
  observe(world.historyOf(0), view, at(50));
  for (const int ready : {7, 0}) {
    ask(view, 8, ready);
    view.workers.fault = "pod a-2 ended with exit code 1";
    observe(world.historyOf(0), view, at(60));
    observe(world.historyOf(0), view, at(100));
    EXPECT_FALSE(world.historyOf(0).resizes.givenBack);
    EXPECT_THAT(world.decide().actions, IsEmpty());
  }
}

TEST(GrowthThatNeverArrives, MayBeOneThatWasMadeSmallerMeanwhile) {
  World world(Cores(8000));
  auto& view = world.add(viewOf("a"));
  ask(view, 4, 4);
  observe(world.historyOf(0), view, at(40));
  ask(view, 8, 4);
  observe(world.historyOf(0), view, at(50));
  ask(view, 6, 4);
  view.workers.fault = "pod a-5 ended with exit code 1";
  observe(world.historyOf(0), view, at(60));
  observe(world.historyOf(0), view, at(100));
  EXPECT_THAT(world.decide().actions, ElementsAre(scales("a", 6, 4)));
}

// A new process does not know whether all workers were there before. So a worker that failed is no obstacle
// to a growth.
TEST(GrowthThatNeverArrives, IsNoWorkerThatFailedBeforeThisProcessBegan) {
  World world(Cores(8000));
  auto& view = world.add(viewOf("a"));
  ask(view, 8, 7);
  view.workers.fault = "pod a-2 ended with exit code 1";
  observe(world.historyOf(0), view, at(80));
  observe(world.historyOf(0), view, at(100));
  EXPECT_TRUE(world.historyOf(0).pods.adopted);
  EXPECT_FALSE(world.historyOf(0).resizes.givenBack);
}

// It was given back at 4 and has 2 now. Without its loss, it keeps these.
TEST(GrowthThatNeverArrives, RaisesNoBound) {
  World world(Cores(8000));
  run(world.add(viewOf("a")), 2);
  world.learned(0, 0.05);
  world.historyOf(0).resizes.givenBack = {.size = {Workers(4), {}}, .until = at(200), .why = "full"};
  world.lossSourceDown = true;
  EXPECT_THAT(world.decide().actions, IsEmpty());
}

TEST(GrowthThatNeverArrives, LeavesAJobItsMinimum) {
  World world(Cores(8000));
  auto& view = world.add(viewOf("a", 3));
  ask(view, 8, 0, "image not found");
  observe(world.historyOf(0), view, at(90));
  observe(world.historyOf(0), view, at(100));
  EXPECT_THAT(world.decide().actions, ElementsAre(scales("a", 8, 3)));
}

TEST(GrowthThatNeverArrives, IsGivenBackToASizeThatIsAllowed) {
  for (const auto scheduling : {Scheduling::Quality, Scheduling::Fair, Scheduling::Reserved}) {
    World world(Cores(8000));
    auto& view = world.add(viewOf("a", 2, 8));
    view.job.spec.scheduling = scheduling;
    view.job.spec.workers.sizes = {Workers(2), Workers(4), Workers(8)};
    ask(view, 8, 5, "no node");
    observe(world.historyOf(0), view, at(90));
    observe(world.historyOf(0), view, at(100));
    EXPECT_THAT(world.decide().actions, ElementsAre(scales("a", 8, 4)));
  }
}

TEST(GrowthThatNeverArrives, IsNoSlowStart) {
  World world(Cores(8000));
  auto& view = world.add(viewOf("a"));
  ask(view, 8, 0);
  observe(world.historyOf(0), view, at(50));
  observe(world.historyOf(0), view, at(100));
  EXPECT_THAT(world.decide().actions, IsEmpty());
}

TEST(GrowthThatNeverArrives, IsGivenBackByPinnedAndReservedJobsToo) {
  for (const bool pinned : {true, false}) {
    World world(Cores(8000));
    auto& view = world.add(viewOf("a", 1, 8));
    if (pinned) view.job.spec.replicas = Workers(8);
    if (!pinned) view.job.spec.scheduling = Scheduling::Reserved;
    ask(view, 8, 5, "no node");
    observe(world.historyOf(0), view, at(90));
    observe(world.historyOf(0), view, at(100));
    EXPECT_THAT(world.decide().actions, ElementsAre(scales("a", 8, 5)));
  }
}

// Pods that end are not ready any more before they are counted among those that end.
TEST(Shrink, HasSettledOnceAllOthersHaveEnded) {
  JobHistory history;
  auto view = viewOf("a");
  observe(history, run(view, 8), at(0));
  EXPECT_FALSE(history.resizes.since);
  run(view, 4).workers.active = Workers(8);
  observe(history, view, at(3));
  EXPECT_EQ(history.resizes.since, at(3));
  run(view, 4).workers.terminating = Workers(4);
  observe(history, view, at(6));
  EXPECT_EQ(history.resizes.since, at(3));
  view.workers.terminating = Workers(0);
  observe(history, view, at(9));
  EXPECT_FALSE(history.resizes.since);
}

// The pauses before the next try, until one arrives.
TEST(GrowthThatNeverArrives, IsTriedAgainAfterAPauseThatDoublesUpToFiveMinutes) {
  JobHistory history;
  auto view = viewOf("a");
  double now = 0;
  std::vector<double> pauses;
  for (int attempt = 0; attempt < 6; ++attempt) {
    ask(view, 8, 5, "no node");
    observe(history, view, at(now));
    observe(history, view, at(now += 10));
    ASSERT_TRUE(growsUpTo(history, at(now)));
    EXPECT_EQ(growsUpTo(history, at(now))->workers, Workers(5));
    pauses.push_back((history.resizes.givenBack->until - at(now)).count());
    ask(view, 5, 5);
    observe(history, view, at(now += 3));
    now = history.resizes.givenBack->until.time_since_epoch().count();
    EXPECT_FALSE(growsUpTo(history, at(now)));
  }
  EXPECT_THAT(pauses, ElementsAre(30, 60, 120, 240, 300, 300));
  ask(view, 8, 8);
  observe(history, view, at(now));
  EXPECT_FALSE(history.resizes.givenBack);
}

TEST(GrowthThatNeverArrives, OfCoresInPlaceIsGivenBackToWhatThePodsHad) {
  JobHistory history;
  auto view = viewOf("a", 2);
  view.job.spec.workers.scaling = Scaling::CPU;
  view.job.spec.workers.cpu = {Cores(200), Cores(4000)};
  run(view, 2).workers.cpu = CpuView{.asked = Cores(500), .held = Cores(1000)};
  observe(history, view, at(0));
  view.workers.cpu =
      CpuView{.asked = Cores(900), .held = Cores(1800), .settled = false, .obstacle = "node full"};
  observe(history, view, at(3));
  EXPECT_EQ(history.pods.running, Cores(1000));  // the pods go on with what they had
  observe(history, view, at(13));
  EXPECT_EQ(growsUpTo(history, at(13)), (Size{Workers(2), Cores(500)}));
  EXPECT_EQ(history.resizes.givenBack->why, "node full");
}

// A job that asked at `asked` for the two workers that are its minimum, and got none.
JobView& startInVain(World& world, double asked, std::optional<std::string> obstacle) {
  auto& view = world.add(viewOf("a", 2, 2));
  observe(world.historyOf(0), view, at(asked - 3));
  ask(view, 2, 0, std::move(obstacle));
  observe(world.historyOf(0), view, at(asked));
  return view;
}

TEST(StartThatNeverArrives, IsGivenBackWithItsCause) {
  World world(Cores(8000));
  auto& view = startInVain(world, 70, "quota exceeded");
  observe(world.historyOf(0), view, at(99));
  EXPECT_THAT(world.decide().actions, IsEmpty());
  observe(world.historyOf(0), view, at(100));
  const auto plan = world.decide();
  EXPECT_THAT(plan.actions, ElementsAre(suspends("a")));
  EXPECT_EQ(plan.jobs[0].phase, Phase::Inactive);
  EXPECT_EQ(plan.jobs[0].state, JobState::Waiting);
  EXPECT_EQ(sentenceOf(plan.jobs[0]),
            "quota exceeded; its cores were given back, and it is started again after a pause of 30 s");
}

// Another one's need is no reason to wait behind a job that is not tried at the moment.
TEST(StartThatNeverArrives, TakesNothingFromOthers) {
  World world(Cores(2000));
  auto& view = startInVain(world, 70, "no node");
  observe(world.historyOf(0), view, at(100));
  view.workers = {};
  observe(world.historyOf(0), view, at(100));
  world.add(viewOf("b", 2, 2));
  EXPECT_THAT(world.decide().actions, ElementsAre(starts("b", 2)));
}

TEST(StartThatNeverArrives, IsTriedAgainAfterAPauseThatDoublesUpToFiveMinutes) {
  JobHistory history;
  auto view = viewOf("a", 2);
  observe(history, view, at(0));
  double now = 3;
  std::vector<double> pauses;
  for (int attempt = 0; attempt < 6; ++attempt) {
    ask(view, 2, 0, "no node");
    observe(history, view, at(now));
    observe(history, view, at(now += 30));
    ASSERT_TRUE(startGivenBack(history, at(now)));
    observe(history, view, at(now + 3));  // it was not suspended yet
    pauses.push_back((history.resizes.startGivenBack->until - at(now)).count());
    view.workers.suspended = true;
    observe(history, view, at(now += 6));
    now = history.resizes.startGivenBack->until.time_since_epoch().count();
    EXPECT_FALSE(startGivenBack(history, at(now)));
  }
  EXPECT_THAT(pauses, ElementsAre(30, 60, 120, 240, 300, 300));
  ask(view, 2, 2);
  view.workers.suspended = false;
  observe(history, view, at(now));
  EXPECT_FALSE(startGivenBack(history, at(now)));
  observe(history, view, at(now + 301));
  EXPECT_FALSE(history.resizes.startGivenBack) << "it runs for good, so that the next pause is a short one";
}

// A queue, or a person: to start it again at once would only be undone again.
TEST(StartThatNeverArrives, MayBeOneThatAnotherTookBack) {
  JobHistory history;
  auto view = viewOf("a");
  observe(history, view, at(0));
  double now = 3;
  for (const double pause : {30, 60, 120}) {
    observe(history, run(view, 4), at(now));
    view.workers.suspended = true;
    observe(history, view, at(now += 1));
    EXPECT_FALSE(startGivenBack(history, at(now))) << "slaq did it";
    observe(history, run(view, 4), at(now += 1));
    view.workers.suspended = true;
    view.workers.suspendedBy = "kueue";
    observe(history, view, at(now += 1));
    ASSERT_TRUE(startGivenBack(history, at(now)));
    EXPECT_EQ(history.resizes.startGivenBack->why, "kueue suspended the Job of its workers");
    EXPECT_EQ(history.resizes.startGivenBack->pause, Seconds(pause));
    observe(history, view, at(now += pause + 1));
    EXPECT_FALSE(startGivenBack(history, at(now)));
    view.workers.suspendedBy.reset();
  }
}

TEST(StartThatNeverArrives, IsTriedAtOnceAfterAnEdit) {
  World world(Cores(8000));
  auto& view = startInVain(world, 70, "no node");
  observe(world.historyOf(0), view, at(100));
  view.workers.suspended = true;
  view.job.generation = 2;
  observe(world.historyOf(0), view, at(100));
  EXPECT_THAT(world.decide().actions, ElementsAre(starts("a", 2)));
}

// A job that ran when this process began is a start like any other once it was stopped.
TEST(StartThatNeverArrives, MayBeOfAJobThatWasAdopted) {
  JobHistory history;
  auto view = viewOf("a", 4);
  run(view, 4);
  observe(history, view, at(0));
  view.workers.suspended = true;
  observe(history, view, at(3));
  view.workers.suspended = false;
  ask(view, 4, 1, "no node");
  observe(history, view, at(6));
  observe(history, view, at(36));
  EXPECT_TRUE(startGivenBack(history, at(36))) << "one of four workers is no minimum";
}

TEST(StartThatNeverArrives, MayBeThatOfItsDriver) {
  for (const bool isAdopted : {false, true}) {
    World world(Cores(8000));
    auto& view = world.add(viewOf("a"));
    view.job.spec.driver = slaq::testing::podOf(Cores(100));
    if (!isAdopted) observe(world.historyOf(0), view, at(60));
    ask(view, 2, 2);
    view.driver = {.exists = true, .active = true, .obstacle = "the image cannot be pulled"};
    observe(world.historyOf(0), view, at(70));
    observe(world.historyOf(0), view, at(100));
    EXPECT_THAT(world.decide().actions, ElementsAre(suspends("a"))) << isAdopted;
  }
}

TEST(StartThatNeverArrives, HasACauseThatIsKnown) {
  for (const bool hasFailed : {false, true}) {
    World world(Cores(8000));
    auto& view = startInVain(world, 50, {});
    if (hasFailed) view.workers.fault = "pod a-0 ended with exit code 1";
    observe(world.historyOf(0), view, at(53));
    observe(world.historyOf(0), view, at(100));
    EXPECT_THAT(world.decide().actions, IsEmpty()) << "slow, or what backoffLimit is about";
  }
}

TEST(StartThatNeverArrives, IsNotThatOfAJobThatRanBefore) {
  for (const bool isAdopted : {false, true}) {
    World world(Cores(8000));
    auto& view = world.add(viewOf("a", 2, 2));
    if (!isAdopted) observe(world.historyOf(0), view, at(40));
    run(view, 2);
    observe(world.historyOf(0), view, at(50));
    ask(view, 2, 1, "no node");
    observe(world.historyOf(0), view, at(60));
    observe(world.historyOf(0), view, at(100));
    EXPECT_THAT(world.decide().actions, IsEmpty());
  }
}

// Two jobs whose forecasts would have one core change hands, by Algorithm 1.
World pairThatWouldMove() {
  World world(Cores(8000), asPublished());
  run(world.add(viewOf("a")), 4);
  run(world.add(viewOf("b")), 4);
  world.learned(0, 1.0);
  world.learned(1, 0.001);
  return world;
}

TEST(Reversal, OfALateGrowthIsNotMadeForTheGainOfAnother) {
  auto world = pairThatWouldMove();
  world.historyOf(0).resizes.grew = at(80);
  EXPECT_THAT(world.decide().actions, IsEmpty());
  world.historyOf(0).resizes.grew = at(70);  // 30 s ago
  EXPECT_THAT(world.decide().actions, ElementsAre(scales("a", 4, 1)));
}

TEST(Reversal, OfALateShrinkIsNotMadeAtTheCostOfAnother) {
  auto world = pairThatWouldMove();
  world.historyOf(1).resizes.shrank = at(80);
  EXPECT_THAT(world.decide().actions, IsEmpty());
}

TEST(Reversal, OfALateShrinkIsMadeWhereCoresAreIdle) {
  auto world = pairThatWouldMove();
  world.historyOf(1).resizes.shrank = at(80);
  world.capacity = Cores(12000);
  EXPECT_THAT(world.decide().actions, ElementsAre(scales("b", 4, 8)));
}

TEST(Reversal, OfALateGrowthIsMadeForANewcomer) {
  World world(Cores(8000));
  run(world.add(viewOf("a")), 8);
  world.learned(0, 1.0);
  world.historyOf(0).resizes.grew = at(99);
  world.add(viewOf("b"));
  EXPECT_THAT(world.decide().actions, ElementsAre(scales("a", 8, 4)));
}

TEST(Reversal, IsAboutChangesOfARunningJobOnly) {
  JobHistory history;
  auto view = viewOf("a");
  observe(history, view, at(0));
  run(view, 4);
  observe(history, view, at(3));
  EXPECT_FALSE(history.resizes.grew);  // that was its start
  run(view, 6);
  observe(history, view, at(6));
  EXPECT_EQ(history.resizes.grew, at(6));
  run(view, 2);
  observe(history, view, at(9));
  EXPECT_EQ(history.resizes.shrank, at(9));
}

}  // namespace
}  // namespace slaq::scheduler
