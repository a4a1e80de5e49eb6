// The other controllers of a cluster that could change the size of slaq's jobs, or keep them from running:
// what is read of them, and the findings about them.
#pragma once

#include "cli/check/findings.h"
#include "cli/check/observed.h"
#include "kube/client/api.h"

namespace slaq::cli::check {

inline constexpr const char* kKueueGroup = "kueue.x-k8s.io";  // the API group that a cluster with Kueue has

// Reads Kueue's configuration. `version` is a version of its API that the cluster has, such as "v1beta2".
Result<Kueue> readKueue(kube::client::Api& api, const std::string& version);

// The HorizontalPodAutoscalers whose target is a TrainingJob, or an object that one of the jobs names. KEDA
// makes such autoscalers too. An empty `ns` is all namespaces.
Result<std::vector<Autoscaler>> readAutoscalers(kube::client::Api& api, const std::string& ns,
                                                const std::vector<kube::objects::StoredJob>& jobs);

// Tries a change of the size of a running job's workers, without making it. Empty if no job has two workers
// or more, and where this user may not change Jobs. Invalid: the API server refuses such changes.
std::optional<Result<void>> tryResize(http::HttpClient& http, kube::client::Api& api,
                                      const std::vector<kube::objects::StoredJob>& jobs);

// The findings about each of them that was read. Pure.
std::vector<Finding> otherControllerFindings(const Observed& observed);

}  // namespace slaq::cli::check
