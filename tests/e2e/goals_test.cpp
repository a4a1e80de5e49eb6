// Resizes in place, the capacity that others leave, and what people may ask of a job, on real pods.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "end_to_end.h"
#include "manifests.h"

namespace slaq::e2e {
namespace {

using ::testing::HasSubstr;

// The job with other bounds of its workers.
std::string withWorkers(std::string manifest, const std::string& workers) {
  const std::string usual = "    minReplicas: 1\n    maxReplicas: 16\n";
  return manifest.replace(manifest.find(usual), usual.size(), workers);
}

std::string ofKind(std::string manifest, const std::string& scheduling) {
  const std::string spec = "spec:\n  workers";
  return manifest.replace(manifest.find(spec), spec.size(),
                          "spec:\n  scheduling: " + scheduling + "\n  workers");
}

// Something that is no training: a deployment that asks for so much CPU.
std::string otherWork(const std::string& name, const std::string& cpu, const std::string& labels = "") {
  return R"(apiVersion: apps/v1
kind: Deployment
metadata: {name: )" +
         name + R"(}
spec:
  selector: {matchLabels: {app: )" +
         name + R"(}}
  template:
    metadata: {labels: {app: )" +
         name + labels + R"(}}
    spec:
      terminationGracePeriodSeconds: 1
      containers:
        - name: main
          image: slaq-trainer:latest
          imagePullPolicy: IfNotPresent
          securityContext: {runAsNonRoot: true, allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}, seccompProfile: {type: RuntimeDefault}}
          command: [sleep, "1000000"]
          resources: {requests: {cpu: )" +
         cpu + R"(}}
)";
}

class Goals : public EndToEnd {
 protected:
  // Name, uid and restarts of each worker's pod of a job.
  std::string podsOf(const std::string& job) const {
    return cluster().kubectl("get pods -l slaq.io/role=worker,slaq.io/job=" + job +
                             " -o jsonpath='{range .items[*]}{.metadata.name} {.metadata.uid} "
                             "{.status.containerStatuses[0].restartCount}{\"\\n\"}{end}'");
  }

  // The CPU limit that the kubelet really holds each worker of the job to: "750m 750m".
  std::string limitsOf(const std::string& job) const {
    return cluster().kubectl("get pods -l slaq.io/role=worker,slaq.io/job=" + job +
                             " -o jsonpath='{.items[*].status.containerStatuses[0].resources.limits.cpu}'");
  }

  std::string requestsOf(const std::string& job) const {
    return cluster().kubectl("get pods -l slaq.io/role=worker,slaq.io/job=" + job +
                             " -o jsonpath='{.items[*].status.containerStatuses[0].resources.requests.cpu}'");
  }

  double iterationsOf(const std::string& job) const {
    const std::string pod = cluster().kubectl("get pods -l slaq.io/role=driver,slaq.io/job=" + job +
                                              " -o jsonpath='{.items[0].metadata.name}'");
    const std::string text = cluster().kubectl("get --raw /api/v1/namespaces/" + cluster().ns + "/pods/" +
                                               pod + ":9464/proxy/metrics");
    const std::string metric = "\nslaq_training_iterations_total ";
    const auto at = text.find(metric);
    return at == std::string::npos ? 0 : std::atof(text.c_str() + at + metric.size());
  }

  void expectMoreIterationsOf(const std::string& job) const {
    const double before = iterationsOf(job);
    EXPECT_TRUE(cluster().eventually("the training goes on", [&] { return iterationsOf(job) > before; }));
  }
};

TEST_F(Goals, TheCoresOfRunningPodsMoveInPlaceAndTheTrainingGoesOn) {
  configure("config.policy=Fair,config.capacity.cores=1600m");
  apply(withWorkers(learnsLong("elastic", 1000000),
                    "    minReplicas: 2\n    maxReplicas: 2\n    scaling: CPU\n"
                    "    cpu: {min: 100m, max: 750m, ceiling: Hard}\n"));
  ASSERT_TRUE(cluster().eventually("it has 1.5 cores", [&] { return limitsOf("elastic") == "750m 750m"; }));
  ASSERT_TRUE(
      cluster().eventually("its loss was read", [&] { return !status("elastic", "progress.loss").empty(); }));
  const std::string pods = podsOf("elastic");

  apply(ofKind(withWorkers(learnsLong("reserved", 1000000), "    minReplicas: 13\n    maxReplicas: 13\n"),
               "Reserved"));
  ASSERT_TRUE(cluster().eventually("it has 0.2 cores", [&] { return limitsOf("elastic") == "100m 100m"; }));
  expectMoreIterationsOf("elastic");
  EXPECT_TRUE(cluster().eventually("the reserved job has all its workers",
                                   [&] { return status("reserved", "readyReplicas") == "13"; }));

  cluster().kubectl("delete trainingjob reserved");
  ASSERT_TRUE(
      cluster().eventually("it has 1.5 cores again", [&] { return limitsOf("elastic") == "750m 750m"; }));
  expectMoreIterationsOf("elastic");
  EXPECT_EQ(podsOf("elastic"), pods) << "the same pods, never restarted";
}

// With half of what both ask for each has its weight, and may use what the other leaves.
TEST_F(Goals, WhatIsDecidedIsTheRequestAndTheLimitStays) {
  configure("config.policy=Fair,config.capacity.cores=1600m");
  const std::string byCpu =
      "    minReplicas: 1\n    maxReplicas: 1\n    scaling: CPU\n    cpu: {min: 100m, max: 1600m}\n"
      "    start: {cpu: 2}\n";
  apply(withWorkers(learnsLong("weighed", 1000000), byCpu));
  ASSERT_TRUE(
      cluster().eventually("it may use more at its start", [&] { return limitsOf("weighed") == "2"; }));
  ASSERT_TRUE(cluster().eventually("after its first loss it may not", [&] {
    return !status("weighed", "progress.loss").empty() && limitsOf("weighed") == "1600m";
  }));
  EXPECT_EQ(requestsOf("weighed"), "1550m");
  const std::string pods = podsOf("weighed");
  apply(ofKind(withWorkers(learnsLong("reserved", 1000000), "    minReplicas: 13\n    maxReplicas: 13\n"),
               "Reserved"));
  ASSERT_TRUE(cluster().eventually("it asks for little", [&] { return requestsOf("weighed") == "200m"; }))
      << requestsOf("weighed");
  EXPECT_EQ(limitsOf("weighed"), "1600m");
  EXPECT_EQ(podsOf("weighed"), pods) << "the same pods, never restarted";
}

// A shell that counts, in a namespace of restricted pods: neither it nor its image knows slaq.
TEST_F(Goals, TheLossOfAProgramThatOnlyWritesIsRead) {
  configure("config.policy=Fair");
  cluster().kubectl("label namespace " + cluster().ns +
                    " pod-security.kubernetes.io/enforce=restricted --overwrite");
  apply(R"(apiVersion: slaq.io/v1alpha1
kind: TrainingJob
metadata: {name: writes}
spec:
  workers:
    minReplicas: 1
    maxReplicas: 1
    template:
      spec:
        securityContext: {runAsNonRoot: true, seccompProfile: {type: RuntimeDefault}}
        containers:
        - name: main
          image: slaq-trainer:latest
          imagePullPolicy: IfNotPresent
          securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}
          command: [sh, -c]
          args: ["for i in 1 2 3 4 5 6 7 8 9; do echo \"Iteration $i, loss = 0.$((10 - i))\"; sleep 2; done; exit 0"]
          resources: {requests: {cpu: 50m}}
  loss:
    from: {output: {}}
)");
  EXPECT_TRUE(cluster().eventually("its loss is read", [&] {
    const std::string iteration = status("writes", "progress.iteration");
    return !iteration.empty() && std::stoi(iteration) >= 3 &&
           status("writes", "progress.loss") == "0." + std::to_string(10 - std::stoi(iteration));
  }));
  EXPECT_TRUE(cluster().eventually("it completes", [&] { return complete("writes"); }));
  cluster().kubectl("label namespace " + cluster().ns + " pod-security.kubernetes.io/enforce-");
}

TEST_F(Goals, AJobWhoseImageCannotBePulledSaysSoAndGivesItsCoresBack) {
  configure("config.policy=Fair");
  std::string manifest = withWorkers(learnsLong("pull", 1000000), "    minReplicas: 8\n    maxReplicas: 8\n");
  const std::string image = "slaq-trainer:latest";
  for (auto at = manifest.find(image); at != std::string::npos; at = manifest.find(image))
    manifest.replace(at, image.size(), "registry.invalid/none:1");
  apply(manifest);
  EXPECT_TRUE(cluster().eventually("it says why it does not start", [&] {
    const std::string why = condition("pull", "Ready", "message");
    return why.find("the image registry.invalid/none:1 cannot be pulled: ") != std::string::npos;
  }));
  apply(withWorkers(learnsLong("other", 1000000), "    minReplicas: 8\n    maxReplicas: 8\n"));
  EXPECT_TRUE(cluster().eventually("another job has the cores",
                                   [&] { return status("other", "readyReplicas") == "8"; }));
  EXPECT_EQ(status("pull", "state"), "Waiting");
  EXPECT_EQ(status("pull", "replicas"), "0");
}

TEST_F(Goals, CapacityIsWhatOthersLeaveOfTheNodes) {
  configure("config.policy=Fair,config.capacity.cores=null,config.capacity.automatic=true");
  apply(learnsLong("training", 1000000));
  ASSERT_TRUE(cluster().eventually("the training has all that it may have",
                                   [&] { return parallelism("training") == 16; }));

  const double before = cluster().metric("slaq_capacity_cores");
  apply(otherWork("web", "1500m"));
  EXPECT_TRUE(cluster().eventually("the capacity is less by one core and a half", [&] {
    return std::abs(cluster().metric("slaq_capacity_cores") - (before - 1.5)) < 1e-9;
  }));
  EXPECT_TRUE(cluster().eventually("the other work runs", [&] {
    return cluster().value("deployment/web", "{.status.readyReplicas}") == "1";
  }));
  cluster().kubectl("delete deployment web");
  EXPECT_TRUE(
      cluster().eventually("the training has all again", [&] { return parallelism("training") == 16; }));
}

// Their pods count once, as those of the TrainingJob that their label names.
TEST_F(Goals, CapacityHasThePodsOfTargetsInIt) {
  configure(
      "config.policy=Fair,config.capacity.cores=null,config.capacity.automatic=true,"
      "config.targets={Deployment}");
  ASSERT_TRUE(cluster().eventually("the capacity is known",
                                   [&] { return cluster().metric("slaq_capacity_cores") > 0; }));
  ASSERT_TRUE(cluster().epochsPass(2)) << "the pod of the controller before may have counted in the first";
  const double before = cluster().metric("slaq_capacity_cores");
  apply(otherWork("web", "100m", ", slaq.io/job: web"));
  ASSERT_TRUE(cluster().eventually("it is another program's", [&] {
    return std::abs(cluster().metric("slaq_capacity_cores") - (before - 0.1)) < 1e-9;
  }));
  apply(R"(apiVersion: slaq.io/v1alpha1
kind: TrainingJob
metadata: {name: web}
spec:
  scheduling: Fair
  workers:
    minReplicas: 1
    maxReplicas: 4
    targetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
)");
  EXPECT_TRUE(cluster().eventually("it has all that it may have, and the capacity is as before", [&] {
    return status("web", "readyReplicas") == "4" &&
           std::abs(cluster().metric("slaq_capacity_cores") - before) < 1e-9;
  }));
}

TEST_F(Goals, ScalingByHandPinsAJobAndZeroSuspendsIt) {
  configure("config.policy=Fair");
  apply(learnsLong("pinned", 1000000));
  // A core in all, half a tenth for the driver and a tenth for each worker.
  ASSERT_TRUE(cluster().eventually("it has all it can get", [&] { return parallelism("pinned") == 9; }));
  cluster().kubectl("scale trainingjob/pinned --replicas=3");
  EXPECT_TRUE(cluster().eventually("it is pinned, and says so", [&] {
    return parallelism("pinned") == 3 &&
           status("pinned", "decision.reason").find("pinned") != std::string::npos;
  }));
  cluster().kubectl("scale trainingjob/pinned --replicas=0");
  EXPECT_TRUE(cluster().eventually("it is suspended", [&] {
    return status("pinned", "state") == "Suspended" && status("pinned", "replicas") == "0";
  }));
  EXPECT_EQ(condition("pinned", "Suspended", "message"), "spec.replicas is 0");
  cluster().kubectl("patch trainingjob pinned --type=merge -p '{\"spec\":{\"replicas\":null}}'");
  EXPECT_TRUE(cluster().eventually("it is free", [&] { return parallelism("pinned") == 9; }));
  // An autoscaler takes a first number for the present one. It has no metrics here, and sets its maximum.
  cluster().kubectl("scale trainingjob/pinned --replicas=4");
  cluster().kubectl("autoscale trainingjob/pinned --min=2 --max=3");
  EXPECT_TRUE(cluster().eventually("the autoscaler pins it", [&] { return parallelism("pinned") == 3; }));
}

TEST_F(Goals, AJobThatReachedWhatItWasAskedForIsStoppedAndLaterDeleted) {
  std::string job = learnsLong("stopped", 1000000);
  job.replace(job.find("spec:\n  workers"), 15,
              "spec:\n  stop: {maxIterations: 50}\n  ttlSecondsAfterFinished: 10\n  workers");
  apply(job);
  EXPECT_TRUE(cluster().eventually(
      "it is stopped", [&] { return condition("stopped", "Complete", "reason") == "MaxIterations"; }));
  EXPECT_TRUE(cluster().eventually("nothing is left of it", [&] {
    return cluster().kubectl("get trainingjobs,jobs,pods,services -o name").find("stopped") ==
           std::string::npos;
  }));
}

// As a user would: kubectl apply -f.
TEST_F(Goals, TheExamplesOfOneMachineRunHereFromTheSameFiles) {
  configure("config.capacity.cores=1500m");
  const std::string folder = SLAQ_SOURCE_DIR "/examples/";
  for (const char* file :
       {"kmeans", "algorithms/boosted-trees", "algorithms/perceptron-sgd", "algorithms/lda-online"}) {
    cluster().kubectl("apply -f " + folder + file + ".yaml");
  }
  for (const char* job : {"kmeans", "boosted-trees", "perceptron-sgd", "lda-online"}) {
    EXPECT_TRUE(cluster().eventually(std::string(job) + " completes", [&] { return complete(job); }));
  }
}

TEST_F(Goals, PeopleAreToldWhy) {
  apply(learnsLong("asked", 1000000));
  ASSERT_TRUE(
      cluster().eventually("it is forecast", [&] { return condition("asked", "ModelFitted") == "True"; }));
  EXPECT_TRUE(cluster().eventually("it explains the decision", [&] {
    const std::string told = cluster().slaq("explain asked");  // of this moment; the next epoch may change it
    return told.find("asked") != std::string::npos &&
           told.find(status("asked", "decision.reason").substr(0, 8)) != std::string::npos;
  }));
  EXPECT_THAT(cluster().slaq("top --once"), HasSubstr("asked"));
}

}  // namespace
}  // namespace slaq::e2e
