// Section 4.3's goals, section 5's token bucket and the capacity that is left, on real pods.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <iostream>
#include <regex>
#include <sstream>

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
std::string otherWork(const std::string& name, const std::string& cpu) {
  return R"(apiVersion: apps/v1
kind: Deployment
metadata: {name: )" +
         name + R"(}
spec:
  selector: {matchLabels: {app: )" +
         name + R"(}}
  template:
    metadata: {labels: {app: )" +
         name + R"(}}
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

  double iterationsOf(const std::string& job) const {
    const std::string pod = cluster().kubectl("get pods -l slaq.io/role=driver,slaq.io/job=" + job +
                                              " -o jsonpath='{.items[0].metadata.name}'");
    const std::string text = cluster().kubectl("get --raw /api/v1/namespaces/" + cluster().ns + "/pods/" +
                                               pod + ":9464/proxy/metrics");
    const std::string metric = "\nslaq_training_iterations_total ";
    const auto at = text.find(metric);
    return at == std::string::npos ? 0 : std::atof(text.c_str() + at + metric.size());
  }

  // Iterations that the job does in some epochs of the controller.
  double paceOf(const std::string& job) const {
    const double before = iterationsOf(job);
    const int first = cluster().epoch();
    EXPECT_TRUE(cluster().within(10, "five epochs pass", [&] { return cluster().epoch() >= first + 5; }));
    return (iterationsOf(job) - before) / (cluster().epoch() - first);
  }
};

TEST_F(Goals, TheCoresOfRunningPodsMoveInPlaceAndTheTrainingFollows) {
  configure("config.capacity.cores=1600m");
  apply(withWorkers(learnsLong("elastic", 1000000),
                    "    minReplicas: 2\n    maxReplicas: 2\n    scaling: CPU\n"
                    "    cpu: {min: 100m, max: 750m}\n"));
  ASSERT_TRUE(cluster().within(60, "it has 1.5 cores", [&] { return limitsOf("elastic") == "750m 750m"; }));
  ASSERT_TRUE(cluster().within(20, "its driver answers",
                               [&] { return !status("elastic", "progress.loss").empty(); }));
  const std::string pods = podsOf("elastic");
  const double fast = paceOf("elastic");

  apply(ofKind(withWorkers(learnsLong("reserved", 1000000), "    minReplicas: 13\n    maxReplicas: 13\n"),
               "Reserved"));
  ASSERT_TRUE(cluster().within(40, "it has 0.2 cores", [&] { return limitsOf("elastic") == "100m 100m"; }));
  const double slow = paceOf("elastic");
  EXPECT_TRUE(cluster().within(20, "the reserved job has all its workers",
                               [&] { return status("reserved", "readyReplicas") == "13"; }));

  cluster().kubectl("delete trainingjob reserved");
  ASSERT_TRUE(
      cluster().within(60, "it has 1.5 cores again", [&] { return limitsOf("elastic") == "750m 750m"; }));
  const double again = paceOf("elastic");
  EXPECT_EQ(podsOf("elastic"), pods) << "the same pods, never restarted";
  std::cout << "iterations an epoch with 1.5, 0.2 and 1.5 cores: " << fast << ", " << slow << ", " << again
            << std::endl;
  EXPECT_GT(fast, 2 * slow);
  EXPECT_GT(again, 2 * slow);
}

TEST_F(Goals, CapacityIsWhatOthersLeaveOfTheNodes) {
  configure("config.capacity.cores=null,config.capacity.automatic=true");
  apply(learnsLong("training", 1000000));
  ASSERT_TRUE(cluster().within(40, "the training has most of the node",
                               [&] { return parallelism("training") >= 12; }));

  const int before = cluster().capacities().rbegin()->second;
  EXPECT_NEAR(cluster().metric("slaq_capacity_cores"), before / 1000.0, 1e-9);
  apply(otherWork("web", "1500m"));
  const int applied = cluster().epoch();
  int less = 0;  // the first epoch in which it is gone
  ASSERT_TRUE(cluster().within(6, "the capacity is less by one core and a half", [&] {
    for (const auto& [epoch, capacity] : cluster().capacities()) {
      if (capacity == before - 1500 && less == 0) less = epoch;
    }
    return less > 0;
  }));
  EXPECT_LE(less, applied + 2);
  std::cout << "capacity " << before << "m -> " << before - 1500 << "m cores, " << less - applied
            << " epochs after the deployment was applied" << std::endl;
  EXPECT_TRUE(cluster().within(20, "the other work runs", [&] {
    return cluster().value("deployment/web", "{.status.readyReplicas}") == "1";
  }));
  cluster().kubectl("delete deployment web");
  EXPECT_TRUE(cluster().within(40, "the training has some of them back",
                               [&] { return parallelism("training") >= 5; }));
}

TEST_F(Goals, AnObserverDecidesAndTouchesNothing) {
  apply(learnsLong("watched", 1000000));
  ASSERT_TRUE(cluster().within(20, "it runs", [&] { return status("watched", "state") == "Running"; }));
  configure("config.mode=Observe");
  const auto generation = cluster().value("job/watched-workers", "{.metadata.generation}");
  apply(learnsLong("ignored", 1000000));
  EXPECT_TRUE(cluster().within(20, "what it would do is said",
                               [&] { return !status("ignored", "decision.reason").empty(); }));
  const int first = cluster().epoch();
  EXPECT_TRUE(cluster().within(10, "five epochs pass", [&] { return cluster().epoch() >= first + 5; }));
  EXPECT_EQ(cluster().value("job/watched-workers", "{.metadata.generation}"), generation);
  EXPECT_EQ(cluster().value("job/ignored-workers", "{.metadata.name}"), "");
}

TEST_F(Goals, ScalingByHandPinsAJobAndZeroSuspendsIt) {
  apply(learnsLong("pinned", 1000000));
  ASSERT_TRUE(cluster().within(30, "it has all it can get", [&] { return parallelism("pinned") >= 7; }));
  cluster().kubectl("scale trainingjob/pinned --replicas=3");
  EXPECT_TRUE(cluster().within(10, "it is pinned", [&] { return parallelism("pinned") == 3; }));
  EXPECT_THAT(status("pinned", "decision.reason"), HasSubstr("pinned"));
  cluster().kubectl("scale trainingjob/pinned --replicas=0");
  EXPECT_TRUE(cluster().within(20, "it is suspended", [&] {
    return status("pinned", "state") == "Suspended" && status("pinned", "replicas") == "0";
  }));
  EXPECT_EQ(condition("pinned", "Suspended", "message"), "spec.replicas is 0");
  cluster().kubectl("patch trainingjob pinned --type=merge -p '{\"spec\":{\"replicas\":null}}'");
  EXPECT_TRUE(cluster().within(40, "it is free", [&] { return parallelism("pinned") >= 5; }));
  // An autoscaler takes a first number for the present one. It has no metrics here, and sets its maximum.
  cluster().kubectl("scale trainingjob/pinned --replicas=4");
  cluster().kubectl("autoscale trainingjob/pinned --min=2 --max=3");
  EXPECT_TRUE(cluster().within(60, "the autoscaler pins it", [&] { return parallelism("pinned") == 3; }));
}

TEST_F(Goals, AJobThatReachedWhatItWasAskedForIsStoppedAndLaterDeleted) {
  std::string job = learnsLong("stopped", 1000000);
  job.replace(job.find("spec:\n  workers"), 15,
              "spec:\n  stop: {maxIterations: 50}\n  ttlSecondsAfterFinished: 10\n  workers");
  apply(job);
  EXPECT_TRUE(cluster().within(
      60, "it is stopped", [&] { return condition("stopped", "Complete", "reason") == "MaxIterations"; }));
  EXPECT_TRUE(cluster().within(30, "nothing is left of it", [&] {
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
    EXPECT_TRUE(cluster().within(150, std::string(job) + " completes", [&] { return complete(job); }));
  }
}

TEST_F(Goals, PeopleAreToldWhy) {
  apply(learnsLong("asked", 1000000));
  ASSERT_TRUE(
      cluster().within(30, "it is forecast", [&] { return condition("asked", "ModelFitted") == "True"; }));
  const std::string told = cluster().slaq("explain asked");
  EXPECT_THAT(told, HasSubstr("asked"));
  EXPECT_THAT(told, HasSubstr(status("asked", "decision.reason").substr(0, 8)));
  EXPECT_THAT(cluster().slaq("top --once"), HasSubstr("asked"));
}

}  // namespace
}  // namespace slaq::e2e
