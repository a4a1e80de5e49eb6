#include "loop/epoch_loop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "support/fake_world.h"

namespace slaq::loop {
namespace {

using slaq::testing::FakeTrainer;
using slaq::testing::FakeWorld;
using slaq::testing::falling;
using slaq::testing::kEpoch;
using slaq::testing::podOf;
using slaq::testing::viewOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class Loop : public ::testing::Test {
 protected:
  scheduler::Settings settings() const { return {.epoch = kEpoch, .capacity = Cores(10500)}; }

  void add(const std::string& name, FakeTrainer trainer) {
    auto view = viewOf(name);
    view.job.spec.driver = podOf(Cores(100));
    world.add(view, std::move(trainer));
  }

  void run(int epochs) {
    for (int i = 0; i < epochs; ++i) {
      ASSERT_TRUE(loop->run());
      world.pass(kEpoch);
    }
  }

  // As after a SIGKILL: all that was learned is gone.
  void restart() { loop = std::make_unique<EpochLoop>(world, world, world, settings(), report()); }

  EpochLoop::Report report() {
    return [this](const EpochReport& r) {
      Cores used;
      for (const auto& job : r.plan.jobs) used += Cores(1000) * job.target + Cores(100);
      EXPECT_LE(used, settings().capacity);
      histories = r.histories;
      outage = r.lossOutage;
      recordOutage = r.recordOutage;
    };
  }

  FakeWorld world;
  std::map<JobKey, scheduler::JobHistory> histories;
  std::optional<Error> outage;
  std::optional<Error> recordOutage;
  std::unique_ptr<EpochLoop> loop = std::make_unique<EpochLoop>(world, world, world, settings(), report());
};

TEST_F(Loop, RunsAJobFromItsArrivalToItsEnd) {
  add("a", falling(0.05, 100));
  run(12);
  EXPECT_THAT(world.actions, ElementsAre("start default/a with 10 workers", "finish default/a"));
  EXPECT_EQ(world["a"].status.state, JobState::Complete);
  EXPECT_TRUE(world["a"].status.started);
  EXPECT_TRUE(world["a"].status.completed);
  EXPECT_EQ(find(world["a"].status.conditions, ConditionType::Complete)->status, Truth::True);
  // As kstatus reads it: what is complete is no longer on its way.
  EXPECT_EQ(find(world["a"].status.conditions, ConditionType::Ready)->status, Truth::True);
  EXPECT_EQ(find(world["a"].status.conditions, ConditionType::Stalled), nullptr);
  EXPECT_THAT(world.events, ElementsAre("a Running", "a Complete"));
}

TEST_F(Loop, ReadsALossAgainFromItsBeginningWhenItsModeOrItsMetricsChange) {
  add("a", falling(0.001));
  run(10);
  const auto lossesOfA = [&] {
    const auto losses = histories.at({"default", "a"}).losses.series.losses();
    return std::vector<double>(losses.begin(), losses.end());
  };
  const auto before = lossesOfA();
  ASSERT_GT(before.size(), 4u);
  world["a"].job.spec.loss.mode = LossMode::Maximize;
  run(1);
  EXPECT_GT(lossesOfA().size(), before.size());
  EXPECT_THAT(lossesOfA(), ::testing::Each(::testing::Lt(0)));
  world.trainer("a").exported.clear();  // what there was of another metric
  world["a"].job.spec.loss.metric = "accuracy";
  run(1);
  EXPECT_THAT(lossesOfA(), ::testing::SizeIs(::testing::Le(1)));
  run(1);
  world["a"].job.spec.loss.target = 0.4;
  run(1);
  EXPECT_THAT(lossesOfA(), ::testing::SizeIs(2)) << "a hint is about the same losses";
}

TEST_F(Loop, SaysThatARefusedJobWaitsForSomebodysHelp) {
  add("a", falling(0.05));
  world["a"].refusal = "unknown field \"spec.imag\"";
  run(2);
  const auto stalled = [&] { return *find(world["a"].status.conditions, ConditionType::Stalled); };
  EXPECT_EQ(stalled().status, Truth::True);
  EXPECT_EQ(stalled().message, "unknown field \"spec.imag\"");
  EXPECT_EQ(find(world["a"].status.conditions, ConditionType::Ready)->status, Truth::False);
  world["a"].refusal.reset();
  run(3);
  EXPECT_EQ(stalled().status, Truth::False);
  EXPECT_EQ(find(world["a"].status.conditions, ConditionType::Ready)->status, Truth::True);
}

// What is kept between two loops; out of order while `trouble` is set.
class KeptRecords : public RecordStore {
 public:
  Result<std::vector<KindRecord>> read() override {
    if (trouble) return failure(*trouble);
    std::vector<KindRecord> all;
    for (const auto& [name, kind] : kinds) all.push_back(kind);
    return all;
  }
  Result<void> write(std::span<const KindRecord> changed) override {
    if (trouble) return failure(*trouble);
    ++writes;
    for (const auto& each : changed) kinds[each.kind] = each;
    return {};
  }

