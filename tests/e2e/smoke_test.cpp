// Runs the whole of slaq once, from Helm to the end of a training. A fair share
// changes only with what happens here, and not with how fast a busy machine is.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <fstream>
#include <iterator>
#include <regex>
#include <string>

#include "end_to_end.h"
#include "manifests.h"

namespace slaq::e2e {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class Smoke : public EndToEnd {
 protected:
  int readyReplicas(const std::string& job) const { return std::atoi(status(job, "readyReplicas").c_str()); }

  // examples/logreg.yaml with less data, and going on until it is stopped.
  static std::string example() {
    std::ifstream file(SLAQ_SOURCE_DIR "/examples/logreg.yaml");
    std::string text{std::istreambuf_iterator<char>(file), {}};
    const auto replace = [&](const std::string& from, const std::string& to) {
      text.replace(text.find(from), from.size(), to);
    };
    replace("--rows=600000", "--rows=20000");
    replace("--iterations=2500", "--iterations=1000000");
    replace("--tolerance=1e-7", "--tolerance=0");
    // With CPU limits the training leaves the cluster a part of a small machine.
    for (const std::string cpu : {"200m", "100m"}) {
      const std::string requests = "            requests: {cpu: " + cpu + "}";
      replace(requests, requests + "\n            limits: {cpu: " + cpu + "}");
    }
    return text;
  }
};

TEST_F(Smoke, ATrainingGrowsShrinksSurvivesAKilledControllerAndCompletes) {
  configure("config.policy=Fair,config.epochSeconds=1");
  apply(example());
  // A core in all: a tenth for the driver, and four workers of a fifth.
  ASSERT_TRUE(cluster().eventually("it has all cores", [&] { return readyReplicas("logreg") == 4; }));
  apply(learnsLong("other", 1000000));
  // Half a core each: 100m and two workers of 200m, 50m and four of 100m. The other one has its last worker
  // only when the pods that the first gave up have ended.
  ASSERT_TRUE(cluster().eventually("both have their shares", [&] {
    return readyReplicas("logreg") == 2 && readyReplicas("other") == 4 &&
           !status("logreg", "progress.loss").empty();
  }));

  const auto generations = [&] {
    return cluster().kubectl("get jobs -o jsonpath='{.items[*].metadata.generation}'");
  };
  ASSERT_TRUE(cluster().epochsPass(12));
  const std::string before = generations();
  cluster().kill();
  ASSERT_TRUE(cluster().epochsPass(12));
  EXPECT_THAT(cluster().log(), Not(HasSubstr("event=action")));
  EXPECT_EQ(generations(), before);
  // Far more losses than one a second since it started: they came back from Prometheus.
  const std::regex history("event=history epoch=(\\d+) job=[^ ]*/logreg losses=(\\d+)");
  std::smatch found;
  ASSERT_TRUE(std::regex_search(cluster().log(), found, history));
  EXPECT_GT(std::stoi(found[2]), 5 * std::stoi(found[1]));

  // The page shows what was before it was asked for.
  rapidjson::Document page;
  ASSERT_FALSE(page.Parse(cluster().page().c_str()).HasParseError() || !page.HasMember("runs"));
  const auto& run = page["runs"][0];
  EXPECT_GT(run["epochs"].Size(), 12u);
  ASSERT_EQ(run["jobs"].Size(), 2u);
  EXPECT_STREQ(run["jobs"][0]["name"].GetString(), "logreg");
  EXPECT_GT(run["jobs"][0]["series"]["losses"]["values"].Size(), 12u);

  cluster().kubectl("delete trainingjob other");
  EXPECT_TRUE(cluster().eventually("it has all cores again", [&] { return readyReplicas("logreg") == 4; }));
  cluster().kubectl(
      "patch trainingjob logreg --type=merge -p '{\"spec\":{\"stop\":{\"maxIterations\":10}}}'");
  EXPECT_TRUE(cluster().eventually("it completes", [&] { return complete("logreg"); }));
  EXPECT_EQ(condition("logreg", "Complete", "reason"), "MaxIterations");
  EXPECT_TRUE(cluster().eventually("no pod runs", [&] {
    return cluster().kubectl("get pods --field-selector=status.phase=Running -o name").empty();
  }));
  EXPECT_THAT(cluster().kubectl("get events"), HasSubstr("spec.stop.maxIterations is 10"));
  cluster().kubectl("delete trainingjob logreg");
  EXPECT_TRUE(cluster().eventually("nothing is left", [&] {
    return cluster().kubectl("get jobs,pods,services -l slaq.io/job -o name").empty();
  }));
}

}  // namespace
}  // namespace slaq::e2e
