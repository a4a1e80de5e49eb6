#include "loop/status/status.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "loop/status/conditions.h"
#include "loop/status/events.h"
#include "scheduler/world.h"

namespace slaq::loop {
namespace {

using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;

JobStatus running() {
  JobStatus status{.state = JobState::Running};
  status.progress = Progress{.iteration = Iterations(100), .loss = Loss(0.5), .forecastFinal = Loss(0.25)};
  status.decision =
      Decision{.workers = Workers(4), .price = 0.0043, .forecast = Loss(0.45), .workerCpu = Cores(500)};
  return status;
}

TEST(Urgency, OfForecastsAndPricesIsDrift) {
  const auto written = running();
  for (const auto& change : std::initializer_list<void (*)(JobStatus&)>{
           [](JobStatus& s) { s.progress->forecastFinal = Loss(0.26); },
           [](JobStatus& s) { s.decision->forecast = Loss(0.44); },
           [](JobStatus& s) { s.decision->price = 0.008; }}) {
    auto next = written;
    change(next);
    EXPECT_EQ(urgencyOf(written, next), Urgency::Drift);
  }
}

TEST(Urgency, OfAnotherSizeIsNews) {
  const auto written = running();
  for (const auto& change : std::initializer_list<void (*)(JobStatus&)>{
           [](JobStatus& s) { s.decision->workers = Workers(5); },
           [](JobStatus& s) { s.decision->workerCpu = Cores(600); }}) {
    auto next = written;
    change(next);
    EXPECT_EQ(urgencyOf(written, next), Urgency::News);
  }
}

TEST(Urgency, OfDigitsThatNobodyReadsIsNone) {
  const auto written = running();
  auto next = written;
  next.decision->price = 0.0042;
  next.decision->forecast = Loss(0.45001);
  next.progress->forecastFinal = Loss(0.25001);
  next.decision->reason = "in other words";
  EXPECT_EQ(urgencyOf(written, next), Urgency::None);
}

TEST(Urgency, OfWhatAJobWaitsForIsDrift) {
  JobStatus written{.state = JobState::Waiting};
  written.decision = Decision{.workers = Workers(0), .reason = "waits behind default/b"};
  auto next = written;
  next.decision->reason = "waits for 4 cores";
  EXPECT_EQ(urgencyOf(written, next), Urgency::Drift);
}

TEST(Urgency, OfAnotherNumberOfWorkersIsNews) {
  auto next = running();
  next.decision->workers = Workers(5);
  EXPECT_EQ(urgencyOf(running(), next), Urgency::News);
}

// Else each of thousands of jobs would be told twice, after each restart, what has not changed.
TEST(Status, KeepsWhatItSaidOfTheLossUntilThatWasRead) {
  slaq::testing::World world(Cores(8000));
  auto& view = slaq::testing::run(world.add(slaq::testing::viewOf("a", 2, 16)), 4);
  set(view.status.conditions, {.type = ConditionType::MetricsAvailable,
                               .status = Truth::True,
                               .reason = "LossReported",
                               .message = "the loss is read"});
  set(view.status.conditions, {.type = ConditionType::ModelFitted,
                               .status = Truth::True,
                               .reason = "Fitted",
                               .message = "the loss is forecast by a curve"});
  auto& history = world.historyOf(0);
  history.losses.caughtUp = false;
  const auto reason = [&](bool isDown, ConditionType type = ConditionType::MetricsAvailable) {
    const scheduler::Snapshot snapshot{.now = slaq::testing::at(100),
                                       .lossSourceDown = isDown,
                                       .jobs = {{&world.viewAt(0), &history}},
                                       .capacity = world.capacity};
    const auto plan = scheduler::decide(snapshot, world.settings);
    const auto status = statusOf(snapshot.jobs[0], plan.jobs[0], snapshot, world.settings);
    return find(status.conditions, type)->reason;
  };
  EXPECT_EQ(reason(false), "LossReported");
  EXPECT_EQ(reason(true), "LossSourceDown");
  EXPECT_EQ(reason(true, ConditionType::ModelFitted), "Fitted");
  history.losses.problem = "its history can't be read: too slow";
  EXPECT_EQ(reason(false), "LossReported") << "in its first half minute";
  history.pods.readySince = slaq::testing::at(0);
  EXPECT_EQ(reason(false), "NoLoss");
  history.pods.readySince.reset();
  history.losses.caughtUp = true;
  EXPECT_EQ(reason(false), "Starting");
}

JobStatus statusAt(double now, slaq::testing::World& world) {
  const scheduler::Snapshot snapshot{.now = slaq::testing::at(now),
                                     .jobs = {{&world.viewAt(0), &world.historyOf(0)}},
                                     .capacity = world.capacity};
  const auto plan = scheduler::decide(snapshot, world.settings);
  return statusOf(snapshot.jobs[0], plan.jobs[0], snapshot, world.settings);
}

// As Kubernetes has it for Jobs, so that a deadline ends also what cannot start.
TEST(Status, HasAStartTimeFromTheMomentWhenPodsAreAskedFor) {
  slaq::testing::World world(Cores(8000));
  auto& view = world.add(slaq::testing::viewOf("a", 2, 16));
  EXPECT_FALSE(statusAt(100, world).started);
  slaq::testing::run(view, 2).workers.ready = Workers(0);
  EXPECT_EQ(statusAt(103, world).started, slaq::testing::at(103));
  EXPECT_EQ(statusAt(103, world).state, JobState::Pending);
}

// An object that slaq did not create goes on while its TrainingJob is suspended.
TEST(Status, OfASuspendedJobHasNoStartTime) {
  slaq::testing::World world(Cores(8000));
  auto& view = slaq::testing::run(world.add(slaq::testing::viewOf("a", 2, 16)), 2);
  view.job.spec.suspend = true;
  const auto status = statusAt(100, world);
  EXPECT_EQ(status.state, JobState::Suspended);
  EXPECT_FALSE(status.started);
}

// The samples from before a pause are old, and the next one takes its time.
TEST(Status, MissesNoLossRightAfterAPause) {
  slaq::testing::World world(Cores(8000));
  slaq::testing::run(world.add(slaq::testing::viewOf("a", 2, 16)), 2);
  world.learned(0, 0.05);
  const auto metricsAt = [&](double now) {
    world.historyOf(0).losses.lastRead = slaq::testing::at(now);
    const auto status = statusAt(now, world);
    return find(status.conditions, ConditionType::MetricsAvailable)->reason;
  };
  world.historyOf(0).pods.readySince = slaq::testing::at(3995);
  EXPECT_EQ(metricsAt(4000), "Starting");
  EXPECT_EQ(metricsAt(5000), "LossStale");
}

TEST(Status, SaysWhatKeepsAJobFromStarting) {
  slaq::testing::World world(Cores(8000));
  auto& view = slaq::testing::run(world.add(slaq::testing::viewOf("a", 2, 16)), 2);
  view.workers.ready = Workers(0);
  const auto ready = [&] {
    const auto status = statusAt(100, world);
    const auto* found = find(status.conditions, ConditionType::Ready);
    return found->reason + ": " + found->message;
  };
  EXPECT_EQ(ready(), "Starting: no worker is ready yet");
  view.workers.fault = "pod a-0 ended with exit code 1";
  EXPECT_EQ(ready(), "Starting: pod a-0 ended with exit code 1");
  view.workers.obstacle = "no node";
  EXPECT_EQ(ready(), "CannotStart: no node");
  view.workers.ready = Workers(2);
  EXPECT_EQ(ready(), "Running: workers are running");
  view.driver.obstacle = "no image";
  EXPECT_EQ(ready(), "CannotStart: no image");
  world.historyOf(0).resizes.startGivenBack = {
      .size = {}, .until = slaq::testing::at(130), .why = "no image"};
  EXPECT_EQ(ready(),
            "CannotStart: no image; its cores were given back, and it is started again after a "
            "pause of 30 s");
}

TEST(Status, SaysThatTheLossRoseAboveItsFirstOne) {
  slaq::testing::World world(Cores(8000));
  slaq::testing::run(world.add(slaq::testing::viewOf("a", 2, 16)), 2);
  auto& history = world.historyOf(0);
  const auto fitted = [&](double loss, int count) {
    for (int i = 0; i < count; ++i) {
      const Iterations next(
          history.losses.series.empty() ? 0 : history.losses.series.lastIteration().value() + 1);
      learn(history, slaq::testing::at(50 + next.value()), next, Loss(loss - 1e-9 * next.value()), {});
    }
    history.losses.model = forecast::ConvergenceModel();
    const auto status = statusAt(100, world);
    return find(status.conditions, ConditionType::ModelFitted)->reason;
  };
  EXPECT_NE(fitted(0.7, 1), kLossRose);
  EXPECT_NE(fitted(0.8, 18), kLossRose) << "too few losses";
  EXPECT_EQ(fitted(0.8, 1), kLossRose);
  EXPECT_NE(fitted(0.6, 5), kLossRose);
  const auto before = JobStatus();
  auto next = before;
  set(next.conditions, {.type = ConditionType::ModelFitted,
                        .status = Truth::False,
                        .reason = kLossRose,
                        .message = "it rose"});
  ASSERT_EQ(eventsBetween(before, next).size(), 1u);
  EXPECT_TRUE(eventsBetween(before, next).front().warning);
  EXPECT_TRUE(eventsBetween(next, next).empty());
}

// A job of 4 workers, half a second an iteration, with a loss of exp(-0.05 k) at iteration 40.
TEST(Status, TellsHowLongTheJobWouldTakeWithOtherNumbersOfWorkers) {
  slaq::testing::World world(Cores(8000));
  slaq::testing::run(world.add(slaq::testing::viewOf("a", 2, 16)), 4);
  world.learned(0, 0.05);
  const scheduler::Snapshot snapshot{.now = slaq::testing::at(100),
                                     .jobs = {{&world.viewAt(0), &world.historyOf(0)}},
                                     .capacity = world.capacity};
  const auto plan = decide(snapshot, world.settings);
  const auto status = statusOf(snapshot.jobs[0], plan.jobs[0], snapshot, world.settings);
  ASSERT_EQ(status.progress->milestones.size(), 3u);
  EXPECT_EQ(status.progress->milestones[1].reductionPercent, 95);
  EXPECT_NEAR(status.progress->milestones[1].left.value(), 20, 5);
  // Nothing is known beyond twice what was tried.
  ASSERT_EQ(status.speeds.size(), 5u);
  EXPECT_EQ(status.speeds.front().workers, Workers(2));
  EXPECT_EQ(status.speeds.back().workers, Workers(8));
  EXPECT_EQ(status.speeds[2].workers, Workers(4));
  EXPECT_NEAR(status.speeds[2].iteration.count(), 0.5, 0.01);
  EXPECT_TRUE(status.speeds[2].measured);
  EXPECT_FALSE(status.speeds[3].measured);
}

TEST(Status, OfAJobThatIsOverStaysAsItWasWhateverIsLearnedLater) {
  slaq::testing::World world(Cores(8000));
  slaq::testing::run(world.add(slaq::testing::viewOf("a", 2, 16)), 4);
  world.learned(0, 0.05);
  const scheduler::Snapshot snapshot{.now = slaq::testing::at(100),
                                     .jobs = {{&world.viewAt(0), &world.historyOf(0)}},
                                     .capacity = world.capacity};
  world.viewAt(0).driver.succeeded = true;
  world.viewAt(0).workers.succeeded = true;
  const auto status = [&] {
    return statusOf(snapshot.jobs[0], decide(snapshot, world.settings).jobs[0], snapshot, world.settings);
  };
  world.historyOf(0).kind = "logreg";
  world.viewAt(0).status = status();
  ASSERT_EQ(world.viewAt(0).status.state, JobState::Complete);
  EXPECT_EQ(world.viewAt(0).status.kind->trainings, 0);
  world.historyOf(0).expected.trainingsOfKind = 7;
  EXPECT_EQ(status(), world.viewAt(0).status);
}

class StatusOfAJobWithoutLoss : public ::testing::Test {
 protected:
  StatusOfAJobWithoutLoss() { slaq::testing::run(world_.add(slaq::testing::viewOf("a", 2, 16)), 4); }

