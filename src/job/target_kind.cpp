#include "job/target_kind.h"

#include <algorithm>

namespace slaq {

namespace {

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
     .complete = "Complete"},
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
     .needed = {{"/spec/elasticPolicy",
                 "needs spec.elasticPolicy: without it, pods that run are not told of another number"}},
     .refused = {{"/spec/elasticPolicy/metrics",
                  "has spec.elasticPolicy.metrics, by which an autoscaler sizes it; remove them"},
                 {"/spec/pytorchReplicaSpecs/Master",
                  "has a Master, whose cores slaq would not count; an elastic one has workers alone"}}},
    {.group = "apps",
     .version = "v1",
     .kind = "StatefulSet",
     .plural = "statefulsets",
     .sizes = {"/spec/replicas"},
     .hasScale = true,
     .pod = "/spec/template",
     .active = "/status/replicas",
     .ready = "/status/readyReplicas"},
};

}  // namespace

std::span<const TargetKind> targetKinds() { return kKinds; }

std::string apiVersionOf(const TargetKind& kind) {
  return std::string(kind.group) + "/" + std::string(kind.version);
}

const TargetKind* targetKind(std::string_view kind) {
  const auto kinds = targetKinds();
  const auto found = std::ranges::find(kinds, kind, &TargetKind::kind);
  return found == kinds.end() ? nullptr : &*found;
}

}  // namespace slaq
