// What of a pod is refused on one machine.
#include "local/cluster/check_local.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace slaq::local::cluster {
namespace {

constexpr const char* kElsewhere =
    "can't be honoured on one machine; leave it out, or run the job on a cluster";

TrainingJob jobWith(const std::string& podDocument) {
  TrainingJob job;
  job.spec.workers.pod.document = podDocument;
  return job;
}

TEST(CheckLocal, PassesOverWhatMakesNoDifferenceToAProcess) {
  const auto job = jobWith(R"({"metadata": {"labels": {"a": "b"}}, "spec": {"restartPolicy": "Never",
    "containers": [{"name": "main", "image": "x", "imagePullPolicy": "IfNotPresent", "command": ["a"],
      "args": ["b"], "workingDir": "/tmp", "env": [{"name": "A", "value": "1"}],
      "ports": [{"name": "metrics", "containerPort": 9464}], "securityContext": {"allowPrivilegeEscalation": false, "capabilities": {"drop": ["ALL"]}},
      "resources": {"requests": {"cpu": "1", "memory": "1Gi"}, "limits": {"cpu": 2}}}],
    "securityContext": {"runAsNonRoot": true, "seccompProfile": {"type": "RuntimeDefault"}}}})");
  EXPECT_THAT(checkLocal(job), testing::IsEmpty());
}

struct Case {
  std::string podSpec;
  Violation violation;
};

std::string main(const std::string& field) {
  return R"({"containers": [{"name": "main", "command": ["a"], )" + field + "}]}";
}

TEST(CheckLocal, RefusesWhatItCantHonour) {
  const std::string pod = "spec.workers.template.spec.";
  const std::string container = pod + "containers[0].";
  const std::string one = R"("containers": [{"command": ["a"]}])";
  const Case cases[] = {
      {"{" + one + R"(, "volumes": []})", {pod + "volumes", kElsewhere}},
      {"{" + one + R"(, "initContainers": []})", {pod + "initContainers", kElsewhere}},
      {"{" + one + R"(, "hostNetwork": true})", {pod + "hostNetwork", kElsewhere}},
      {"{" + one + R"(, "nodeSelector": {}})", {pod + "nodeSelector", kElsewhere}},
      {R"({"containers": [{"command": ["a"]}, {"command": ["b"]}]})",
       {pod + "containers[1]", "is one container too many for one process"}},
      {R"({"containers": [{"image": "x"}]})",
       {container + "command", "is missing; without an image the program must be named here"}},
      {R"({"containers": [{"command": []}]})",
       {container + "command", "is missing; without an image the program must be named here"}},
      {main(R"("volumeMounts": [])"), {container + "volumeMounts", kElsewhere}},
      {main(R"("securityContext": {"runAsUser": 1000})"),
       {container + "securityContext.runAsUser", kElsewhere}},
      {main(R"("securityContext": {"capabilities": {"add": ["NET_ADMIN"]}})"),
       {container + "securityContext.capabilities.add", kElsewhere}},
      {"{" + one + R"(, "securityContext": {"fsGroup": 1}})", {pod + "securityContext.fsGroup", kElsewhere}},
      {main(R"("envFrom": [])"), {container + "envFrom", kElsewhere}},
      {main(R"("livenessProbe": {})"), {container + "livenessProbe", kElsewhere}},
      {main(R"("env": [{"name": "A", "value": "1"}, {"name": "B", "valueFrom": {}}])"),
       {container + "env[1].valueFrom", kElsewhere}},
      {main(R"("resources": {"requests": {"nvidia.com/gpu": 1}})"),
       {container + "resources.requests[\"nvidia.com/gpu\"]",
        "needs --gpus, such as --gpus 0,1 or --gpus all; with --share-gpu leave it out"}},
      {main(R"("resources": {"claims": []})"), {container + "resources.claims", kElsewhere}},
  };
  for (const auto& [podSpec, violation] : cases) {
    EXPECT_THAT(checkLocal(jobWith("{\"spec\": " + podSpec + "}")), testing::ElementsAre(violation))
        << podSpec;
  }
}

TEST(CheckLocal, RefusesASuspendedJob) {
  auto job = jobWith(R"({"spec": {"containers": [{"command": ["a"]}]}})");
  job.spec.suspend = true;
  EXPECT_THAT(checkLocal(job), testing::ElementsAre(Violation{
                                   "spec.suspend", "must be false: nobody could resume the job here"}));
  job.spec.suspend = false;
  job.spec.replicas = Workers(0);
  EXPECT_THAT(checkLocal(job), testing::ElementsAre(Violation{
                                   "spec.replicas", "must not be 0: nobody could resume the job here"}));
}

TEST(CheckLocal, RefusesQueries) {
  auto job = jobWith(R"({"spec": {"containers": [{"command": ["a"]}]}})");
  job.spec.loss.query = job.spec.loss.iterationQuery = "max(x)";
  EXPECT_THAT(
      checkLocal(job),
      testing::ElementsAre(Violation{
          "spec.loss.query",
          "needs Prometheus, and here the processes are read; give metric and iterationMetric instead"}));
}

TEST(CheckLocal, LooksAtTheDriverToo) {
  auto job = jobWith(R"({"spec": {"containers": [{"command": ["a"]}]}})");
  job.spec.driver.emplace().document = R"({"spec": {"hostPID": true, "containers": [{"command": ["a"]}]}})";
  EXPECT_THAT(checkLocal(job),
              testing::ElementsAre(Violation{"spec.driver.template.spec.hostPID", kElsewhere}));
}

}  // namespace
}  // namespace slaq::local::cluster
