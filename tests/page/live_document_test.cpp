// What readers of runs that go on are told.
#include "page/live_document.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "support/fake_world.h"

namespace slaq::page {
namespace {

using slaq::testing::FakeWorld;
using slaq::testing::falling;
using slaq::testing::kEpoch;
using slaq::testing::viewOf;

class Live : public ::testing::Test {
 protected:
  void run(int epochs) {
    for (int i = 0; i < epochs; ++i) {
      ASSERT_TRUE(loop.run());
      world.pass(kEpoch);
    }
  }

  // What that reader is told next, which is something.
  rapidjson::Document next(Cursor& reader) {
    rapidjson::Document parsed;
    const auto text = document.after(reader);
    EXPECT_TRUE(text.has_value());
    EXPECT_FALSE(parsed.Parse(text.value_or("null").c_str()).HasParseError());
    return parsed;
  }

  FakeWorld world;
  LiveDocument document{"run", "cpu"};
  scheduler::Settings settings{.epoch = kEpoch, .capacity = Cores(8000)};
  loop::EpochLoop loop{world, world, world, settings,
                       [this](const loop::EpochReport& report) { document.add(momentOf(report)); }};
};

TEST_F(Live, ReadersAreToldWhatEachDoesNotHaveYet) {
  document.beginRun("LookAhead");
  world.add(viewOf("a"), falling(0.02));
  run(3);
  Cursor first, second, third;
  const auto whole = document.after(first);
  EXPECT_EQ(document.after(second), whole);
  run(2);
  const auto part = document.after(first);
  EXPECT_NE(part, whole);
  EXPECT_EQ(document.after(second), part);
  EXPECT_EQ(next(third)["runs"][0]["epochs"].Size(), 5u);
  run(1);
  EXPECT_EQ(document.after(third), document.after(first));
}

TEST_F(Live, ReaderIsToldAllAtFirstAndThenWhatIsNew) {
  document.beginRun("LookAhead");
  world.add(viewOf("a"), falling(0.02));
  run(5);
  Cursor reader;
  const auto all = next(reader);
  EXPECT_EQ(all["runs"][0]["epochs"].Size(), 5u);
  EXPECT_EQ(document.after(reader), std::nullopt);
  run(2);
  const auto part = next(reader);
  ASSERT_TRUE(part.HasMember("part"));
  EXPECT_EQ(part["part"]["epochs"].Size(), 2u);
  EXPECT_EQ(part["part"]["epochs"][0].GetDouble(), 15);
  const auto& job = part["part"]["jobs"][0];
  for (const auto& each : job["series"]["losses"]["epochs"].GetArray()) EXPECT_GE(each.GetUint(), 5u);
  EXPECT_STREQ(job["state"].GetString(), "Running");
  EXPECT_EQ(document.after(reader), std::nullopt);
}

// A reader that came late is told the same as one that followed from the beginning.
TEST_F(Live, PartsAddUpToTheWhole) {
  document.beginRun("LookAhead");
  world.add(viewOf("a"), falling(0.02));
  Cursor reader, late;
  std::vector<double> epochs, losses;
  const auto take = [&](const rapidjson::Value& run) {
    for (const auto& each : run["epochs"].GetArray()) epochs.push_back(each.GetDouble());
    if (run["jobs"].Empty()) return;
    for (const auto& each : run["jobs"][0]["series"]["losses"]["values"].GetArray())
      losses.push_back(each.GetDouble());
  };
  take(next(reader)["runs"][0]);
  for (int i = 0; i < 20; ++i) {
    run(1 + i % 3);
    take(next(reader)["part"]);
  }
  const auto whole = next(late);
  const std::vector told{std::move(epochs), std::move(losses)};
  epochs.clear();
  losses.clear();
  take(whole["runs"][0]);
  EXPECT_EQ(told, (std::vector{epochs, losses}));
}

TEST_F(Live, ReaderIsToldAllAgainWhenAPartWouldNotDo) {
  document.beginRun("LookAhead");
  world.add(viewOf("a"), falling(0.001));
  Cursor reader;
  run(1);
  next(reader);
  run(static_cast<int>(RunTimeline::kMostEpochs));  // epochs are counted anew
  EXPECT_TRUE(next(reader).HasMember("runs"));
  document.endRun({{{"default", "a"}, {{{90, Seconds(3)}}, Seconds(9)}}});
  EXPECT_TRUE(next(reader).HasMember("runs"));
  document.beginRun("Fair");
  EXPECT_EQ(next(reader)["runs"].Size(), 2u);
  document.end("They are the same.");
  EXPECT_STREQ(next(reader)["verdict"].GetString(), "They are the same.");
}

TEST_F(Live, PartHasNothingOfJobsThatWereGoneBefore) {
  document.beginRun("LookAhead");
  world.add(viewOf("a"), falling(0.02));
  world.add(viewOf("b"), falling(0.02));
  Cursor reader;
  run(3);
  next(reader);
  world.remove({"default", "a"});
  run(1);
  EXPECT_EQ(next(reader)["part"]["jobs"].Size(), 2u);  // that it has gone is news
  run(1);
  EXPECT_EQ(next(reader)["part"]["jobs"].Size(), 1u);
}

// A job that waits holds nothing before it goes, and nothing after.
TEST_F(Live, PartSaysThatAJobHasGoneThatHeldNothing) {
  document.beginRun("LookAhead");
  auto waits = viewOf("waits");
  waits.job.spec.suspend = true;
  world.add(waits, falling(0.02));
  Cursor reader;
  run(3);
  next(reader);
  world.remove({"default", "waits"});
  run(1);
  const auto part = next(reader);
  ASSERT_EQ(part["part"]["jobs"].Size(), 1u);
  EXPECT_TRUE(part["part"]["jobs"][0]["gone"].GetBool());
}

}  // namespace
}  // namespace slaq::page
