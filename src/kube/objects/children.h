// The objects that run a TrainingJob: a headless Service, a Job with the driver, and an elastic Indexed Job
// with the workers. Pure functions from values to JSON text.
#pragma once

#include <rapidjson/document.h>

#include <optional>
#include <string>

#include "job/job.h"
#include "kube/objects/child.h"

namespace slaq::kube::objects {

// The bodies of POST requests. REQUIRES: the job has no violations.
std::string serviceBody(const TrainingJob& job);
// `reportImage` is the image that slaq-report comes from, if spec.loss.from is given. With `isInGroup` the
// pods are members of the job's PodGroup (pod_group.h).
std::string driverBody(const TrainingJob& job, const std::string& reportImage = "", bool isInGroup = false);
// `cpu` is the cores of each worker, if the job scales by CPU. Its pods count as starting.
std::string workersBody(const TrainingJob& job, Workers count, std::optional<Cores> cpu = {},
                        const std::string& reportImage = "", bool isInGroup = false);

// The pod template of a child Job, with all that slaq adds to it. REQUIRES: the job has its templates'
// documents.
rapidjson::Value childTemplate(const TrainingJob& job, Role role, const std::string& reportImage,
                               rapidjson::Document::AllocatorType& allocator);

// The metadata of an object of the job. It has these labels and annotations, which are slaq's own, and those
// that it inherits from the TrainingJob, which owns it.
rapidjson::Value metadataOf(const TrainingJob& job, const std::string& name, rapidjson::Value labels,
                            rapidjson::Value annotations, rapidjson::Document::AllocatorType& allocator);

// The entry of metadata.ownerReferences that makes the job the controller of an object.
rapidjson::Value ownerReferenceTo(const TrainingJob& job, rapidjson::Document::AllocatorType& allocator);

// The desired state of a child Job. Fields that are not set stay as they are.
struct ChildGoal {
  std::optional<bool> suspended;
  std::optional<Workers> count;
  std::optional<Cores> cpu = {};  // of each worker

  bool operator==(const ChildGoal&) const = default;
};

// True if the child's spec already states the goal.
bool reached(const ChildJob& child, const ChildGoal& goal);

// The child as it is once it has reached the goal.
ChildJob applied(ChildJob child, const ChildGoal& goal);

// True if both have the same number of workers, the same cores for each, and both or neither are suspended.
bool sameSize(const ChildJob& a, const ChildJob& b);

// The merge patch that states the goal. The server refuses it if the child was replaced or changed since it
// was read.
std::string patchBody(const ChildJob& child, const ChildGoal& goal);

// The JSON Patch that gives the pods of an existing Job the node selector, tolerations and annotations that
// `body` has, the body of a POST request. Empty if they have them.
std::string placementPatch(const rapidjson::Value& job, const std::string& body);

}  // namespace slaq::kube::objects
