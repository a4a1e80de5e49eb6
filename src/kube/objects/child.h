// The fields of a child Job that slaq keeps: its owner, its spec as last written, and the counts of its
// existing pods. The pods themselves show earlier how many of them are ready (pod_views.h).
#pragma once

#include <rapidjson/document.h>

#include <optional>
#include <string>

#include "job/view.h"

namespace slaq::kube::objects {

inline constexpr const char* kRoleLabel = "slaq.io/role";
inline constexpr const char* kUidLabel = "slaq.io/job-uid";
// An annotation of the workers' Job: the cores of each worker, if the job scales by CPU.
inline constexpr const char* kWorkerCpuAnnotation = "slaq.io/worker-cpu";

enum class Role { Driver, Workers };

// The label's value.
std::string_view name(Role role);

struct ChildJob {
  JobKey key;  // its own
  std::string uid;
  std::string resourceVersion;
  std::string ownerUid;  // of the TrainingJob that controls it; empty if none does
  Role role = Role::Workers;
  bool hasChief = false;  // it runs the chief: the driver, or worker 0 if there is no driver
  bool suspended = false;
  std::optional<std::string> suspendedBy;  // the field manager that suspended it, if that was not slaq
  bool deleting = false;
  Workers parallelism;
  Workers completions;
  Workers active;
  Workers terminating;
  Cores podCores;                  // the cost of one of its pods by its template
  std::optional<Cores> workerCpu;  // the cores that each of its pods is to have, if the job scales by CPU
  Workers done;                    // pods that ended by themselves; they are not made again
  bool isInGroup = false;          // its pods are members of the job's PodGroup
  int failures = 0;
  bool succeeded = false;
  std::optional<std::string> failed;
};

// `resource` is the unit of capacity.
ChildJob readChild(const rapidjson::Value& job, std::string_view resource = "cpu");

// True once the Job succeeded or failed, so that it creates no more pods.
inline bool hasEnded(const ChildJob& child) { return child.succeeded || child.failed.has_value(); }

// True if the end of this Job is the end of the training: the chief's pod ended, or the Job failed.
inline bool endsTraining(const ChildJob& child) {
  return hasEnded(child) && (child.hasChief || child.failed);
}

// The cores of its existing pods, including those that are terminating.
Cores coresHeld(const ChildJob& child);

// The pods that it is to have.
Workers wantedBy(const ChildJob& child);

// The views lack what only the pods show. The Job's counts may be older than its specification and its end.
// So a view has no more active pods than the Job is to have; it counts the others as terminating.
WorkersView workersView(const ChildJob& child);
DriverView driverView(const ChildJob& child);

}  // namespace slaq::kube::objects
