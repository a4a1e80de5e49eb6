// An object that spec.workers.targetRef names, reduced to what slaq keeps of it.
#pragma once

#include <rapidjson/document.h>

#include <optional>
#include <string>
#include <vector>

#include "job/job.h"
#include "job/target_kind.h"
#include "kube/client/resource.h"
#include "metrics/trainer_status.h"

namespace slaq::kube::targets {

// How many pods of a group there are.
struct PodCounts {
  Workers active;
  Workers ready;
  Workers terminating;
};

// Workers of one template. Most kinds have one group, without a name.
struct WorkerGroup {
  std::string name = {};
  Workers desired = {};
  PodCounts pods = {};              // not where Jobs count them
  std::optional<Workers> min = {};  // the object's own bounds
  std::optional<Workers> max = {};
  bool isFixed = false;                 // the size cannot be changed
  std::vector<std::string> sizes = {};  // JSON Pointers of the fields that have the number of workers
  Cores others = {};                    // of the object's other ready pods, without those that Jobs count
  // Why slaq must not change its size; the end of a sentence that begins with the object's name.
  std::optional<std::string> inelastic = {};
  PodTemplate pod = {};      // of a worker, without its document
  std::string podsJob = {};  // the TrainingJob that the label of its pods names; may be empty
  std::string manager = {};  // the field manager that set its size; empty if it was slaq, or is not recorded
};

struct Target {
  JobKey key;
  std::string name;  // as nameFor() has it
  std::string uid;
  std::string resourceVersion;
  std::string owner = {};  // the uid of the object that controls it
  bool deleting = false;
  bool suspended = false;
  bool complete = false;
  std::optional<std::string> failed = {};  // the reason, where it has failed
  std::vector<WorkerGroup> groups = {};
  std::string mainGroup = {};  // the name of the group that is meant if none is named; may be empty
};

// The objects of this kind that are sized, and those that make them. REQUIRES: the kind outlives the result;
// of the latter, it has makers.
client::Resource sizedResource(const TargetKind& kind);
client::Resource makerResource(const TargetKind& kind);

// The group that a TrainingJob names. If it names none, the only one, or the main one. nullptr if there is no
// such group.
const WorkerGroup* groupOf(const Target& target, const std::string& name);

// The name that TrainingJobs have for an object of this kind: the object's own name, or the name of its maker
// where the kind has one. Empty if an object of the kind's `maker` should have made it and has not.
std::string nameFor(const rapidjson::Value& object, const TargetKind& kind);

// `resource` is the unit of capacity.
Target readTarget(const rapidjson::Value& object, const TargetKind& kind, std::string_view resource);

// A Job that has pods of a target.
struct TargetJob {
  JobKey key;
  std::string uid;
  std::string resourceVersion;
  std::string target;  // the name of the target in the same namespace
  std::string group;
  PodCounts pods;
};

TargetJob readTargetJob(const rapidjson::Value& job, const TargetKind& kind);

// The object of a user that made a target.
struct TargetMaker {
  JobKey key;
  std::string uid;
  std::string resourceVersion;
  bool deleting = false;
  bool complete = false;
  std::optional<std::string> failed = {};  // the reason, where it did not end well
  std::string state = {};                  // in the words of its operator
  // The progress of its training, and when it was told, where it tells any.
  std::optional<metrics::TrainerStatus> trainer = {};
  Time trainerUpdated;
};

TargetMaker readTargetMaker(const rapidjson::Value& object, const TargetKind& kind);

// The JSON Patch (RFC 6902) that gives the group this number of workers, if the target has not changed since
// it was read. If the kind has the subresource scale, the patch is one of that.
std::string sizePatch(const Target& target, const WorkerGroup& group, const TargetKind& kind,
                      Workers workers);

}  // namespace slaq::kube::targets
