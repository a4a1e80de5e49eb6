// The figures of a run: what is kept of a loss, and when it was down by how much.
#include "cli/run/loss_record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace slaq::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

LossSample at(double seconds, double loss) {
  return {Time(Seconds(seconds)), Iterations(seconds), Loss(loss)};
}

constexpr double kShares[] = {0.5, 0.9, 0.95};

TEST(TimesToReduction, CountsFromTheStartToTheFirstSampleThatGotSoFar) {
  const std::vector<LossSample> samples = {at(10, 1.0), at(11, 0.6), at(12, 0.5), at(14, 0.1), at(20, 0.0)};
  EXPECT_THAT(run::timesToReduction(samples, LossMode::Minimize, Time(Seconds(8)), kShares),
              ElementsAre(Seconds(4), Seconds(6), Seconds(12)));
}

TEST(TimesToReduction, HoldsForLossesOfAnySize) {
  const std::vector<LossSample> samples = {at(1, -10), at(2, -109), at(3, -110)};
  EXPECT_THAT(run::timesToReduction(samples, LossMode::Minimize, Time(Seconds(0)), kShares),
              ElementsAre(Seconds(2), Seconds(2), Seconds(2)));
}

TEST(TimesToReduction, OfAMetricThatIsToRiseAreThoseOfItsRise) {
  const std::vector<LossSample> samples = {at(10, 0.1), at(11, 0.5), at(12, 0.6), at(14, 0.9), at(20, 1.1)};
  EXPECT_THAT(run::timesToReduction(samples, LossMode::Maximize, Time(Seconds(8)), kShares),
              ElementsAre(Seconds(4), Seconds(12), Seconds(12)));
}

TEST(TimesToReduction, IsNothingWhereTheLossDidNotFall) {
  const auto nothing = std::optional<Seconds>();
  const std::vector<LossSample> cases[] = {
      {}, {at(1, 5)}, {at(1, 5), at(2, 5)}, {at(1, 5), at(2, 1), at(3, 6)}};
  for (const auto& samples : cases) {
    EXPECT_THAT(run::timesToReduction(samples, LossMode::Minimize, Time(), kShares),
                ElementsAre(nothing, nothing, nothing));
  }
}

TEST(LossRecord, IgnoresOverlapsAndWhatIsNoNumber) {
  run::LossRecord record;
  for (const auto& each : {at(1, 5), at(2, 4), at(1, 5), at(2, 4), at(3, NAN), at(4, INFINITY), at(5, 3)}) {
    record.add(each);
  }
  EXPECT_THAT(record.samples(), ElementsAre(at(1, 5), at(2, 4), at(5, 3)));
}

TEST(LossRecord, HasALossOnceHoweverOftenItIsSeen) {
  run::LossRecord record;
  EXPECT_TRUE(record.add({Time(Seconds(1)), Iterations(1), Loss(2)}));
  EXPECT_FALSE(record.add({Time(Seconds(2)), Iterations(1), Loss(2)}));
  EXPECT_TRUE(record.add({Time(Seconds(3)), Iterations(2), Loss(2)}));
  EXPECT_EQ(record.samples().size(), 2u);
}

TEST(LossRecord, StaysBoundedAndKeepsItsEnds) {
  run::LossRecord record;
  for (int i = 0; i < 100'000; ++i) record.add(at(i, 1.0 / (1 + i)));
  EXPECT_LE(record.samples().size(), run::LossRecord::kMost);
  EXPECT_GE(record.samples().size(), run::LossRecord::kMost / 2);
  EXPECT_EQ(record.samples().front(), at(0, 1));
  EXPECT_EQ(record.samples().back().time, Time(Seconds(99'999)));
}

class FixedSource final : public LossSource {
 public:
  Result<LossReport> collect(const std::vector<LossRequest>&, Time) override { return answer; }
  Result<LossReport> answer = LossReport();
};

TEST(RecordingSource, HandsOnAndRemembers) {
  const JobKey job{"default", "a"};
  FixedSource source;
  run::RecordingSource recording(source);
  source.answer = LossReport{{job, {{at(1, 5)}, {}}}};
  EXPECT_EQ(recording.collect({}, Time())->at(job).samples.size(), 1u);
  source.answer = LossReport{{job, {{at(1, 5), at(2, 4)}, {}}}};
  EXPECT_TRUE(recording.collect({}, Time()));
  source.answer = failure(ErrorKind::Transient, "gone");
  EXPECT_FALSE(recording.collect({}, Time()));
  EXPECT_THAT(recording.recordOf(job).samples(), ElementsAre(at(1, 5), at(2, 4)));
  EXPECT_THAT(recording.recordOf({"x", "y"}).samples(), IsEmpty());
}

TEST(RecordingSource, TellsOfEachLossOnceWhenItComes) {
  const JobKey job{"default", "a"};
  FixedSource source;
  std::vector<LossSample> told;
  run::RecordingSource recording(source, [&](const JobKey& key, const LossSample& sample) {
    EXPECT_EQ(key, job);
    told.push_back(sample);
  });
  source.answer = LossReport{{job, {{at(1, 5)}, {}}}};
  EXPECT_TRUE(recording.collect({}, Time()));
  EXPECT_THAT(told, ElementsAre(at(1, 5)));
  source.answer = LossReport{{job, {{at(1, 5), at(2, 4)}, {}}}};
  EXPECT_TRUE(recording.collect({}, Time()));
  EXPECT_THAT(told, ElementsAre(at(1, 5), at(2, 4)));
}

TEST(RecordingSource, RecordsNoSampleThatSchedulingRefuses) {
  const JobKey job{"default", "a"};
  FixedSource source;
  run::RecordingSource recording(source);
  source.answer = LossReport{{job, {{{Time(Seconds(1)), Iterations(-5), Loss(1)}}, {}}}};
  EXPECT_TRUE(recording.collect({}, Time()));
  EXPECT_THAT(recording.recordOf(job).samples(), IsEmpty());
  EXPECT_EQ(recording.problemOf(job), "the trainer exports a number of iterations that is none");
}

TEST(RecordingSource, TellsOfLossesThatAreNoneRatherThanOfTheTimeBeforeThem) {
  const JobKey job{"default", "a"};
  FixedSource source;
  run::RecordingSource recording(source);
  for (int n = 0; n < 3; ++n) {
    source.answer = LossReport{{job, {{}, "not there yet"}}};
    EXPECT_TRUE(recording.collect({}, Time()));
  }
  EXPECT_EQ(recording.unusableOf(job), "");
  source.answer = LossReport{{job, {{{Time(Seconds(1)), Iterations(1), Loss(std::nan(""))}}, {}}}};
  EXPECT_TRUE(recording.collect({}, Time()));
  EXPECT_THAT(recording.problemOf(job), HasSubstr("a loss that is not a finite number"));
  EXPECT_EQ(recording.unusableOf(job), recording.problemOf(job));
}

TEST(RecordingSource, SaysWhyThereIsNoLoss) {
  const JobKey job{"default", "a"};
  FixedSource source;
  run::RecordingSource recording(source);
  EXPECT_EQ(recording.problemOf(job), "");
  for (const char* problem : {"not there yet", "no metric", "no metric", "gone"}) {
    source.answer = LossReport{{job, {{}, problem}}};
    EXPECT_TRUE(recording.collect({}, Time()));
  }
  EXPECT_EQ(recording.problemOf(job), "no metric");
  source.answer = LossReport{{job, {{at(1, 5)}, {}}}};
  EXPECT_TRUE(recording.collect({}, Time()));
  EXPECT_EQ(recording.problemOf(job), "");
}

}  // namespace
}  // namespace slaq::cli
