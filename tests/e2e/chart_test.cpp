// The rights that the chart gives, as Helm renders them; no cluster is brought up for these.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "shell.h"

namespace slaq::e2e {
namespace {

using ::testing::Each;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

std::vector<std::string> objectsIn(const std::string& text) {
  const std::string between = "\n---\n";
  std::vector<std::string> out;
  std::size_t from = 0;
  for (auto to = text.find(between); to != std::string::npos; to = text.find(between, from)) {
    out.push_back(text.substr(from, to - from));
    from = to + between.size();
  }
  out.push_back(text.substr(from));
  return out;
}

// Those of the chart's objects that have `text` in them.
std::vector<std::string> objectsWith(const std::string& text, const std::string& values = "") {
  const auto chart =
      shell("$(" SLAQ_SOURCE_DIR "/tests/rig/rig binaries)/helm template slaq " SLAQ_SOURCE_DIR
            "/charts/slaq --kube-version 1.35.0 --namespace slaq-system --set config.capacity.cores=4" +
            (values.empty() ? "" : " --set " + values));
  EXPECT_EQ(chart.code, 0) << chart.text;
  auto out = objectsIn(chart.text);
  std::erase_if(out, [&](const std::string& each) { return each.find(text) == std::string::npos; });
  return out;
}

TEST(Chart, GivesTheRightToTheLeaseWhereTheLeaseIs) {
  const std::string leader = "name: slaq-leader\n  namespace: ";
  EXPECT_THAT(objectsWith(leader + "slaq-system\n"), SizeIs(2));
  const auto elsewhere = objectsWith(leader, "config.leaderElection.namespace=team-a");
  EXPECT_THAT(elsewhere, SizeIs(2));
  EXPECT_THAT(elsewhere, Each(HasSubstr(leader + "team-a\n")));
}

TEST(Chart, ScrapesTheControllerLessOftenThanTheTrainings) {
  const auto monitors = objectsWith("kind: PodMonitor", "podMonitor.enabled=true");
  ASSERT_THAT(monitors, SizeIs(2));
  EXPECT_THAT(monitors[0], HasSubstr("interval: 10s"));
  EXPECT_THAT(monitors[1], HasSubstr("interval: 1s"));
}

TEST(Chart, GivesTheRightToNoOtherLease) {
  const auto roles = objectsWith("resources: [leases]");
  ASSERT_THAT(roles, SizeIs(1));
  EXPECT_THAT(roles[0], HasSubstr("resourceNames: [slaq-controller]\n    verbs: [get, patch]"));
  EXPECT_THAT(roles[0], HasSubstr("resources: [leases]\n    verbs: [create]"));
}

TEST(Chart, GivesNoRightToALeaseThatNobodyTakes) {
  EXPECT_THAT(objectsWith("leases", "config.leaderElection.enabled=false"), IsEmpty());
  EXPECT_THAT(objectsWith("slaq-leader", "config.leaderElection.enabled=false"), IsEmpty());
}

TEST(Chart, GivesTheRightToOneConfigMapBesideTheLease) {
  const auto roles = objectsWith("resources: [configmaps]", "config.leaderElection.namespace=team-a");
  ASSERT_THAT(roles, SizeIs(1));
  EXPECT_THAT(roles[0], HasSubstr("namespace: team-a\n"));
  EXPECT_THAT(roles[0], HasSubstr("resourceNames: [slaq-controller-kinds]\n    verbs: [get, patch]"));
}

TEST(Chart, LetsAnObserverWriteNothingButStatusesAndEvents) {
  const auto roles = objectsWith("kind: ClusterRole\nmetadata:\n  name: slaq\n", "config.mode=Observe");
  ASSERT_THAT(roles, SizeIs(1));
  EXPECT_THAT(roles[0], HasSubstr("resources: [jobs]\n    verbs: [list, watch]"));
  EXPECT_THAT(roles[0], HasSubstr("resources: [pods]\n    verbs: [list, watch]"));
  EXPECT_THAT(roles[0], HasSubstr("resources: [trainingjobs/status]\n    verbs: [patch]"));
  EXPECT_THAT(roles[0], Not(HasSubstr("delete")));
}

TEST(Chart, LetsPeopleSeeAndEditTheTrainingJobsOfTheirNamespaces) {
  const auto viewers = objectsWith("aggregate-to-view: \"true\"");
  ASSERT_THAT(viewers, SizeIs(1));
  EXPECT_THAT(viewers[0], HasSubstr("verbs: [get, list, watch]"));
  EXPECT_THAT(objectsWith("aggregate-to-edit: \"true\""), SizeIs(2));
  EXPECT_THAT(objectsWith("aggregate-to-", "crd.install=false"), IsEmpty());
}

}  // namespace
}  // namespace slaq::e2e
