#include "kube/objects/child.h"

#include <algorithm>

#include "kube/json/json_fields.h"
#include "kube/json/metadata.h"
#include "kube/pods/pod_cores.h"

namespace slaq::kube::objects {
namespace {

using json::at;
using json::boolAt;
using json::conditionMessage;
using json::controllerOf;
using json::intAt;
using json::isBeingDeleted;
using json::keyOf;
using json::resourceVersionOf;
using json::stringAt;
using json::uidOf;

// The server counts from 0 on; sums and products rely on it.
Workers workersAt(const rapidjson::Value& job, std::initializer_list<std::string_view> path) {
  return Workers(std::max(0, intAt(job, path)));
}

std::optional<std::string> suspenderOf(const rapidjson::Value& job) {
  const std::string manager = json::otherManagerOf(job, "/spec/suspend");
  return manager.empty() ? std::nullopt : std::optional(printable(manager));
}

// The group has the name of their TrainingJob. Another one is the user's.
bool areInGroup(const rapidjson::Value& job) {
  const std::string group = stringAt(job, {"spec", "template", "spec", "schedulingGroup", "podGroupName"});
  return !group.empty() && group == stringAt(job, {"metadata", "labels", kJobLabel});
}

}  // namespace

std::string_view name(Role role) { return role == Role::Driver ? "driver" : "worker"; }

Cores coresHeld(const ChildJob& child) { return child.podCores * (child.active + child.terminating); }

Workers wantedBy(const ChildJob& child) {
  return child.suspended || hasEnded(child) ? Workers(0) : child.parallelism;
}

ChildJob readChild(const rapidjson::Value& job, std::string_view resource) {
  ChildJob out;
  out.key = keyOf(job);
  out.uid = uidOf(job);
  out.resourceVersion = resourceVersionOf(job);
  out.ownerUid = controllerOf(job);
  const bool driver = stringAt(job, {"metadata", "labels", kRoleLabel}) == name(Role::Driver);
  out.role = driver ? Role::Driver : Role::Workers;
  out.hasChief = driver || at(job, {"spec", "successPolicy"}) != nullptr;
  out.suspended = boolAt(job, {"spec", "suspend"});
  if (out.suspended) out.suspendedBy = suspenderOf(job);
  out.deleting = isBeingDeleted(job);
  out.parallelism = workersAt(job, {"spec", "parallelism"});
  out.completions = workersAt(job, {"spec", "completions"});
  out.active = workersAt(job, {"status", "active"});
  out.terminating = workersAt(job, {"status", "terminating"});
  if (const auto* pod = at(job, {"spec", "template"})) out.podCores = pods::effectiveCores(*pod, resource);
  const auto cpu = parseCores(stringAt(job, {"metadata", "annotations", kWorkerCpuAnnotation}));
  if (cpu && *cpu > Cores()) out.workerCpu = *cpu;
  out.done = workersAt(job, {"status", "succeeded"});
  out.isInGroup = areInGroup(job);
  out.failures = intAt(job, {"status", "failed"});
  out.succeeded = conditionMessage(job, "Complete") || conditionMessage(job, "SuccessCriteriaMet");
  out.failed = conditionMessage(job, "Failed");
  return out;
}

WorkersView workersView(const ChildJob& child) {
  WorkersView out;
  out.exists = true;
  out.suspended = child.suspended;
  out.suspendedBy = child.suspendedBy;
  out.desired = child.parallelism;
  out.active = std::min(child.active, wantedBy(child));
  out.terminating = child.terminating + child.active - out.active;
  out.succeeded = child.succeeded;
  out.failed = child.failed;
  return out;
}

DriverView driverView(const ChildJob& child) {
  DriverView out;
  out.exists = true;
  out.suspended = child.suspended;
  out.active = child.active > Workers(0);
  out.terminating = child.terminating > Workers(0);
  out.succeeded = child.succeeded;
  out.failures = child.failures;
  out.failed = child.failed;
  return out;
}

}  // namespace slaq::kube::objects
