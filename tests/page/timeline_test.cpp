// Timelines of the real loop on a cluster in virtual time.
#include "page/timeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "page/document.h"
#include "page/page.h"
#include "support/fake_world.h"

namespace slaq::page {
namespace {

using slaq::testing::FakeTrainer;
using slaq::testing::FakeWorld;
using slaq::testing::falling;
using slaq::testing::kEpoch;
using slaq::testing::viewOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

class Timeline : public ::testing::Test {
 protected:
  void run(int epochs) {
    for (int i = 0; i < epochs; ++i) {
      ASSERT_TRUE(loop.run());
      world.pass(kEpoch);
    }
  }

  const JobTimeline& job(const std::string& name) { return timeline.jobs().at({"default", name}); }

  // The value of a figure at an epoch.
  static double at(const Steps& steps, std::size_t epoch) {
    double value = 0;
    for (const auto& each : steps.changes()) {
      if (each.epoch <= epoch) value = each.value.value_or(0);
    }
    return value;
  }

  // What a page would get, with another policy's run beside.
  rapidjson::Document document() {
    page::Run run{.policy = "LookAhead", .timeline = timeline};
    run.ends[{"default", "a"}] = {{{50, Seconds(4.5)}, {90, std::nullopt}}, Seconds(60)};
    const auto text = toJson({.title = "run a.yaml", .runs = {run}, .verdict = "It is so."});
    rapidjson::Document parsed;
    EXPECT_FALSE(parsed.Parse(text.c_str()).HasParseError()) << text;
    return parsed;
  }

