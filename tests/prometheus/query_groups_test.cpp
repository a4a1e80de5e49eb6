#include "prometheus/query_groups.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <deque>

namespace slaq::prom {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

constexpr Time kLater{Seconds(1e9)};

class QueryGroups : public ::testing::Test {
 protected:
  LossRequest& add(const std::string& name, Seconds age) {
    LossRequest& job = jobs_.emplace_back();
    job.job = {"ns", name};
    job.since = kLater - age;
    return job;
  }
  void addMany(int count, Seconds age) {
    for (int i = 0; i < count; ++i) add("job-" + std::to_string(i), age);
  }
  Requests all() const {
    Requests all;
    for (const auto& job : jobs_) all.push_back(&job);
    return all;
  }
  std::vector<Requests> groups(Seconds later = {}) const { return groupsOf(all(), sizes_, kLater + later); }

  GroupSizes sizes_;
  std::deque<LossRequest> jobs_;
};

TEST_F(QueryGroups, HoldEachJobOnceInItsOrder) {
  addMany(450, Seconds(2));
  Requests together;
  for (const auto& group : groups()) {
    EXPECT_THAT(group, SizeIs(::testing::Le(200u)));
    together.insert(together.end(), group.begin(), group.end());
  }
  EXPECT_EQ(together, all());
}

TEST_F(QueryGroups, HoldJobsOfSimilarAgeTheYoungestFirst) {
  for (int i = 0; i < 1000; ++i) add("job-" + std::to_string(i), Seconds(60 + i * 100));
  EXPECT_THAT(groups(), SizeIs(::testing::Le(15u))) << "few requests for all jobs";
  Seconds before{0};
  for (const auto& group : groups()) {
    const auto [youngest, oldest] =
        std::ranges::minmax(group, {}, [](const auto* job) { return kLater - job->since; });
    EXPECT_LE((kLater - oldest->since) / (kLater - youngest->since), 4);
    EXPECT_LE(before / 4, kLater - youngest->since);
    before = kLater - oldest->since;
  }
}

TEST_F(QueryGroups, HoldJobsThatWantTheirInitialLossApart) {
  addMany(3, Seconds(2));
  add("fresh", Seconds(2)).wantsInitial = true;
  EXPECT_THAT(groups(), ElementsAre(SizeIs(1), SizeIs(3)));
}

TEST_F(QueryGroups, AreHalfAsLargeAfterAFailureAndGrowAgainByTheMinute) {
  addMany(200, Seconds(2));
  sizes_.failed(all(), kLater);
  EXPECT_THAT(groups(), ElementsAre(SizeIs(100), SizeIs(100)));
  sizes_.failed(groups()[1], kLater + Seconds(3));
  EXPECT_THAT(groups(Seconds(3)), ElementsAre(SizeIs(50), SizeIs(50), SizeIs(100)));
  EXPECT_THAT(groups(Seconds(59)), SizeIs(3));
  EXPECT_THAT(groups(Seconds(64)), ElementsAre(SizeIs(100), SizeIs(100)));
  EXPECT_THAT(groups(Seconds(124)), ElementsAre(SizeIs(200)));
}

TEST_F(QueryGroups, OneJobIsAskedForAloneInTheEnd) {
  addMany(200, Seconds(2));
  for (int failures = 0; failures < 20; ++failures) sizes_.failed(groups()[0], kLater);
  EXPECT_THAT(groups()[0], SizeIs(1));
}

}  // namespace
}  // namespace slaq::prom
