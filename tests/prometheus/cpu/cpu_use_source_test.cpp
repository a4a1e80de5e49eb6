// The CPU time of pods: what is asked for, what is read of the answer, and how often.
#include "prometheus/cpu/cpu_use_source.h"

#include <gmock/gmock.h>

#include "prometheus/answers.h"
#include "prometheus/recording_client.h"

namespace slaq::prom {
namespace {

using test::answerOf;
using test::kNow;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

LossRequest byCpu(const std::string& name) {
  return {.job = {"ns", name}, .uid = name, .since = kNow, .pods = name + "-workers-"};
}

test::WrittenSeries container(const std::string& pod, const std::string& name, test::Points points) {
  return {kCpuMetric, {{"container", name}, {"namespace", "ns"}, {"pod", pod}}, std::move(points)};
}

// Knows every job, and fails where it is told to.
class LossesOfAll final : public LossSource {
 public:
  explicit LossesOfAll(const bool& fails) : fails_(fails) {}
  Result<LossReport> collect(const std::vector<LossRequest>& jobs, Time) override {
    if (fails_) return failure(ErrorKind::Transient, "it is down");
    LossReport report;
    for (const auto& job : jobs) report[job.job];
    return report;
  }

 private:
  const bool& fails_;
};

class CpuUseSourceTest : public ::testing::Test {
 protected:
  std::optional<CpuUse> useOf(const std::string& name, Time now) {
    return source_.collect({byCpu("a"), byCpu("b")}, now).value().at({"ns", name}).cpuUsed;
  }

  bool isDown_ = false;
  int status_ = 200;
  std::string text_ = answerOf({container("a-workers-0-abcde", "main", {{999'990, "1.5"}, {999'995, "4"}}),
                                container("a-workers-0-abcde", "log", {{999'994, "0.25"}}),
                                // A second scrape of the same kubelet.
                                container("a-workers-0-abcde", "main", {{999'995, "4"}}),
                                container("a-workers-0-abcde", "", {{999'993, "4"}}),
                                container("a-workers-1-fghij", "", {{999'996, "2"}}),
                                container("a-workers-1-workers-0-klmno", "main", {{999'999, "100"}}),
                                container("a-workers", "main", {{999'999, "100"}})});
  std::vector<http::HttpRequest> asked_;
  test::RecordingClient::Answer answer_ = [this](const http::HttpRequest&) {
    return http::HttpResponse{status_, text_, {}};
  };
  CpuUseSource source_{CpuUseOptions{.pathPrefix = "/prefix", .headers = {{"X-Scope-OrgID", "team"}}},
                       std::make_unique<LossesOfAll>(isDown_),
                       std::make_unique<test::RecordingClient>(asked_, answer_)};
};

// A pod is counted by its containers, as a whole, or both.
TEST_F(CpuUseSourceTest, AddsUpAJobsPods) {
  EXPECT_EQ(useOf("a", kNow), (CpuUse{Time(Seconds(999'996)), Seconds(6.25)}));
  EXPECT_EQ(asked_.at(0).path, "/prefix/api/v1/query");
  EXPECT_EQ(asked_.at(0).headers.at("X-Scope-OrgID"), "team");
  EXPECT_THAT(asked_.at(0).body, HasSubstr(kCpuMetric));
  EXPECT_THAT(asked_.at(0).body, HasSubstr("a-workers-%5B0-9%5D"));
}

TEST_F(CpuUseSourceTest, KnowsNothingOfAJobWithoutSuchSeries) { EXPECT_EQ(useOf("b", kNow), std::nullopt); }

TEST_F(CpuUseSourceTest, AsksNothingForOtherJobs) {
  auto other = byCpu("a");
  other.pods.clear();
  EXPECT_THAT(source_.collect({other}, kNow).value(), SizeIs(1));
  EXPECT_THAT(asked_, IsEmpty());
}

TEST_F(CpuUseSourceTest, AsksNoMoreOftenThanTheKubeletCounts) {
  EXPECT_TRUE(useOf("a", kNow));
  EXPECT_FALSE(useOf("a", kNow + Seconds(3)));
  EXPECT_TRUE(useOf("a", kNow + Seconds(5)));
  EXPECT_TRUE(useOf("a", kNow - Seconds(3600))) << "the clock was set back";
}

TEST_F(CpuUseSourceTest, LeavesAServerAloneForAWhileThatDoesNotAnswer) {
  status_ = 503;
  EXPECT_FALSE(useOf("a", kNow));
  status_ = 200;
  EXPECT_FALSE(useOf("a", kNow + Seconds(30)));
  EXPECT_TRUE(useOf("a", kNow + Seconds(60)));
}

TEST_F(CpuUseSourceTest, PassesOnThatTheOtherFails) {
  isDown_ = true;
  EXPECT_EQ(source_.collect({byCpu("a")}, kNow).error().message, "it is down");
  EXPECT_THAT(asked_, IsEmpty());
}

TEST_F(CpuUseSourceTest, AsksForSomeJobsAfterTheOthers) {
  std::vector<LossRequest> jobs;
  for (int i = 0; i < 150; ++i) jobs.push_back(byCpu("j" + std::to_string(i)));
  ASSERT_TRUE(source_.collect(jobs, kNow));
  ASSERT_TRUE(source_.collect(jobs, kNow + Seconds(5)));
  EXPECT_THAT(asked_.at(0).body, HasSubstr("j0-workers"));
  EXPECT_THAT(asked_.at(0).body, Not(HasSubstr("j149-workers")));
  EXPECT_THAT(asked_.at(1).body, HasSubstr("j149-workers"));
}

}  // namespace
}  // namespace slaq::prom
