// The kinds of objects that slaq reads and writes through the API server, and their URL paths.
#pragma once

#include <string>
#include <string_view>

namespace slaq::kube::client {

struct Resource {
  std::string_view group;  // empty for the core group
  std::string_view version;
  std::string_view plural;
};

inline constexpr Resource kTrainingJobs{"slaq.io", "v1alpha1", "trainingjobs"};
inline constexpr Resource kJobs{"batch", "v1", "jobs"};
inline constexpr Resource kServices{"", "v1", "services"};
inline constexpr Resource kPods{"", "v1", "pods"};
inline constexpr Resource kConfigMaps{"", "v1", "configmaps"};
inline constexpr Resource kNodes{"", "v1", "nodes"};
inline constexpr Resource kResourceQuotas{"", "v1", "resourcequotas"};
inline constexpr Resource kPodGroups{"scheduling.k8s.io", "v1beta1", "podgroups"};
inline constexpr Resource kEvents{"", "v1", "events"};
inline constexpr Resource kDeployments{"apps", "v1", "deployments"};
inline constexpr Resource kAutoscalers{"autoscaling", "v2", "horizontalpodautoscalers"};
inline constexpr Resource kWorkloads{"kueue.x-k8s.io", "v1beta2", "workloads"};
inline constexpr Resource kClusterQueues{"kueue.x-k8s.io", "v1beta2", "clusterqueues"};
inline constexpr Resource kCohorts{"kueue.x-k8s.io", "v1beta2", "cohorts"};
inline constexpr Resource kLocalQueues{"kueue.x-k8s.io", "v1beta2", "localqueues"};
inline constexpr Resource kResourceFlavors{"kueue.x-k8s.io", "v1beta2", "resourceflavors"};
inline constexpr Resource kWorkloadPriorityClasses{"kueue.x-k8s.io", "v1beta2", "workloadpriorityclasses"};
inline constexpr Resource kTokenReviews{"authentication.k8s.io", "v1", "tokenreviews"};
inline constexpr Resource kSubjectAccessReviews{"authorization.k8s.io", "v1", "subjectaccessreviews"};
inline constexpr Resource kLocalSubjectAccessReviews{"authorization.k8s.io", "v1",
                                                     "localsubjectaccessreviews"};
inline constexpr Resource kLeases{"coordination.k8s.io", "v1", "leases"};

// One object, or a collection if `name` is empty. A collection without a namespace covers all namespaces.
struct Target {
  Resource resource;
  std::string ns;
  std::string name = {};
  std::string_view subresource = {};
};

std::string pathOf(const Target& target);

// Selects objects of a collection by labels and fields. An empty selector takes all.
struct Selector {
  std::string labels;
  std::string fields = {};
};

// The target for error messages: "jobs team-a/logreg-workers".
std::string toString(const Target& target);

// A value for a URL's query: every byte but letters, digits and -._~ is written as %XX.
std::string percentEncoded(std::string_view text);

}  // namespace slaq::kube::client