  std::map<std::string, KindRecord> kinds;
  std::optional<Error> trouble;
  int writes = 0;
};

TEST_F(Loop, KeepsWhatTrainingsOfAKindShowedForTheNextLoop) {
  KeptRecords records;
  loop->keepRecordsIn(records);
  add("a", falling(0.05, 100));
  world["a"].job.kind = "resnet";
  run(20);
  ASSERT_EQ(records.kinds.size(), 1u);
  EXPECT_EQ(records.kinds["resnet"].trainings, 1);
  EXPECT_EQ(records.writes, 1);  // nothing new since

  restart();
  loop->keepRecordsIn(records);
  add("b", falling(0.05, 100));
  world["b"].job.kind = "resnet";
  run(2);
  ASSERT_TRUE(world["b"].status.kind);
  EXPECT_EQ(world["b"].status.kind->trainings, 1);
  run(22);
  EXPECT_EQ(records.kinds["resnet"].trainings, 2);
}

TEST_F(Loop, SaysThatRecordsCannotBeKeptAndKeepsThemLater) {
  KeptRecords records;
  loop->keepRecordsIn(records);
  records.trouble = Error{ErrorKind::Forbidden, "no right to it"};
  add("a", falling(0.05, 100));
  world["a"].job.kind = "resnet";
  run(1);
  ASSERT_TRUE(recordOutage);
  run(1);
  EXPECT_FALSE(recordOutage);  // not tried again so soon
  run(18);
  records.trouble.reset();
  run(10);
  EXPECT_EQ(records.kinds["resnet"].trainings, 1);
}

// A predictor that only this test knows.
class Oblivious : public forecast::Predictor {
 public:
  explicit Oblivious(int& asked) : asked_(asked) {}
  std::optional<forecast::ConvergenceModel> forecast(std::string_view, const forecast::LossSeries&,
                                                     const forecast::LossHints&,
                                                     forecast::ForecastMemory&) const override {
    ++asked_;
    return std::nullopt;
  }

