// The main job on real pods: cores go to the jobs that still learn.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>

#include "end_to_end.h"
#include "manifests.h"
#include "shell.h"

namespace slaq::e2e {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST_F(EndToEnd, ConvergedJobsGiveTheirCoresUpAndAllComplete) {
  const std::string ns = cluster().ns + "/";
  // With how many workers a job starts hangs on what is known of others.
  cluster().forgetTrainings();
  apply(convergesSoon("first", 15000));
  ASSERT_TRUE(cluster().within(60, "first has converged", [&] {
    return condition("first", "ModelFitted") == "True" &&
           status("first", "progress.loss").starts_with("0.605");
  }));
  const int all = parallelism("first");
  ASSERT_GE(all, 7);

  apply(learnsLong("second", 2000));
  ASSERT_TRUE(
      cluster().within(10, "second starts", [&] { return epochOf("start " + ns + "second", 1) > 0; }));
  const int arrival = cluster().arrivalOf("second");
  const int shrunk = epochOf("scale " + ns + "first from " + std::to_string(all) + " to", arrival);
  EXPECT_GT(shrunk, 0);
  EXPECT_LE(shrunk, arrival + 2) << cluster().log();
  std::cout << "first gave cores up " << shrunk - arrival << " epochs after the arrival of second"
            << std::endl;
  // The last of them would gain less elsewhere than another resize costs.
  // The log tells it: when second is over soon, first has them back before anybody looks.
  const std::string scaled = "scale " + ns + "first from ";
  EXPECT_TRUE(cluster().within(40, "first has given most of them up", [&] {
    return std::ranges::any_of(cluster().actions(), [&](const auto& action) {
      return action.epoch >= arrival && action.text.starts_with(scaled) &&
             4 * std::atoi(action.text.c_str() + action.text.find(" to ") + 4) <= all;
    });
  }));

  apply(learnsLong("third", 500));
  for (const char* job : {"second", "third", "first"}) {
    EXPECT_TRUE(cluster().within(200, std::string(job) + " completes", [&] { return complete(job); }));
  }
  EXPECT_TRUE(cluster().within(10, "no worker is left", [&] {
    return cluster()
        .kubectl("get pods -l slaq.io/role=worker --field-selector=status.phase=Running -o name")
        .empty();
  }));
  EXPECT_THAT(cluster().kubectl("get trainingjobs"), HasSubstr("Complete"));
  EXPECT_THAT(cluster().kubectl("get events"), HasSubstr("the training is over"));
}

TEST_F(EndToEnd, DeletingATrainingJobLeavesNothingOfIt) {
  apply(learnsLong("gone", 100000));
  ASSERT_TRUE(cluster().within(20, "it runs", [&] { return status("gone", "state") == "Running"; }));
  cluster().kubectl("delete trainingjob gone");
  EXPECT_TRUE(cluster().within(15, "nothing is left", [&] {
    return cluster().kubectl("get jobs,pods,services -l slaq.io/job=gone -o name").empty() &&
           cluster().kubectl("get trainingjobs,services -o name").empty();
  }));
}

TEST_F(EndToEnd, AKilledControllerComesBackWithItsHistoryAndChangesNothing) {
  // How fast real iterations are on a busy machine changes from minute to minute, and what LookAhead decides
  // with it (the tests of the loop restart that one); a fair share changes only if the restart changes it.
  configure("config.policy=Fair");
  apply(convergesSoon("done", 1000000));
  apply(learnsLong("learns", 1000000));
  ASSERT_TRUE(cluster().within(100, "both have their share, and some losses were seen", [&] {
    return std::atoi(status("done", "readyReplicas").c_str()) >= 4 &&
           std::atoi(status("learns", "readyReplicas").c_str()) >= 4 && cluster().epoch() >= 12;
  })) << cluster().log();
  const auto generation = cluster().value("job/learns-workers", "{.metadata.generation}");
  const auto shown = cluster().log() + cluster().kubectl("get trainingjobs -o yaml");

  cluster().kill();
  ASSERT_TRUE(
      cluster().within(20, "twelve epochs after the restart", [&] { return cluster().epoch() >= 12; }));
  EXPECT_THAT(cluster().log(), Not(HasSubstr("event=action")))
      << shown << cluster().kubectl("get trainingjobs -o yaml");
  EXPECT_EQ(cluster().value("job/learns-workers", "{.metadata.generation}"), generation);
  // Far more losses than it can have seen in so many epochs: they came back from Prometheus.
  EXPECT_THAT(cluster().log(),
              ::testing::ContainsRegex("event=history epoch=[12] job=[^ ]*/learns losses=[1-9][0-9]"));
}

TEST_F(EndToEnd, AKilledControllerStillKnowsWhatTrainingsOfAKindDid) {
  const auto ofKind = [](std::string manifest, const std::string& name) {
    const std::string kind = "slaq.io/kind: " + name;
    return manifest.replace(manifest.find(kind), kind.size(), "slaq.io/kind: seen-before");
  };
  // Long enough that its losses are read however busy the machine is.
  apply(ofKind(convergesSoon("first", 2000), "first"));
  ASSERT_TRUE(cluster().within(120, "it ends", [&] { return status("first", "state") == "Complete"; }));
  ASSERT_TRUE(cluster().within(30, "what it showed is kept", [&] {
    return cluster().kubectl("get configmaps -A -o yaml").find("seen-before") != std::string::npos;
  })) << cluster().log();
  cluster().kill();
  apply(ofKind(convergesSoon("second", 1000000), "second"));
  EXPECT_TRUE(cluster().within(40, "it is expected to do what the first did", [&] {
    return status("second", "kind.trainings") == "1";
  })) << cluster().log();
}

TEST_F(EndToEnd, TheServerRefusesBadManifestsWithASentence) {
  const auto refused = [&](const std::string& manifest) {
    const auto output =
        shell(SLAQ_SOURCE_DIR "/tests/rig/rig kubectl -n " + cluster().ns + " apply -f -", manifest);
    EXPECT_NE(output.code, 0) << manifest;
    return output.text;
  };
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string manifest = learnsLong("bad", 10);
    return manifest.replace(manifest.find(from), from.size(), to);
  };
  EXPECT_THAT(refused(with("minReplicas: 1", "minReplicas: 17")), HasSubstr("maxReplicas"));
  EXPECT_THAT(refused(with("minReplicas: 1", "minReplicas: 0")), HasSubstr("minReplicas"));
  EXPECT_THAT(refused(with("requests: {cpu: 100m}, limits: {cpu: 100m}", "")), HasSubstr("CPU"));
  EXPECT_THAT(refused(with("name: bad", "name: a-name-of-more-than-forty-five-characters-is-long")),
              HasSubstr("45"));
  EXPECT_THAT(refused(with("spec:\n  workers", "spec:\n  weight: 0\n  workers")), HasSubstr("weight"));
}

