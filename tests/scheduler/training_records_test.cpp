#include "scheduler/runtime/training_records.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "scheduler/state/record.h"
#include "scheduler/world.h"

namespace slaq::scheduler {
namespace {

using slaq::testing::at;
using slaq::testing::run;
using slaq::testing::viewOf;
using slaq::testing::World;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(TrainingRecords, KeepTheNewestOfEachKind) {
  TrainingRecords records;
  for (int n = 1; n <= 7; ++n) records.add("resnet", {.iterations = static_cast<double>(n)});
  EXPECT_EQ(records.count("resnet"), 7);
  EXPECT_EQ(records.count("bert"), 0);
  const auto changed = records.changed();
  ASSERT_EQ(changed.size(), 1u);
  EXPECT_EQ(changed[0].newest.size(), TrainingRecords::kMostOfAKind);
  EXPECT_EQ(changed[0].newest.back().iterations, 7);
  records.setKept();
  EXPECT_THAT(records.changed(), IsEmpty());
}

TEST(TrainingRecords, ForgetTheKindOfWhichNoneEndedForLongest) {
  TrainingRecords records;
  records.restore(std::vector<KindRecord>{{.kind = "old", .trainings = 3, .newest = {{}}}});
  for (std::size_t n = 0; n < TrainingRecords::kMostKinds; ++n) records.add(std::to_string(n), {});
  EXPECT_EQ(records.count("old"), 0);
  EXPECT_EQ(records.count("0"), 1);
  const auto changed = records.changed();
  const auto old = std::ranges::find(changed, "old", &KindRecord::kind);
  ASSERT_NE(old, changed.end());
  EXPECT_THAT(old->newest, IsEmpty());
}

// They come in the order of their keys in a ConfigMap.
TEST(TrainingRecords, AreForgottenByTheirAgeAlsoAfterARestart) {
  TrainingRecords records;
  records.restore(std::vector<KindRecord>{{.kind = "a", .trainings = 1, .newest = {{.ended = 3}}},
                                          {.kind = "b", .trainings = 1, .newest = {{.ended = 1}}},
                                          {.kind = "c", .trainings = 1, .newest = {{.ended = 2}}}});
  for (std::size_t n = 0; n + 2 < TrainingRecords::kMostKinds; ++n) records.add(std::to_string(n), {});
  EXPECT_EQ(records.count("b"), 0);
  EXPECT_EQ(records.count("c"), 1);
  records.add("another", {});
  EXPECT_EQ(records.count("c"), 0);
  EXPECT_EQ(records.count("a"), 1);
}

TEST(TrainingRecords, ThatWereKeptAreOlderThanThoseAddedMeanwhile) {
  TrainingRecords records;
  records.add("resnet", {.iterations = 3});
  records.restore(std::vector<KindRecord>{
      {.kind = "resnet", .trainings = 8, .newest = {{.iterations = 1}, {.iterations = 2}}}});
  EXPECT_EQ(records.count("resnet"), 9);
  EXPECT_THAT(records.changed()[0].newest,
              ElementsAre(TrainingRecord{.iterations = 1}, TrainingRecord{.iterations = 2},
                          TrainingRecord{.iterations = 3}));
}

TEST(TrainingRecords, CountATrainingOnce) {
  TrainingRecords records;
  records.add("resnet", {.iterations = 3, .uid = "a"});
  records.add("resnet", {.iterations = 4, .uid = "a"});
  EXPECT_EQ(records.count("resnet"), 1);
  records.restore(
      std::vector<KindRecord>{{.kind = "resnet",
                               .trainings = 2,
                               .newest = {{.iterations = 1, .uid = "b"}, {.iterations = 3, .uid = "a"}}}});
  EXPECT_EQ(records.count("resnet"), 2);
  EXPECT_THAT(records.changed()[0].newest, ElementsAre(TrainingRecord{.iterations = 1, .uid = "b"},
                                                       TrainingRecord{.iterations = 4, .uid = "a"}));
}

// Two iterations a second with 4 workers; its loss falls like exp(-k / 10).
TEST(TrainingRecord, TellsANewProcessWhatTheTrainingShowed) {
  World world(Cores(8000));
  run(world.add(viewOf("a", 1, 4)), 4);
  world.learned(0, 0.1);
  JobHistory& shown = world.historyOf(0);
  shown.kind = "resnet";
  Peers before;
  const auto earlier = forecast::makePredictor("Ensemble", forecast::defaultConstants());
  updatePeersAtEnd(shown, at(100), *earlier, before);
  ASSERT_EQ(before.records.count("resnet"), 1);

  const auto predictor = forecast::makePredictor("Ensemble", forecast::defaultConstants());
  Peers after;
  const auto record = before.records.changed()[0].newest[0];
  teach("resnet", record, *predictor, after);
  JobHistory next{.uid = "next"};
  next.kind = "resnet";
  expect(next, world.specOf(0), *predictor, after);
  EXPECT_NEAR(next.runtime.speed()->at(4), 2, 0.1);
  EXPECT_NEAR(*next.expected.length, 40, 2);
  JobHistory stranger;
  expect(stranger, world.specOf(0), *predictor, after);
  // A third of this training was enough for what all others need longer for.
  EXPECT_LT(next.losses.model->curveToDecideBy().at(20), stranger.losses.model->curveToDecideBy().at(20));
  EXPECT_FALSE(stranger.expected.length);
}

TEST(TrainingRecord, TellsWhatAChangeCosts) {
  const auto predictor = forecast::makePredictor("Ensemble", forecast::defaultConstants());
  Peers peers;
  teach("resnet", {.growPause = Seconds(30), .lost = Seconds(90)}, *predictor, peers);
  EXPECT_EQ(peers.pauses.expected("resnet").ofKind.grow, Seconds(30));
  EXPECT_EQ(peers.pauses.expected("resnet").ofKind.lost, Seconds(90));
  EXPECT_FALSE(peers.pauses.expected("resnet").ofKind.shrink);
}

TEST(StatusOfAJob, TellsANewProcessWhatTheJobShowed) {
  const auto predictor = forecast::makePredictor("Ensemble", forecast::defaultConstants());
  const JobSpec spec = viewOf("a", 1, 8).job.spec;
  JobHistory history;
  expect(history, spec, *predictor, {});
  restore(history, {.speeds = {{Workers(2), Seconds(4), true},
                               {Workers(4), Seconds(3), true},
                               {Workers(8), Seconds(1), false},
                               {Workers(6), Seconds(NAN), true}},
                    .resizeCost = ResizeCost{.grow = Seconds(30), .lost = Seconds(90)}});
  EXPECT_NEAR(1 / history.runtime.speed()->at(2), 4, 0.2);
  EXPECT_NEAR(1 / history.runtime.speed()->at(4), 3, 0.2);
  EXPECT_TRUE(history.runtime.isMeasured());
  EXPECT_EQ(history.runtime.measured().size(), 2u);
  EXPECT_EQ(history.pauses.grow(), Seconds(30));
  EXPECT_FALSE(history.pauses.shrink());
  EXPECT_EQ(history.pauses.lost(), Seconds(90));
}

TEST(StatusOfAJob, TellsOfOneSizeAlone) {
  const auto predictor = forecast::makePredictor("Ensemble", forecast::defaultConstants());
  JobHistory history;
  expect(history, viewOf("a", 1, 8).job.spec, *predictor, {});
  restore(history, {.speeds = {{Workers(4), Seconds(3), true}}});
  EXPECT_NEAR(1 / history.runtime.speed()->at(4), 3, 1e-9);
}

TEST(TrainingRecord, IsShortHoweverLongTheTraining) {
  JobHistory history;
  for (int k = 0; k < 5000; ++k) history.losses.series.add(Iterations(k), Loss(1 / (1.0 + k)));
  const auto record = recordOf(history, 5000, at(0));
  EXPECT_LE(record.losses.size(), 24u);
  EXPECT_EQ(record.losses.front().iteration, 0);
  EXPECT_EQ(record.losses.back().iteration, 4999);
}

}  // namespace
}  // namespace slaq::scheduler
