#include "job/target_kind.h"

#include <algorithm>
#include <utility>

namespace slaq {

namespace {

// The clusters of Ray that users make.
TargetKind rayCluster() {
  return {.group = "ray.io",
          .version = "v1",
          .kind = "RayCluster",
          .plural = "rayclusters",
          .sizes = {"/spec/workerGroupSpecs/[groupName]/replicas"},
          .pod = "/spec/workerGroupSpecs/[groupName]/template",
          .active = "/status/availableWorkerReplicas",
          .ready = "/status/readyWorkerReplicas",
          .countsAllGroups = true,
          .suspended = "/spec/suspend",
          .groupSuspended = "/spec/workerGroupSpecs/[groupName]/suspend",
          .min = "/spec/workerGroupSpecs/[groupName]/minReplicas",
          .max = "/spec/workerGroupSpecs/[groupName]/maxReplicas",
          .copies = "/spec/workerGroupSpecs/[groupName]/numOfHosts",
          .others = {{"/spec/headGroupSpec/template", "HeadPodReady"}},
          .refused = {{"/spec/enableInTreeAutoscaling",
                       "has spec.enableInTreeAutoscaling, by which Ray sizes it; set it to false"}}};
}

// The clusters of Ray that RayJobs make.
TargetKind rayJob() {
  TargetKind kind = rayCluster();
  kind.kind = kind.maker = "RayJob";
  kind.makers = "rayjobs";
  kind.makerState = "/status/jobDeploymentStatus";
  kind.makerResult = "/status/jobStatus";
  kind.makerMessage = "/status/message";
  return kind;
}

// Its feature gate ElasticJobSet has to be on. Its status counts Jobs, so the pods are counted by theirs.
TargetKind jobSet() {
  return {.group = "jobset.x-k8s.io",
          .version = "v1alpha2",
          .kind = "JobSet",
          .plural = "jobsets",
          .sizes = {"/spec/replicatedJobs/[name]/template/spec/parallelism",
                    "/spec/replicatedJobs/[name]/template/spec/completions"},
          .pod = "/spec/replicatedJobs/[name]/template/spec/template",
          .active = "/status/active",
          .ready = "/status/ready",
          .terminating = "/status/terminating",
          .jobLabel = "jobset.sigs.k8s.io/jobset-name",
          .jobGroupLabel = "jobset.sigs.k8s.io/replicatedjob-name",
          .suspended = "/spec/suspend",
          .complete = "Completed",
          .copies = "/spec/replicatedJobs/[name]/replicas",
          .mode = "/spec/replicatedJobs/[name]/template/spec/completionMode"};
}

// The JobSets that TrainJobs of Kubeflow Trainer make. The number of nodes of a TrainJob cannot be changed.
TargetKind trainJob() {
  TargetKind kind = jobSet();
  kind.sizedGroup = std::exchange(kind.group, "trainer.kubeflow.org");
  kind.sizedVersion = std::exchange(kind.version, "v1alpha1");
  kind.kind = kind.maker = "TrainJob";
  kind.makers = "trainjobs";
  kind.makerComplete = "Complete";
  kind.trainerStatus = "/status/trainerStatus";
  kind.isFixed = true;
  kind.mainGroup = "node";
  kind.sizes = {"/spec/replicatedJobs/[name]/template/spec/parallelism"};
  kind.mode.clear();  // it need not be elastic
  return kind;
}

const std::vector<TargetKind> kKinds = {
    {.group = "apps",
     .version = "v1",
     .kind = "Deployment",
     .plural = "deployments",
     .sizes = {"/spec/replicas"},
     .hasScale = true,
     .pod = "/spec/template",
     .active = "/status/replicas",
     .ready = "/status/readyReplicas",
     .terminating = "/status/terminatingReplicas"},
    // An Indexed Job whose completions follow its parallelism: an elastic one.
    {.group = "batch",
     .version = "v1",
     .kind = "Job",
     .plural = "jobs",
     .sizes = {"/spec/parallelism", "/spec/completions"},
     .pod = "/spec/template",
     .active = "/status/active",
     .ready = "/status/ready",
     .terminating = "/status/terminating",
     .suspended = "/spec/suspend",
     .complete = "Complete",
     .mode = "/spec/completionMode"},
    jobSet(),
    // A worker is a group of pods, which its status counts as one.
    {.group = "leaderworkerset.x-k8s.io",
     .version = "v1",
     .kind = "LeaderWorkerSet",
     .plural = "leaderworkersets",
     .sizes = {"/spec/replicas"},
     .hasScale = true,
     .pod = "/spec/leaderWorkerTemplate/workerTemplate",
     .podsOfWorker = "/spec/leaderWorkerTemplate/size",
     .firstPod = "/spec/leaderWorkerTemplate/leaderTemplate",
     .active = "/status/replicas",
     .ready = "/status/readyReplicas"},
    {.group = "kubeflow.org",
     .version = "v1",
     .kind = "PyTorchJob",
     .plural = "pytorchjobs",
     .sizes = {"/spec/pytorchReplicaSpecs/Worker/replicas"},
     .hasScale = true,
     .pod = "/spec/pytorchReplicaSpecs/Worker/template",
     .active = "/status/replicaStatuses/Worker/active",
     .ready = "/status/replicaStatuses/Worker/active",
     .suspended = "/spec/runPolicy/suspend",
     .complete = "Succeeded",
     .min = "/spec/elasticPolicy/minReplicas",
     .max = "/spec/elasticPolicy/maxReplicas",
     .needed = {{"/spec/elasticPolicy",
                 "needs spec.elasticPolicy: without it, pods that run are not told of another number"}},
     .refused = {{"/spec/elasticPolicy/metrics",
                  "has spec.elasticPolicy.metrics, by which an autoscaler sizes it; remove them"},
                 {"/spec/pytorchReplicaSpecs/Master",
                  "has a Master, whose cores slaq would not count; an elastic one has workers alone"}}},
    rayCluster(),
    rayJob(),
    {.group = "apps",
     .version = "v1",
     .kind = "StatefulSet",
     .plural = "statefulsets",
     .sizes = {"/spec/replicas"},
     .hasScale = true,
     .pod = "/spec/template",
     .active = "/status/replicas",
     .ready = "/status/readyReplicas"},
    trainJob(),
};

}  // namespace

std::span<const TargetKind> targetKinds() { return kKinds; }

std::string apiVersionOf(const TargetKind& kind) { return kind.group + "/" + kind.version; }

bool hasFixedSize(const WorkersSpec& workers) {
  const TargetKind* kind = workers.target ? targetKind(workers.target->kind) : nullptr;
  return kind && kind->isFixed && apiVersionOf(*kind) == workers.target->apiVersion;
}

const TargetKind* targetKind(std::string_view kind) {
  const auto kinds = targetKinds();
  const auto found = std::ranges::find(kinds, kind, &TargetKind::kind);
  return found == kinds.end() ? nullptr : &*found;
}

}  // namespace slaq