 private:
  int& asked_;
};

TEST_F(Loop, ForecastsByThePredictorThatItIsGiven) {
  int asked = 0;
  loop = std::make_unique<EpochLoop>(world, world, world, settings(), report(), scheduler::FutureSource(),
                                     std::make_unique<Oblivious>(asked));
  add("a", falling(0.05, 100));
  run(12);
  EXPECT_GT(asked, 1);
  EXPECT_EQ(world["a"].status.state, JobState::Complete);
}

TEST_F(Loop, AConvergedJobGivesItsCoresUpWithinTwoEpochsOfTheNextArrival) {
  add("old", falling(0.3));
  run(10);
  ASSERT_EQ(world["old"].workers.desired, Workers(10));
  add("new", falling(0.001));
  run(2);
  EXPECT_LE(world["old"].workers.desired, Workers(5));
  EXPECT_GE(world["new"].workers.desired, Workers(4));
  run(8);
  EXPECT_EQ(world["old"].workers.desired, Workers(1));
  EXPECT_EQ(world["new"].workers.desired, Workers(9));
}

TEST_F(Loop, DoesNothingInASettledWorld) {
  add("a", falling(0.3));
  add("b", falling(0.3));
  run(20);
  world.actions.clear();
  run(20);
  EXPECT_THAT(world.actions, IsEmpty());
}

TEST_F(Loop, ChangesNothingAfterARestartThatItWouldNotHaveChanged) {
  add("old", falling(0.3));
  run(10);
  add("new", falling(0.001));
  run(20);
  world.actions.clear();
  restart();
  run(20);
  EXPECT_THAT(world.actions, IsEmpty());
}

// After a crash between the two, another controller would start it again.
TEST_F(Loop, StopsThePodsOfAJobOnlyOnceItsStatusSaysThatItEnded) {
  add("a", falling(0.05));
  world["a"].job.spec.stop.maxIterations = 30;
  run(1);
  world.statusFailures.emplace(JobKey{"default", "a"}, Error{ErrorKind::Transient, "no answer"});
  run(10);
  EXPECT_THAT(world.actions, Not(Contains("finish default/a")));
  world.statusFailures.clear();
  run(1);
  EXPECT_THAT(world.actions, Contains("finish default/a"));
  EXPECT_EQ(world["a"].status.state, JobState::Complete);
}

TEST_F(Loop, KnowsAfterARestartHowFastAJobIsAtItsSizes) {
  add("a", falling(0.01));
  run(10);
  add("b", falling(0.02));
  run(30);
  const auto measuredOf = [&] {
    std::map<Workers, Seconds> measured;
    for (const auto& each : world["a"].status.speeds) {
      if (each.measured) measured[each.workers] = each.iteration;
    }
    return measured;
  };
  const auto before = measuredOf();
  ASSERT_GE(before.size(), 2u);
  world.sourceForgot = true;
  restart();
  run(2);
  const auto after = measuredOf();
  ASSERT_EQ(after.size(), before.size());
  for (const auto& [size, seconds] : before) EXPECT_NEAR(after.at(size) / seconds, 1, 0.1) << size.value();
}

TEST_F(Loop, ChangesNothingAfterARestartEvenIfTheHistoryIsLost) {
  add("old", falling(0.3));
  run(10);
  add("new", falling(0.001));
  run(20);
  world.actions.clear();
  world.sourceForgot = true;
  restart();
  run(5);
  EXPECT_THAT(world.actions, IsEmpty());
}

TEST_F(Loop, GivesAJobThatNeverExportsALossAFairShareAndSaysSo) {
  add("silent", {.loss = {}, .exportsLoss = false});
  add("b", falling(0.001));
  run(15);
  EXPECT_EQ(world["silent"].workers.desired, Workers(5));
  const auto* condition = find(world["silent"].status.conditions, ConditionType::MetricsAvailable);
  ASSERT_TRUE(condition);
  EXPECT_EQ(condition->status, Truth::False);
  EXPECT_EQ(condition->reason, "NoLoss");
  EXPECT_THAT(condition->message, HasSubstr("slaq_training_loss"));
  EXPECT_THAT(world.events, Contains("silent MetricsUnavailable"));
  EXPECT_EQ(find(world["b"].status.conditions, ConditionType::MetricsAvailable)->status, Truth::True);
}

TEST_F(Loop, SaysThatNoIterationIsCounted) {
  add("still", {.loss = [](double) { return 0.5; }, .coreSecondsPerIteration = 1e9});
  add("counts", falling(0.001));
  const auto reason = [&](const char* job) {
    return find(world[job].status.conditions, ConditionType::ModelFitted)->reason;
  };
  run(5);
  EXPECT_EQ(reason("still"), "TooFewLosses");
  run(10);
  EXPECT_EQ(reason("still"), "NoIterations");
  EXPECT_EQ(find(world["still"].status.conditions, ConditionType::ModelFitted)->message,
            "slaq_training_iterations_total stands at 0; it must grow by 1 with each iteration that is done");
  EXPECT_EQ(reason("counts"), "Fitted");
  EXPECT_TRUE(isHint(*find(world["still"].status.conditions, ConditionType::ModelFitted)));
}

TEST_F(Loop, SaysThatTheIterationsThatAreLeftAreCounted) {
  add("left", {.loss = [](double k) { return k; }, .coreSecondsPerIteration = 1e9});
  std::string told;
  for (int left = 1000; left > 950; --left) {
    world.trainer("left").iteration = left;
    run(1);
    const auto* fitted = find(world["left"].status.conditions, ConditionType::ModelFitted);
    if (fitted->reason != "NoIterations") continue;
    if (told.empty()) told = fitted->message;
    EXPECT_EQ(fitted->message, told) << "it changes with no sample";
  }
  EXPECT_EQ(told,
            "slaq_training_iterations_total goes down; it must count the iterations that are done, not those "
            "that are left");
}

// As by remote write, or with a Prometheus that scrapes as seldom as it does by default.
TEST_F(Loop, SchedulesByLossesThatComeLateOrSeldom) {
  for (const auto& [delay, interval] :
       {std::pair(30, 3), std::pair(0, 30), std::pair(30, 30), std::pair(5, 60)}) {
    world = FakeWorld();
    world.lossDelay = Seconds(delay);
    world.scrapeInterval = Seconds(interval);
    restart();
    add("learns", falling(0.001));
    add("converges", falling(0.3));
    run(120);
    EXPECT_THAT(world.events, Not(Contains("learns MetricsUnavailable"))) << delay << " " << interval;
    EXPECT_GT(world["learns"].workers.desired, Workers(6)) << delay << " " << interval;
    const auto* read = find(world["learns"].status.conditions, ConditionType::MetricsAvailable);
    EXPECT_EQ(read->reason, "LossReported");
    EXPECT_THAT(read->message,
                HasSubstr("samples come " + std::to_string(interval == 3 ? 5 : interval) + " s apart"));
    world.trainer("learns").exportsLoss = false;
    run(120);
    EXPECT_EQ(find(world["learns"].status.conditions, ConditionType::MetricsAvailable)->reason, "LossStale");
  }
}

TEST_F(Loop, KeepsWhatAJobHasWhenItsLossBecomesNan) {
  add("a", falling(0.001));
  add("b", falling(0.3));
  run(15);
  const auto before = world["a"].workers.desired;
  ASSERT_GT(before, Workers(5));
  world.trainer("a").loss = [](double) { return std::nan(""); };
  world.actions.clear();
  run(15);
  EXPECT_EQ(world["a"].workers.desired, before);
  EXPECT_EQ(find(world["a"].status.conditions, ConditionType::MetricsAvailable)->reason, "LossNotFinite");
  EXPECT_THAT(world.actions, IsEmpty());
}

// Its first change was missed, and what is seen flickers: neither makes it worth a core.
TEST_F(Loop, GivesNothingToAJobThatWasOnlySeenConverged) {
  add("flat", {.loss = [](double k) { return 0.605 + 1e-9 * std::sin(k); }, .coreSecondsPerIteration = 0.01});
  add("learns", falling(0.001));
  run(10);
  EXPECT_EQ(world["flat"].workers.desired, Workers(1));
  world.actions.clear();
  run(40);
  EXPECT_THAT(world.actions, IsEmpty());
}

TEST_F(Loop, SchedulesAJobWhoseLossIsNegative) {
  add("a", {.loss = [](double k) { return -100 + 40 * std::exp(-0.001 * k); }});
  add("b", falling(0.3));
  run(20);
  EXPECT_EQ(world["a"].workers.desired, Workers(9));
}

TEST_F(Loop, HoldsTheAllocationWhileTheLossSourceIsDownAndGoesOnAfterwards) {
  add("a", falling(0.3));
  add("b", falling(0.001));
  run(12);
  world.actions.clear();
  world.lossDown = true;
  run(10);
  ASSERT_TRUE(outage);
  EXPECT_THAT(world.actions, IsEmpty());
  EXPECT_EQ(find(world["a"].status.conditions, ConditionType::MetricsAvailable)->reason, "LossSourceDown");
  world.lossDown = false;
  add("c", falling(0.001));
  run(10);
  EXPECT_GT(world["c"].workers.desired, Workers(2));
}

// Such as that of a TrainJob, whose status has it.
TEST_F(Loop, ReadsALossThatTheClusterShowsWithoutASource) {
  add("a", {.loss = {}, .exportsLoss = false});
  world["a"].shownLoss = ShownLoss{.problem = "TrainJob default/a shows no loss"};
  run(15);
  const auto condition = [&] {
    return find(world["a"].status.conditions, ConditionType::MetricsAvailable)->message;
  };
  EXPECT_EQ(condition(), "TrainJob default/a shows no loss");
  world.lossDown = true;
  for (int i = 0; i < 10; ++i) {
    // The clock of the trainer is ahead at first.
    const Time time = world.now() + Seconds(i < 3 ? 600 : 0);
    world["a"].shownLoss = ShownLoss{.sample = LossSample{time, Iterations(5 * i), Loss(std::exp(-0.1 * i))}};
    run(1);
  }
  ASSERT_TRUE(outage) << "of the source of other jobs";
  EXPECT_EQ(condition(), "the loss is read");
  EXPECT_EQ(histories.at(world["a"].job.key).losses.series.size(), 10U);
}

TEST_F(Loop, AsksTheSourceWhereTheClusterShowsNoLoss) {
  add("a", falling(0.01));
  world["a"].shownLoss = ShownLoss{.problem = "TrainJob default/a shows no loss"};
  run(15);
  EXPECT_EQ(find(world["a"].status.conditions, ConditionType::MetricsAvailable)->message, "the loss is read");
}

// The status of a TrainJob that is over stays, and says nothing new after a restart.
TEST_F(Loop, ReadsNoShownLossOfAJobThatIsOver) {
  add("a", {.loss = {}, .exportsLoss = false});
  run(2);
  world["a"].shownLoss = ShownLoss{.sample = LossSample{world.now(), Iterations(3), Loss(0.5)}};
  world["a"].status.state = JobState::Complete;
  world["a"].driver.succeeded = true;
  restart();
  run(3);
  EXPECT_TRUE(histories.at(world["a"].job.key).losses.series.empty());
}

TEST_F(Loop, CarriesNoHistoryOverToANewJobOfTheSameName) {
  add("a", falling(0.3));
  run(10);
  world.remove({"default", "a"});  // and made again before the next epoch sees that it is gone
  add("a", falling(0.001));
  world["a"].job.uid = "another";
  run(1);
  EXPECT_EQ(find(world["a"].status.conditions, ConditionType::ModelFitted)->status, Truth::False);
}

TEST_F(Loop, DoesNotLetAFailingWriteHarmTheOthers) {
  add("a", falling(0.01));
  add("b", falling(0.01));
  world.failures[{"default", "a"}] = {ErrorKind::Forbidden, "no"};
  run(3);
  EXPECT_EQ(world["b"].workers.ready, Workers(5));
}

TEST_F(Loop, StopsAskingAClusterThatDoesNotAnswerUntilTheNextEpoch) {
  for (const char* name : {"a", "b", "c", "d", "e"}) {
    add(name, falling(0.01));
    world.failures[{"default", name}] = {ErrorKind::Transient, "timed out"};
  }
  run(1);
  EXPECT_EQ(world.actions.size(), 3u);
  world.failures.clear();
  run(2);
  EXPECT_EQ(world["e"].workers.ready, Workers(2));
}

TEST_F(Loop, WritesForSomeSecondsAndGoesOnInTheNextEpoch) {
  for (const char* name : {"a", "b", "c", "d", "e"}) add(name, falling(0.01));
  world.eachAction = Seconds(4);
  ASSERT_TRUE(loop->run());
  EXPECT_EQ(world.actions.size(), 3u);
  world.eachAction = Seconds(0);
  run(2);
  EXPECT_EQ(world["e"].workers.ready, Workers(2));
}

TEST_F(Loop, EndsAnEpochsWritesWhenTheProgramIsToStop) {
  for (const char* name : {"a", "b", "c"}) add(name, falling(0.01));
  loop->beforeEachWrite([this] { return world.actions.size() < 2; });
  ASSERT_TRUE(loop->run());
  EXPECT_EQ(world.actions.size(), 2u);
  EXPECT_EQ(world.statusWrites, 0);
}

TEST_F(Loop, WritesStatusRarelyWhenOnlyNumbersMove) {
  add("a", falling(0.001));
  auto& workers = world["a"].job.spec.workers;
  workers.min = workers.max = Workers(2);
  run(10);
  world.statusWrites = 0;
  run(40);  // 120 s
  EXPECT_GE(world.statusWrites, 2);
  EXPECT_LE(world.statusWrites, 5);
}

TEST_F(Loop, SuspendsAJobThatIsScaledToNothing) {
  add("a", falling(0.01));
  run(5);
  world["a"].job.spec.replicas = Workers(0);
  run(2);
  EXPECT_EQ(world["a"].workers.ready, Workers(0));
  EXPECT_EQ(world["a"].status.state, JobState::Suspended);
  EXPECT_EQ(find(world["a"].status.conditions, ConditionType::Suspended)->message, "spec.replicas is 0");
  world["a"].job.spec.replicas.reset();
  run(3);
  EXPECT_EQ(world["a"].workers.ready, Workers(10));
}

TEST_F(Loop, SuspendsAndResumes) {
  add("a", falling(0.01));
  run(5);
  world["a"].job.spec.suspend = true;
  run(2);
  EXPECT_EQ(world["a"].workers.ready, Workers(0));
  EXPECT_EQ(world["a"].status.state, JobState::Suspended);
  world["a"].job.spec.suspend = false;
  run(3);
  EXPECT_EQ(world["a"].workers.ready, Workers(10));
  EXPECT_EQ(world["a"].status.state, JobState::Running);
  EXPECT_EQ(find(world["a"].status.conditions, ConditionType::Suspended)->status, Truth::False);
}

}  // namespace
}  // namespace slaq::loop
