#include "loop/holding.h"

#include <gtest/gtest.h>

#include "support/jobs.h"

namespace slaq::loop {
namespace {

using slaq::testing::run;
using slaq::testing::viewOf;

// Of a job with so many workers of one core, some of which are on their way out.
JobView running(const std::string& name, int active, int terminating = 0) {
  JobView view = viewOf(name);
  run(view, active);
  view.workers.terminating = Workers(terminating);
  return view;
}

ClusterView clusterOf(std::vector<JobView> jobs, Cores leaving = {}) {
  ClusterView view;
  view.jobs = std::move(jobs);
  view.leaving = leaving;
  return view;
}

TEST(Holding, IsTheSameUntilPodsThatWereToldToGoAreGone) {
  const Holding before(clusterOf({running("a", 8)}));
  EXPECT_FALSE(before.isLessIn(clusterOf({running("a", 8)})));
  EXPECT_FALSE(before.isLessIn(clusterOf({running("a", 3, 5)})));
  EXPECT_TRUE(before.isLessIn(clusterOf({running("a", 3, 4)})));
}

TEST(Holding, IsLessAlsoWhereOthersTookMoreMeanwhile) {
  const Holding before(clusterOf({running("a", 8), running("b", 2)}));
  EXPECT_TRUE(before.isLessIn(clusterOf({running("a", 4), running("b", 6), running("c", 4)})));
}

TEST(Holding, CountsTheCoresOfPodsThatAreResizedInPlace) {
  auto large = running("a", 2);
  large.job.spec.workers.scaling = Scaling::CPU;
  large.workers.cpu = CpuView{.asked = Cores(2000), .held = Cores(4000)};
  auto small = large;
  small.workers.cpu = CpuView{.asked = Cores(500), .held = Cores(1000)};
  EXPECT_TRUE(Holding(clusterOf({large})).isLessIn(clusterOf({small})));
  EXPECT_FALSE(Holding(clusterOf({small})).isLessIn(clusterOf({large})));
}

TEST(Holding, FollowsThePodsOfAJobThatIsDeleted) {
  const Holding before(clusterOf({running("a", 4), running("b", 4)}, Cores(1000)));
  EXPECT_FALSE(before.isLessIn(clusterOf({running("b", 4)}, Cores(5000))));
  EXPECT_TRUE(before.isLessIn(clusterOf({running("b", 4)}, Cores(4000))));
}

TEST(Holding, OfNobodyCannotBecomeLess) {
  EXPECT_FALSE(Holding(clusterOf({})).isLessIn(clusterOf({running("a", 4)})));
}

}  // namespace
}  // namespace slaq::loop