  JobStatus status() {
    const scheduler::Snapshot snapshot{.now = slaq::testing::at(100),
                                       .lossSourceDown = world_.lossSourceDown,
                                       .jobs = {{&world_.viewAt(0), &world_.historyOf(0)}},
                                       .capacity = world_.capacity};
    const auto plan = scheduler::decide(snapshot, world_.settings);
    return statusOf(snapshot.jobs[0], plan.jobs[0], snapshot, world_.settings);
  }
  // The job runs, and ends in success.
  JobStatus ended() {
    world_.viewAt(0).status = status();
    world_.viewAt(0).workers.succeeded = true;
    return status();
  }

  slaq::testing::World world_{Cores(8000)};
};

TEST_F(StatusOfAJobWithoutLoss, SaysAtItsEndThatNoneWasRead) {
  const auto over = ended();
  ASSERT_EQ(over.state, JobState::Complete);
  const auto* metrics = find(over.conditions, ConditionType::MetricsAvailable);
  EXPECT_EQ(metrics->status, Truth::False);
  EXPECT_EQ(metrics->reason, "NoLoss");
  EXPECT_EQ(metrics->message, "it ended before any loss was read: no sample of slaq_training_loss was found");
  const auto* fitted = find(over.conditions, ConditionType::ModelFitted);
  EXPECT_EQ(fitted->status, Truth::False);
  EXPECT_EQ(fitted->message, "it ended before any loss was read, so nothing was forecast");
}

TEST_F(StatusOfAJobWithoutLoss, SaysAtItsEndWhatItsSourceSaid) {
  world_.historyOf(0).losses.problem = "its metrics are labelled differently";
  const auto over = ended();
  EXPECT_EQ(find(over.conditions, ConditionType::MetricsAvailable)->message,
            "it ended before any loss was read: its metrics are labelled differently");
  // The history is gone after a restart of the controller.
  world_.viewAt(0).status = over;
  world_.historyOf(0) = {};
  EXPECT_EQ(status().conditions, over.conditions);
}

TEST_F(StatusOfAJobWithoutLoss, LacksNothingAtItsEndWhereNoneIsNeeded) {
  world_.viewAt(0).job.spec.scheduling = Scheduling::Fair;
  const auto over = ended();
  for (const auto type : {ConditionType::MetricsAvailable, ConditionType::ModelFitted}) {
    EXPECT_EQ(find(over.conditions, type)->reason, "NotNeeded");
    EXPECT_EQ(find(over.conditions, type)->status, Truth::Unknown);
    EXPECT_THAT(find(over.conditions, type)->message, ::testing::StartsWith("it ended"));
  }
}

TEST_F(StatusOfAJobWithoutLoss, StaysAsItWasWhereALossWasReadBeforeItsEnd) {
  world_.learned(0, 0.05);
  const auto over = ended();
  ASSERT_EQ(over.state, JobState::Complete);
  EXPECT_EQ(find(over.conditions, ConditionType::MetricsAvailable)->reason, "LossReported");
  EXPECT_EQ(find(over.conditions, ConditionType::ModelFitted)->reason, "Fitted");
}

TEST(Events, TellOnceWhatWasGivenBackAndWhy) {
  const auto written = running();
  auto next = written;
  set(next.conditions, {ConditionType::Resizing, Truth::False, "GrowthGivenBack", "no node has room", {}, 1});
  EXPECT_THAT(eventsBetween(written, next), ElementsAre(Event{true, "GrowthGivenBack", "no node has room"}));
  EXPECT_THAT(eventsBetween(next, next), IsEmpty());
}

TEST(Events, TellThatPodsCannotBeResizedInPlace) {
  const auto written = running();
  auto next = written;
  set(next.conditions, {ConditionType::Resizing, Truth::False, "InPlaceResizeUnsupported", "too old", {}, 1});
  EXPECT_THAT(eventsBetween(written, next), ElementsAre(Field(&Event::reason, "InPlaceResizeUnsupported")));
}

TEST(Events, OfAFailureAreNotAboutTheLoss) {
  auto next = running();
  next.state = JobState::Failed;
  set(next.conditions, {ConditionType::Failed, Truth::True, "UserError", "it exits with 1", {}, 1});
  set(next.conditions, {ConditionType::MetricsAvailable, Truth::False, "NoLoss", "no loss", {}, 1});
  EXPECT_THAT(eventsBetween(running(), next), ElementsAre(Event{true, "Failed", "it exits with 1"}));
}

TEST(Events, TellHowAJobWasStopped) {
  auto next = running();
  next.state = JobState::Complete;
  set(next.conditions, {ConditionType::Complete, Truth::True, "LossReduced", "95% of the total", {}, 1});
  EXPECT_THAT(eventsBetween(running(), next), ElementsAre(Event{false, "Complete", "95% of the total"}));
}

}  // namespace
}  // namespace slaq::loop
