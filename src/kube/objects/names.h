// The names of a TrainingJob's children and the address of its chief, all derived from the job's key.
#pragma once

#include <string>

#include "job/job.h"
#include "kube/objects/child.h"

namespace slaq::kube::objects {

inline constexpr int kDefaultDriverPort = 7070;
inline constexpr int kDefaultMetricsPort = 9464;

// "NAME-driver", "NAME-workers". The headless Service has the job's own name.
std::string childName(const std::string& job, Role role);

// The role of the pod that runs the optimizer's loop.
Role chiefRole(const JobSpec& spec);

int driverPort(const JobSpec& spec);
int metricsPort(const JobSpec& spec);

// The chief's stable name in the cluster's DNS: "NAME-driver-0.NAME.NAMESPACE.svc".
std::string chiefHost(const TrainingJob& job);
// The address of the chief's metrics: "host:port".
std::string metricsEndpoint(const TrainingJob& job);

// The selector of a job's worker pods, for the scale subresource.
std::string workerSelector(const std::string& job);

}  // namespace slaq::kube::objects
