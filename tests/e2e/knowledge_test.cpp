// slaq remembers what trainings of a kind did, and reads losses where there is no Prometheus.
#include <gtest/gtest.h>

#include "end_to_end.h"
#include "manifests.h"

namespace slaq::e2e {
namespace {

TEST_F(EndToEnd, AKilledControllerStillKnowsWhatTrainingsOfAKindDid) {
  const auto ofKind = [](std::string manifest, const std::string& name) {
    const std::string kind = "slaq.io/kind: " + name;
    return manifest.replace(manifest.find(kind), kind.size(), "slaq.io/kind: seen-before");
  };
  // Long enough that its losses are read however busy the machine is.
  apply(ofKind(convergesSoon("first", 2000), "first"));
  ASSERT_TRUE(cluster().eventually("it ends", [&] { return status("first", "state") == "Complete"; }));
  ASSERT_TRUE(cluster().eventually("what it showed is kept", [&] {
    return cluster().kubectl("get configmaps -A -o yaml").find("seen-before") != std::string::npos;
  })) << cluster().log();
  cluster().kill();
  apply(ofKind(convergesSoon("second", 1000000), "second"));
  EXPECT_TRUE(cluster().eventually("it is expected to do what the first did", [&] {
    return status("second", "kind.trainings") == "1";
  })) << cluster().log();
}

TEST_F(EndToEnd, WithoutPrometheusThePodsAreScrapedDirectly) {
  configure("config.loss.prometheus=null,config.loss.pods.intervalSeconds=1");
  apply(convergesSoon("scraped", 1000000));
  EXPECT_TRUE(cluster().eventually("its loss is read", [&] {
    return condition("scraped", "ModelFitted") == "True" &&
           condition("scraped", "MetricsAvailable") == "True";
  }));
  cluster().kubectl(
      "patch trainingjob scraped --type=merge -p '{\"spec\":{\"stop\":{\"maxIterations\":10}}}'");
  EXPECT_TRUE(cluster().eventually("it completes", [&] { return complete("scraped"); }));
}

}  // namespace
}  // namespace slaq::e2e
