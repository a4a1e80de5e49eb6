#include "prometheus/reading_plan.h"

#include <gmock/gmock.h>

#include "prometheus/answers.h"

namespace slaq::prom {
namespace {

using test::kNow;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const ReadingTimes kEverySecond{kNow, kNow - Seconds(3), Seconds(1), Seconds(61)};

class ReadingPlanTest : public ::testing::Test {
 protected:
  void add(int count, Seconds age, bool wantsInitial = false, const std::string& ns = "ns") {
    for (int i = 0; i < count; ++i) {
      requests_.push_back({{ns, "job-" + std::to_string(requests_.size())},
                           "uid",
                           kDefaultLossMetric,
                           kDefaultIterationMetric,
                           kNow - age});
      requests_.back().wantsInitial = wantsInitial;
    }
  }
  ReadingPlan plan() const {
    Requests jobs;
    for (const auto& each : requests_) jobs.push_back(&each);
    return planOf(jobs, crowds_, kEverySecond);
  }

  std::vector<LossRequest> requests_;
  Crowds crowds_;
};

TEST_F(ReadingPlanTest, JobsThatWereReadTheLastTimeShareAQuery) {
  add(5000, Seconds(5));
  EXPECT_THAT(plan().together, SizeIs(5000));
  EXPECT_EQ(kEverySecond.reachOf(plan().together), Seconds(6));
}

TEST_F(ReadingPlanTest, FewNewJobsAreAskedForApartAndManyWithAllOthers) {
  add(5000, Seconds(5));
  add(100, Seconds(2), true);
  EXPECT_THAT(plan().fresh, SizeIs(100));
  add(1, Seconds(2), true);
  EXPECT_THAT(plan().fresh, IsEmpty());
  EXPECT_THAT(plan().together, SizeIs(5101));
}

TEST_F(ReadingPlanTest, SilentJobsAreAskedForApartWhereAllOfThemWouldBeTooMuch) {
  add(5000, Seconds(5));
  add(150, Seconds(600));
  EXPECT_THAT(plan().silent, SizeIs(2));
  EXPECT_THAT(plan().silent.back(), SizeIs(50));
  requests_.erase(requests_.begin(), requests_.begin() + 4000);
  EXPECT_THAT(plan().silent, IsEmpty());
  EXPECT_THAT(plan().together, SizeIs(1150));
}

TEST_F(ReadingPlanTest, JobsThatStartAreNotAmongThoseThatAreSilent) {
  add(5000, Seconds(5));
  add(150, Seconds(600), true);
  add(1, Seconds(60), true);
  requests_.back().endpoint = "logreg-driver:9464";
  EXPECT_THAT(plan().silent, SizeIs(2));
  ASSERT_THAT(plan().starting, SizeIs(1));
  EXPECT_EQ(plan().starting.front().front(), &requests_.back());
}

TEST_F(ReadingPlanTest, NeighboursOfCrowdsAreAskedForByNamespace) {
  crowds_.update(*readMatrix(test::answerOf(
                     {{"", {{"namespace", "busy"}, {"slaq_io_job", "crowd"}}, {{1'000'000, "5000"}}}})),
                 {});
  add(10, Seconds(5));
  add(120, Seconds(600), true, "busy");
  EXPECT_THAT(plan().together, SizeIs(10));
  EXPECT_THAT(plan().crowded, SizeIs(2));
  EXPECT_THAT(plan().silent, IsEmpty());
}

TEST_F(ReadingPlanTest, ReadsNoFurtherBackThanTheWindow) {
  add(10, Seconds(600));
  EXPECT_THAT(plan().together, SizeIs(10));
  EXPECT_EQ(kEverySecond.reachOf(plan().together), Seconds(61));
}

}  // namespace
}  // namespace slaq::prom
