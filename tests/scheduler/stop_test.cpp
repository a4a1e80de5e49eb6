#include "scheduler/lifecycle/stop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "forecast/predictors/published.h"
#include "scheduler/constants.h"
#include "scheduler/state/observe.h"
#include "scheduler/world.h"

namespace slaq::scheduler {
namespace {

using slaq::testing::at;
using slaq::testing::finishes;
using slaq::testing::podOf;
using slaq::testing::run;
using slaq::testing::suspends;
using slaq::testing::viewOf;
using slaq::testing::World;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// The published curves know an exponential exactly.
const forecast::Published predictor;

// A history of `count` losses that fall like exp(-rate k), refitted after each.
void see(JobHistory& history, int count, double rate, const StopSpec& stop) {
  for (int k = 0; k < count; ++k) {
    learn(history, at(k), Iterations(k), Loss(std::exp(-rate * k)), {});
    refit(history, {{Convergence::Superlinear}, stop.lossReductionPercent}, predictor);
  }
}

std::optional<EarlyStop> stopAfter(int count, const StopSpec& stop) {
  JobHistory history;
  see(history, count, 0.1, stop);
  auto view = viewOf("a");
  view.job.spec.stop = stop;
  return earlyStopOf({&view, &history}, at(100));
}

TEST(EarlyStop, ComesAtTheShareOfThePredictedReduction) {
  const StopSpec stop{.lossReductionPercent = 90.0};
  EXPECT_FALSE(stopAfter(22, stop));  // exp(-2.1) is 0.12
  const auto stopped = stopAfter(28, stop);
  ASSERT_TRUE(stopped);
  EXPECT_EQ(stopped->reason, "LossReduced");
  EXPECT_THAT(stopped->message, HasSubstr("from 1 to 0.0672, 93.3% of the predicted total"));
  EXPECT_THAT(stopped->message, HasSubstr("spec.stop.lossReductionPercent is 90"));
}

TEST(EarlyStop, WantsTwentyLosses) {
  const StopSpec stop{.lossReductionPercent = 50.0};
  EXPECT_FALSE(stopAfter(19, stop));
  EXPECT_TRUE(stopAfter(20, stop));
}

TEST(EarlyStop, WantsThreeForecastsThatAgree) {
  const StopSpec stop{.lossReductionPercent = 90.0};
  EXPECT_FALSE(stopAfter(26, stop));  // the 25th loss is the first at 90%
  EXPECT_TRUE(stopAfter(27, stop));
}

TEST(EarlyStop, NeverComesToALossThatHasNotFallen) {
  const StopSpec stop{.lossReductionPercent = 50.0};
  std::mt19937_64 random(3);
  std::normal_distribution<double> noise(1, 0.1);
  const auto stops = [&](const std::function<double(int)>& loss) {
    JobHistory history;
    auto view = viewOf("a");
    view.job.spec.stop = stop;
    for (int k = 0; k < 200; ++k) {
      learn(history, at(k + 1), Iterations(k), Loss(loss(k)), {});
      refit(history, wishesOf(view.job.spec), predictor);
      if (earlyStopOf({&view, &history}, at(k + 1))) return true;
    }
    return false;
  };
  EXPECT_FALSE(stops([](int k) { return 0.1 * k; }));
  EXPECT_FALSE(stops([](int) { return 0.7; }));
  int stopped = 0;
  for (int i = 0; i < 100; ++i) stopped += stops([&](int) { return noise(random); }) ? 1 : 0;
  EXPECT_LE(stopped, 3) << "of 100 jobs whose losses are noise";
}

TEST(EarlyStop, TellsOfAMetricThatRose) {
  JobHistory history;
  auto view = viewOf("a");
  view.job.spec.stop.lossReductionPercent = 90.0;
  view.job.spec.loss.mode = LossMode::Maximize;
  for (int k = 0; k < 40; ++k) {
    const Loss accuracy(0.9 - 0.8 * std::exp(-0.1 * k));
    learn(history, at(k + 1), Iterations(k), oriented(LossMode::Maximize, accuracy), {});
    refit(history, wishesOf(view.job.spec), predictor);
  }
  const auto stopped = earlyStopOf({&view, &history}, at(100));
  ASSERT_TRUE(stopped);
  EXPECT_THAT(stopped->message, HasSubstr("the metric rose from 0.1 to 0.88"));
}

TEST(EarlyStop, DoesNotCountOneForecastThreeTimes) {
  const StopSpec stop{.lossReductionPercent = 90.0};
  JobHistory history;
  see(history, 25, 0.1, stop);
  for (int epoch = 0; epoch < 5; ++epoch)
    refit(history, {{}, stop.lossReductionPercent}, predictor);  // nothing new was read
  EXPECT_LT(history.losses.reduced.forecasts, kAgreeingForStop);
}

// A number of iterations that a trainer never did, between samples that are right.
TEST(EarlyStop, IsNotDueToOneAbsurdSample) {
  for (const double absurd : {1e6, 1e300, -1e300, std::numeric_limits<double>::infinity(),
                              std::numeric_limits<double>::quiet_NaN()}) {
    JobHistory history;
    history.runtime.running(at(0), Cores(1000));
    auto view = viewOf("a");
    view.job.spec.stop = {.maxIterations = 1000};
    for (int k = 0; k < 40; ++k) {
      const double iteration = k == 20 ? absurd : k;
      learn(history, at(k), Iterations(iteration), Loss(std::exp(-0.1 * k)), {});
      refit(history, wishesOf(view.job.spec), predictor);
      EXPECT_FALSE(earlyStopOf({&view, &history}, at(100))) << absurd << " " << k;
    }
    EXPECT_EQ(history.losses.series.lastIteration(), Iterations(39)) << absurd;
    ASSERT_TRUE(history.runtime.speed()) << absurd;
    EXPECT_TRUE(std::isfinite(history.runtime.speed()->at(1))) << absurd;
  }
}

TEST(EarlyStop, ComesAfterTheIterationsAskedFor) {
  EXPECT_FALSE(stopAfter(31, {.maxIterations = 30}));
  const auto stopped = stopAfter(32, {.maxIterations = 30});
  ASSERT_TRUE(stopped);
  EXPECT_EQ(stopped->reason, "MaxIterations");
  EXPECT_EQ(stopped->message, "the training did 30 iterations; spec.stop.maxIterations is 30");
}

TEST(EarlyStop, ComesAfterSoManyIterationsWithoutANewLowestLoss) {
  JobHistory history;
  auto view = viewOf("a");
  view.job.spec.stop.patience = 10;
  const auto stopped = [&](double k, double loss) {
    learn(history, at(k), Iterations(k), Loss(loss), {});
    learn(history, at(k + 0.5), Iterations(k), Loss(loss), {});  // one sample alone may be wrong
    return earlyStopOf({&view, &history}, at(100));
  };
  EXPECT_FALSE(stopped(0, 1));
  EXPECT_FALSE(stopped(5, 0.5));
  EXPECT_FALSE(stopped(14, 0.6));
  const auto due = stopped(15, 0.55);
  ASSERT_TRUE(due);
  EXPECT_EQ(due->reason, "NoImprovement");
  EXPECT_EQ(due->message, "the loss was lowest at iteration 5, 10 iterations ago; spec.stop.patience is 10");
  EXPECT_FALSE(stopped(16, 0.4));
}

// Each change of the size may bring a training back to its checkpoint.
TEST(EarlyStop, CountsPatienceFromWhereTheTrainingGoesOn) {
  JobHistory history;
  auto view = viewOf("a");
  view.job.spec.stop.patience = 100;
  double now = 0;
  const auto stopped = [&](int from, int to) {
    for (int k = from; k <= to; ++k) learn(history, at(++now), Iterations(k), Loss(1.0 / (1 + k)), {});
    return earlyStopOf({&view, &history}, at(now));
  };
  EXPECT_FALSE(stopped(0, 300));
  EXPECT_FALSE(stopped(150, 155));
  EXPECT_FALSE(stopped(0, 3));
  for (int k = 4; k <= 103; ++k) learn(history, at(++now), Iterations(k), Loss(0.5), {});
  EXPECT_EQ(stopped(104, 103)->reason, "NoImprovement");
}

// A schedule of learning rates: the second stage begins at iteration 100 of 300.
TEST(EarlyStop, DoesNotTakeAPlateauForTheEndOfATrainingThatIsKnownToGoOn) {
  for (const int known : {0, 1, 2}) {
    JobHistory history;
    auto view = viewOf("a");
    view.job.spec.stop.lossReductionPercent = 95;
    if (known == 1) view.job.spec.stop.maxIterations = 300;
    if (known == 2) history.expected.length = 300;
    std::optional<double> ended;
    for (int k = 0; k < 300 && !ended; ++k) {
      const double loss = k < 100 ? 1 + std::exp(-0.05 * k) : 1 - 0.8 * (1 - std::exp(-0.05 * (k - 100)));
      learn(history, at(k), Iterations(k), Loss(loss), {});
      refit(history, {{Convergence::Superlinear}, 95.0}, predictor);
      const auto stopped = earlyStopOf({&view, &history}, at(k));
      if (stopped && stopped->reason == "LossReduced") ended = k;
    }
    if (known == 0) {
      EXPECT_LT(ended.value_or(300), 100);
    } else {
      EXPECT_GT(ended.value_or(300), 150) << known;
    }
  }
}

TEST(EarlyStop, ComesAtTheDeadlineAfterTheStart) {
  JobHistory history;
  auto view = viewOf("a");
  view.job.spec.stop.activeDeadline = Seconds(60);
  EXPECT_FALSE(earlyStopOf({&view, &history}, at(1000)));  // it did not start yet
  view.status.started = at(50);
  EXPECT_FALSE(earlyStopOf({&view, &history}, at(109)));
  const auto stopped = earlyStopOf({&view, &history}, at(110));
  ASSERT_TRUE(stopped);
  EXPECT_EQ(stopped->reason, "DeadlineReached");
}

TEST(EarlyStop, AtTheDeadlineIsAFailureWhereNoWorkerWasEverReady) {
  JobHistory history;
  auto view = viewOf("a");
  view.job.spec.stop.activeDeadline = Seconds(15);
  view.status.started = at(0);
  set(view.status.conditions, {ConditionType::Ready, Truth::False, "CannotStart", "no node", at(1), 1});
  const auto stopped = earlyStopOf({&view, &history}, at(15)).value();
  EXPECT_EQ(stopped.state, JobState::Failed);
  EXPECT_EQ(stopped.message,
            "no worker became ready (no node) within 15 s; spec.stop.activeDeadlineSeconds is 15");
  for (int sign = 0; sign < 4; ++sign) {
    auto ran = view;
    if (sign == 0) ran.status.state = JobState::Running;
    if (sign == 1) ran.status.progress = Progress{};
    if (sign == 2) ran.workers.ready = Workers(1);
    if (sign == 3)  // as a controller before this one saw it
      set(ran.status.conditions, {ConditionType::MetricsAvailable, Truth::False, "NoLoss", "none", at(1), 1});
    EXPECT_EQ(earlyStopOf({&ran, &history}, at(15))->state, JobState::Complete) << sign;
  }
}

// Without losses, and without cores at its end.
TEST(EarlyStop, AtTheDeadlineIsNoFailureWhereAWorkerWasOnceReady) {
  JobHistory history;
  auto view = viewOf("a");
  view.job.spec.stop.activeDeadline = Seconds(60);
  view.status.started = at(0);
  observe(history, run(view, 2), at(3));
  view.workers = {};
  view.status.state = JobState::Waiting;
  observe(history, view, at(60));
  const auto stopped = earlyStopOf({&view, &history}, at(60)).value();
  EXPECT_EQ(stopped.state, JobState::Complete);
  EXPECT_EQ(stopped.message, "the training ran for 60 s; spec.stop.activeDeadlineSeconds is 60");
}

JobView& addPastDeadline(World& world) {
  auto& view = run(world.add(viewOf("a")), 7);
  view.job.spec.driver = podOf(Cores(100));
  view.driver.exists = view.driver.active = true;
  view.status.started = at(1);
  view.job.spec.stop.activeDeadline = Seconds(60);
  return view;
}

TEST(EarlyStop, EndsWorkersAndDriverAndCompletesTheJob) {
  World world(Cores(8000));
  auto& view = addPastDeadline(world);
  auto plan = world.decide();
  EXPECT_THAT(plan.actions, ElementsAre(finishes("a")));
  EXPECT_EQ(plan.jobs[0].state, JobState::Complete);
  EXPECT_EQ(plan.jobs[0].endReason, "DeadlineReached");

  view.workers.suspended = true;  // the driver is left
  view.status.state = JobState::Complete;
  EXPECT_THAT(world.decide().actions, ElementsAre(finishes("a")));
  view.driver.suspended = true;
  EXPECT_THAT(world.decide().actions, IsEmpty());
}

TEST(EarlyStop, DoesNotEndASuspendedJob) {
  World world(Cores(8000));
  addPastDeadline(world).job.spec.suspend = true;
  EXPECT_THAT(world.decide().actions, ElementsAre(suspends("a")));
}

TEST(EarlyStop, EndsAPinnedJobToo) {
  World world(Cores(8000));
  addPastDeadline(world).job.spec.replicas = Workers(7);
  EXPECT_THAT(world.decide().actions, ElementsAre(finishes("a")));
}

TEST(EarlyStop, IsNotForOneWhoOnlyObserves) {
  World world(Cores(8000));
  addPastDeadline(world);
  world.settings.mode = Mode::Observe;
  EXPECT_NE(world.decide().jobs[0].state, JobState::Complete);
}

TEST(EarlyStop, KeepsItsReasonOnceItIsWritten) {
  World world(Cores(8000));
  auto& view = world.add(viewOf("a"));
  view.status.state = JobState::Complete;
  set(view.status.conditions, {ConditionType::Complete, Truth::True, "LossReduced", "enough", at(1), 1});
  const auto plan = world.decide();
  EXPECT_EQ(plan.jobs[0].endReason, "LossReduced");
  EXPECT_EQ(plan.jobs[0].reason, "enough");
}

TEST(TimeToLive, DeletesAJobSomeTimeAfterItsEnd) {
  for (const auto state : {JobState::Complete, JobState::Failed}) {
    World world(Cores(8000));
    auto& view = world.add(viewOf("a"));
    view.status.state = state;
    view.status.completed = at(50);
    view.job.spec.ttlAfterFinished = Seconds(60);
    EXPECT_THAT(world.decide().actions, IsEmpty());
    view.job.spec.ttlAfterFinished = Seconds(50);
    EXPECT_THAT(world.decide().actions, ElementsAre(Action(DeleteJob{{"default", "a"}})));
    view.job.deleting = true;
    EXPECT_THAT(world.decide().actions, IsEmpty());
  }
}

// The pods that failed are gone with their node.
TEST(BackoffLimit, CountsFromTheFailuresThatAreStillKnown) {
  World world(Cores(8000));
  auto& view = run(world.add(viewOf("a")), 8);
  observe(world.historyOf(0), view, at(80));
  view.workers.failures = 3;
  observe(world.historyOf(0), view, at(85));
  world.historyOf(0).failures.forgiven = 3;
  view.workers.failures = 0;
  observe(world.historyOf(0), view, at(90));
  view.workers.failures = 4;
  observe(world.historyOf(0), view, at(95));
  EXPECT_EQ(world.decide().jobs[0].state, JobState::Failed);
}

TEST(BackoffLimit, CountsWorkerZeroOfAJobWithoutADriver) {
  World world(Cores(8000));
  auto& view = run(world.add(viewOf("a")), 8);
  observe(world.historyOf(0), view, at(90));
  view.workers.failures = 3;
  EXPECT_EQ(world.decide().jobs[0].state, JobState::Running);
  view.workers.failures = 4;
  const auto plan = world.decide();
  EXPECT_EQ(plan.jobs[0].state, JobState::Failed);
  EXPECT_THAT(plan.jobs[0].reason, HasSubstr("worker 0, the chief, failed 4 times"));
}

}  // namespace
}  // namespace slaq::scheduler
