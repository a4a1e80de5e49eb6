#include "kube/objects/names.h"

namespace slaq::kube::objects {

std::string childName(const std::string& job, Role role) {
  return job + (role == Role::Driver ? "-driver" : "-workers");
}

Role chiefRole(const JobSpec& spec) { return spec.driver ? Role::Driver : Role::Workers; }

int driverPort(const JobSpec& spec) { return portOf(chiefOf(spec), "driver").value_or(kDefaultDriverPort); }

int metricsPort(const JobSpec& spec) {
  return portOf(chiefOf(spec), "metrics").value_or(kDefaultMetricsPort);
}

std::string chiefHost(const TrainingJob& job) {
  const auto& [ns, name] = job.key;
  return childName(name, chiefRole(job.spec)) + "-0." + name + "." + ns + ".svc";
}

std::string metricsEndpoint(const TrainingJob& job) {
  return chiefHost(job) + ":" + std::to_string(metricsPort(job.spec));
}

std::string workerSelector(const std::string& job) {
  return std::string(kJobLabel) + "=" + job + "," + kRoleLabel + "=" + std::string(name(Role::Workers));
}

}  // namespace slaq::kube::objects
