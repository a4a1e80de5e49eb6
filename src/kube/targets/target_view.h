// Fills the view of a job from its target.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <tuple>

#include "job/view.h"
#include "kube/targets/target.h"

namespace slaq::kube::targets {

// The namespace, apiVersion, kind and name of an object that a TrainingJob names.
using TargetName = std::tuple<std::string, std::string, std::string, std::string>;
// REQUIRES: the job has a target.
TargetName targetNameOf(const TrainingJob& job);

// The TrainingJob that sizes each object: the oldest of those that are not over. If all are over, the oldest
// one shows what the object still holds. A job that is being deleted does not count. The pointers are into
// `view`.
std::map<TargetName, const JobView*> sizingJobs(const ClusterView& view);

WorkersView workersOf(const Target& target, const WorkerGroup& group, const PodCounts& pods);

// The pods of the object that stay as they are count as those of a driver.
DriverView driverOf(const Target& target);

// The maker tells its end also after the object that it made is gone.
void setEnd(JobView& view, const TargetMaker& maker);

// The sizes that both the TrainingJob and the object itself allow; empty if there are none.
std::optional<WorkersSpec> narrowed(WorkersSpec workers, const WorkerGroup& group);

// The object's own bounds, for a message.
std::string boundsOf(const WorkerGroup& group);

}  // namespace slaq::kube::targets
