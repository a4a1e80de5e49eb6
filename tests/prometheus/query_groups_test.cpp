#include "prometheus/query_groups.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <deque>

namespace slaq::prom {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

class QueryGroups : public ::testing::Test {
 protected:
  LossRequest& add(const std::string& name, Seconds age) {
    LossRequest& job = jobs_.emplace_back();
    job.job = {"ns", name};
    members_.push_back({&job, age});
    return job;
  }
  void addMany(int count, Seconds age) {
    for (int i = 0; i < count; ++i) add("job-" + std::to_string(i), age);
  }
  std::vector<Requests> groups() const { return groupsOf(members_); }
  Seconds ageOf(const LossRequest* job) const {
    return std::ranges::find(members_, job, &GroupMember::job)->age;
  }

  std::deque<LossRequest> jobs_;
  std::vector<GroupMember> members_;
};

TEST_F(QueryGroups, HoldEachJobOnceInItsOrder) {
  addMany(450, Seconds(2));
  Requests together;
  for (const auto& group : groups()) {
    EXPECT_THAT(group, SizeIs(::testing::Le(200u)));
    together.insert(together.end(), group.begin(), group.end());
  }
  ASSERT_THAT(together, SizeIs(450));
  for (std::size_t i = 0; i < together.size(); ++i) EXPECT_EQ(together[i], members_[i].job);
}

TEST_F(QueryGroups, HoldJobsOfSimilarAgeTheYoungestFirst) {
  for (int i = 0; i < 1000; ++i) add("job-" + std::to_string(i), Seconds(60 + i * 100));
  EXPECT_THAT(groups(), SizeIs(::testing::Le(15u))) << "few requests for all jobs";
  Seconds before{0};
  for (const auto& group : groups()) {
    const auto [youngest, oldest] =
        std::ranges::minmax(group, {}, [&](const auto* job) { return ageOf(job); });
    EXPECT_LE(ageOf(oldest) / ageOf(youngest), 4);
    EXPECT_LE(before, ageOf(youngest));
    before = ageOf(oldest);
  }
}

TEST_F(QueryGroups, HoldJobsThatWantTheirInitialLossApart) {
  addMany(3, Seconds(2));
  add("fresh", Seconds(2)).wantsInitial = true;
  EXPECT_THAT(groups(), ElementsAre(SizeIs(1), SizeIs(3)));
}

TEST_F(QueryGroups, AreNoLargerThanTheirMembersAllow) {
  addMany(200, Seconds(2));
  for (int i = 0; i < 100; ++i) members_[2 * i].mostJobs = 50;
  EXPECT_THAT(groups(), ElementsAre(SizeIs(50), SizeIs(50), SizeIs(100)));
}

constexpr Time kFailed{Seconds(1e9)};

TEST(GroupSize, IsHalfTheFailedOneAndGrowsByTheMinute) {
  GroupSize size;
  size.failed(200, kFailed);
  EXPECT_EQ(size.jobs(), 100u);
  size.failed(40, kFailed);
  EXPECT_EQ(size.jobs(), 20u);
  size.answered(kFailed + Seconds(59));
  EXPECT_EQ(size.jobs(), 20u);
  Time now = kFailed;
  for (const std::size_t jobs : {40u, 80u, 160u, 200u, 200u}) {
    size.answered(now += Seconds(61));
    size.answered(now + Seconds(1));
    EXPECT_EQ(size.jobs(), jobs);
  }
}

// However seldom it is asked for.
TEST(GroupSize, DoesNotGrowWithoutAnAnswer) {
  GroupSize size;
  Time now = kFailed;
  for (const std::size_t jobs : {100u, 50u, 25u, 12u, 6u, 3u, 1u, 1u}) {
    size.failed(size.jobs(), now += Seconds(600));
    EXPECT_EQ(size.jobs(), jobs);
  }
}

}  // namespace
}  // namespace slaq::prom
