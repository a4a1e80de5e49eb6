// What Helm renders of the chart, and what it refuses; no cluster is brought up for these.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
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

const std::string kNeeded = "config.capacity.cores=4";

Output rendered(const std::string& values) {
  return shell("$(" SLAQ_SOURCE_DIR "/tests/rig/rig binaries)/helm template slaq " SLAQ_SOURCE_DIR
               "/charts/slaq --kube-version 1.35.0 --namespace slaq-system --set " +
               values);
}

// Those of the chart's objects that have `text` in them.
std::vector<std::string> objectsWith(const std::string& text, const std::string& values = "") {
  const auto chart = rendered(kNeeded + (values.empty() ? "" : "," + values));
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

TEST(Chart, RefusesMistakesByTheNameOfTheKey) {
  const std::map<std::string, std::string> mistakes = {
      {"replicaCount=3", "'replicaCount' not allowed"},
      {"replicas=two", "at '/replicas': got string, want integer"},
      {"dashbord.enabled=false", "'dashbord' not allowed"},
      {"config.epochSecond=5", "at '/config': additional properties 'epochSecond' not allowed"},
      {"config.policy=Fairr", "at '/config/policy': value must be one of 'LookAhead'"},
      {"config.mode=observe", "at '/config/mode': value must be one of 'Schedule', 'Observe'"},
      {"config.capacity.cores=0", "at '/config/capacity/cores'"},
      {"config.capacity.automatic=true", "can't be given together; remove one of them"},
      {"serviceAccount.create=false", "needs serviceAccount.name"},
      {"metrics.authorize=true", "metrics.authorize needs metrics.tls.secret"},
  };
  for (const auto& [values, sentence] : mistakes) {
    const auto chart = rendered(kNeeded + "," + values);
    EXPECT_NE(chart.code, 0) << values;
    EXPECT_THAT(chart.text, HasSubstr(sentence)) << values;
  }
  EXPECT_THAT(rendered("config.mode=Observe").text, HasSubstr("config.capacity.cores is required"));
}

// `null` takes a value back that an earlier file or flag gave.
TEST(Chart, TakesBackWhatNullIsGivenFor) {
  const auto chart = rendered(kNeeded +
                              ",config.capacity.cores=null,config.capacity.automatic=true"
                              ",config.loss.pods.intervalSeconds=2,config.loss.pods=null");
  ASSERT_EQ(chart.code, 0) << chart.text;
  EXPECT_THAT(chart.text, HasSubstr("    capacity:\n      automatic: true\n      resource: cpu\n"));
  EXPECT_THAT(chart.text, HasSubstr("serverAddress:"));
}

TEST(Chart, GivesThePortsOfTheConfigurationToAllThatNamesThem) {
  const std::string values =
      "config.telemetry.address=0.0.0.0:9999,config.telemetry.probeAddress=0.0.0.0:9998";
  const auto deployments = objectsWith("kind: Deployment", values);
  ASSERT_THAT(deployments, SizeIs(1));
  EXPECT_THAT(deployments[0], HasSubstr("{name: metrics, containerPort: 9999}"));
  EXPECT_THAT(deployments[0], HasSubstr("{name: probes, containerPort: 9998}"));
  const auto services = objectsWith("kind: Service\n", values);
  ASSERT_THAT(services, SizeIs(1));
  EXPECT_THAT(services[0], HasSubstr("port: 9999"));
}

TEST(Chart, GivesTheSourceOfLossesThatWasAskedFor) {
  const auto configurations = objectsWith("kind: ConfigMap", "config.loss.pods.intervalSeconds=2");
  ASSERT_FALSE(configurations.empty());
  EXPECT_THAT(configurations[0], HasSubstr("pods:\n        intervalSeconds: 2"));
  EXPECT_THAT(configurations[0], Not(HasSubstr("prometheus")));
}

TEST(Chart, ScrapesTheControllerLessOftenThanTheTrainings) {
  const auto controller = objectsWith("kind: ServiceMonitor", "serviceMonitor.enabled=true");
  ASSERT_THAT(controller, SizeIs(1));
  EXPECT_THAT(controller[0], HasSubstr("interval: 10s"));
  const auto trainings = objectsWith("kind: PodMonitor", "podMonitor.enabled=true");
  ASSERT_THAT(trainings, SizeIs(1));
  EXPECT_THAT(trainings[0], HasSubstr("interval: 1s"));
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