  FakeWorld world;
  RunTimeline timeline;
  scheduler::Settings settings{.epoch = kEpoch, .capacity = Cores(8000)};
  loop::EpochLoop loop{world, world, world, settings,
                       [this](const loop::EpochReport& report) { timeline.add(momentOf(report)); }};
};

TEST_F(Timeline, HasTheLossesAndTheCoresOfEachEpoch) {
  world.add(viewOf("a"), falling(0.05));
  run(10);
  EXPECT_THAT(timeline.epochs(), SizeIs(10));
  EXPECT_EQ(timeline.epochs()[3], 3 * kEpoch);
  EXPECT_EQ(at(timeline.capacity(), 9), 8);
  const auto& exported = world.trainer("a").exported;
  const auto& seen = exported[exported.size() - 2];  // the newest came after the last epoch
  EXPECT_DOUBLE_EQ(at(job("a").losses, 9), seen.loss.value());
  EXPECT_DOUBLE_EQ(at(job("a").iterations, 9), seen.iteration.value());
  EXPECT_EQ(at(job("a").workers, 9), world["a"].workers.ready.value());
  EXPECT_GT(at(job("a").cores, 9), 0);
}

TEST_F(Timeline, TellsEachChangeOfSizeOnceAndWhy) {
  world.add(viewOf("a"), falling(0.05));
  run(10);
  const auto before = job("a").changes;
  ASSERT_THAT(before, Not(IsEmpty()));
  for (const auto& each : before) EXPECT_THAT(each.text, HasSubstr(":"));
  world.add(viewOf("b"), falling(0.01));
  run(5);
  EXPECT_GT(job("a").changes.size(), before.size());  // it gave some to b
  for (std::size_t i = 1; i < job("a").changes.size(); ++i)
    EXPECT_NE(job("a").changes[i].text, job("a").changes[i - 1].text);
}

TEST_F(Timeline, KeepsForecastsAsTheyWereThen) {
  world.add(viewOf("a"), falling(0.02));
  run(60);
  const auto& outlooks = job("a").outlooks;
  ASSERT_GT(outlooks.size(), 5u);
  EXPECT_LE(outlooks.size(), RunTimeline::kMostOutlooks);
  for (const auto& each : outlooks) {
    ASSERT_GT(each.curve.size(), 2u);
    EXPECT_LT(each.curve.front().time, each.curve.back().time);
    EXPECT_GE(each.curve.front().loss, each.curve.back().loss);
  }
  EXPECT_LT(outlooks.front().curve.front().time, Seconds(60));
  EXPECT_GT(outlooks.back().curve.front().time, Seconds(120));
}

// A metric that is to rise is shown as it is exported.
TEST_F(Timeline, ShowsAnAccuracyAsItIs) {
  auto view = viewOf("a");
  view.job.spec.loss.mode = LossMode::Maximize;
  world.add(view, {.loss = [](double k) { return 1 - 0.9 * std::exp(-0.02 * k); }});
  run(30);
  EXPECT_GT(at(job("a").losses, 29), 0.1);
  ASSERT_THAT(job("a").outlooks, Not(IsEmpty()));
  for (const auto& point : job("a").outlooks.back().curve) EXPECT_GT(point.loss, 0);
  EXPECT_STREQ(document()["runs"][0]["jobs"][0]["mode"].GetString(), "Maximize");
}

TEST_F(Timeline, OfAJobThatIsGoneStays) {
  world.add(viewOf("a"), falling(0.05));
  run(5);
  world.remove({"default", "a"});
  run(2);
  EXPECT_TRUE(job("a").isGone);
  EXPECT_GT(at(job("a").cores, 4), 0);
  EXPECT_EQ(at(job("a").cores, 6), 0);
}

TEST_F(Timeline, OfANewJobOfAnOldNameBeginsAnew) {
  world.add(viewOf("a"), falling(0.05));
  run(5);
  world.remove({"default", "a"});
  run(2);
  auto again = viewOf("a");
  again.job.uid = "another";
  world.add(again, falling(0.05));
  run(3);
  EXPECT_FALSE(job("a").isGone);
  EXPECT_GE(job("a").cores.changes().front().epoch, 7u);
}

TEST_F(Timeline, IsBoundedAndKeepsTheNewestEpochAsItIs) {
  world.add(viewOf("a"), falling(0.001));
  world.add(viewOf("b"), falling(0.002));
  run(2000);
  EXPECT_LE(timeline.epochs().size(), RunTimeline::kMostEpochs);
  EXPECT_GT(timeline.epochs().size(), RunTimeline::kMostEpochs / 3);
  EXPECT_EQ(timeline.epochs().front(), Seconds(0));
  EXPECT_EQ(timeline.epochs().back(), 1999 * kEpoch);
  EXPECT_TRUE(std::ranges::is_sorted(timeline.epochs()));
  const auto& exported = world.trainer("a").exported;
  EXPECT_DOUBLE_EQ(at(job("a").losses, timeline.epochs().size() - 1),
                   exported[exported.size() - 2].loss.value());
  // At each epoch that stayed all jobs have what they had at the same moment.
  for (std::size_t i = 0; i < timeline.epochs().size(); ++i)
    ASSERT_LE(at(job("a").cores, i) + at(job("b").cores, i), 8);
}

// Six hours that were read with a minute between the epochs, and then an hour with looks each two seconds.
TEST(TimelineOfLooks, KeepsWhatWasBeforeHoweverOftenItLooks) {
  RunTimeline looked;
  const auto look = [&](double seconds) {
    looked.add({.time = Time(Seconds(seconds)), .capacity = {}, .price = {}, .jobs = {}});
  };
  for (int i = 0; i < 360; ++i) look(60 * i);
  for (int i = 0; i < 1800; ++i) look(60 * 360 + 2 * i);
  EXPECT_LE(looked.epochs().size(), RunTimeline::kMostEpochs);
  EXPECT_GT(std::ranges::count_if(looked.epochs(), [](Seconds each) { return each < Seconds(60 * 360); }),
            150);
}

TEST_F(Timeline, IsOneDocument) {
  world.add(viewOf("a"), falling(0.05));
  run(10);
  const auto all = document();
  EXPECT_STREQ(all["title"].GetString(), "run a.yaml");
  EXPECT_STREQ(all["verdict"].GetString(), "It is so.");
  const auto& run = all["runs"][0];
  EXPECT_STREQ(run["policy"].GetString(), "LookAhead");
  EXPECT_EQ(run["epochs"].Size(), 10u);
  EXPECT_EQ(run["epochs"][2].GetDouble(), 6);
  const auto& shown = run["jobs"][0];
  EXPECT_STREQ(shown["name"].GetString(), "a");
  EXPECT_STREQ(shown["state"].GetString(), "Complete");  // after the last epoch
  EXPECT_EQ(shown["series"]["losses"]["values"].Size(), shown["series"]["losses"]["epochs"].Size());
  EXPECT_EQ(shown["reductions"][0]["percent"].GetInt(), 50);
  EXPECT_EQ(shown["reductions"][0]["seconds"].GetDouble(), 4.5);
  EXPECT_FALSE(shown["reductions"][1].HasMember("seconds"));
  EXPECT_EQ(shown["completionSeconds"].GetDouble(), 60);
}

TEST(Page, HoldsItsDocumentAsItIs) {
  const Document document{
      .title = "</script><script>alert(1)</script> {{style}} {{script}} {{document}} \\ $&", .runs = {}};
  const auto html = pageWith(toJson(document));
  const auto begin = html.find("id=\"document\">") + 14;
  rapidjson::Document parsed;
  parsed.Parse(html.substr(begin, html.find("</script>", begin) - begin).c_str());
  ASSERT_FALSE(parsed.HasParseError());
  EXPECT_EQ(parsed["title"].GetString(), document.title);
}

TEST(Page, AsksNobodyElse) {
  const auto html = pageWith(toJson({}));
  EXPECT_THAT(html, HasSubstr("default-src 'none'; script-src 'sha256-"));
  EXPECT_THAT(html, Not(HasSubstr("<script src")));
  EXPECT_THAT(html, Not(HasSubstr("<link rel=\"stylesheet\"")));
  EXPECT_THAT(html, HasSubstr("Chart.js v"));  // its notice goes with it
}

}  // namespace
}  // namespace slaq::page