TEST_F(EndToEnd, TheTemplateOfAJobCannotBeChanged) {
  apply(learnsLong("fixed", 100000));
  std::string changed = learnsLong("fixed", 100000);
  const std::string limits = "limits: {cpu: 100m}";
  changed.replace(changed.find(limits), limits.size(), "limits: {cpu: 200m}");
  const auto output =
      shell(SLAQ_SOURCE_DIR "/tests/rig/rig kubectl -n " + cluster().ns + " apply -f -", changed);
  EXPECT_NE(output.code, 0);
  EXPECT_THAT(output.text, HasSubstr("delete the job and create it again"));
}

TEST_F(EndToEnd, AJobWithoutALossGetsAFairShareAndSaysSo) {
  std::string silent = learnsLong("silent", 10);
  const std::string driver = "command: [slaq-trainer]\n            args: [driver";
  silent.replace(silent.find(driver), driver.size(), "command: [sleep]\n            args: ['1000000'] #");
  apply(silent);
  // Its loss is never finite, its driver fails again and again: a bad neighbour.
  apply(trainingJob("nan",
                    "--algorithm, linear-regression, --rows, '20000', --features, '20', --noise, '1e300', "
                    "--tolerance, '0', --iterations, '100000'"));
  apply(learnsLong("good", 100000));
  EXPECT_TRUE(cluster().within(40, "the silent job's condition says so",
                               [&] { return condition("silent", "MetricsAvailable") == "False"; }));
  EXPECT_THAT(condition("silent", "MetricsAvailable", "message"), HasSubstr("slaq_training_loss"));
  EXPECT_GE(parallelism("silent"), 2);
  EXPECT_TRUE(cluster().within(20, "the good job is forecast", [&] {
    return condition("good", "ModelFitted") == "True" && condition("good", "MetricsAvailable") == "True";
  }));
}

TEST_F(EndToEnd, WithoutPrometheusThePodsAreScrapedDirectly) {
  configure("config.loss.prometheus=null,config.loss.pods.intervalSeconds=1");
  apply(convergesSoon("scraped", 3000));
  EXPECT_TRUE(cluster().within(40, "its loss is read", [&] {
    return condition("scraped", "ModelFitted") == "True" &&
           condition("scraped", "MetricsAvailable") == "True";
  }));
  EXPECT_TRUE(cluster().within(100, "it completes", [&] { return complete("scraped"); }));
}

}  // namespace
}  // namespace slaq::e2e
