// The kinds of objects that spec.workers.targetRef may name, as values: where their size is, and what else
// slaq reads of them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "job/job.h"

namespace slaq {

// Paths are JSON Pointers. Some objects have several groups of workers, as the elements of a list. There, the
// step "[FIELD]" of a path means the element whose FIELD is the name of the group, as in
// "/spec/workerGroupSpecs/[groupName]/replicas".
struct TargetKind {
  std::string group;
  std::string version;
  std::string kind;
  std::string plural;  // of the objects that are sized
  // The size cannot be changed: slaq counts the cores and shows the loss.
  bool isFixed = false;
  // If the users' objects make those that are sized: the kind of the users' objects. A TrainingJob has the
  // name of one of these.
  std::string maker = {};
  std::string makers = {};        // their plural
  std::string makerState = {};    // in their status: "Complete" or "Failed" once they have ended
  std::string makerResult = {};   // likewise: "SUCCEEDED" if they ended well
  std::string makerMessage = {};  // likewise: why they did not
  // Instead of these three: the type of the condition with which they end well. "Failed" is the other.
  std::string makerComplete = {};
  // In their status: the progress of the training, in the words of Kubeflow Trainer.
  std::string trainerStatus = {};
  // The group and version of the objects that are sized, where their makers have others.
  std::string sizedGroup = {};
  std::string sizedVersion = {};
  std::vector<std::string> sizes;  // the fields that all have the number of workers
  bool hasScale = false;           // it has the subresource scale, through which its size is changed
  std::string pod;                 // the template of a worker's pod
  // Where a worker is a group of pods: the field that has their number, and the template of the first one if
  // it is another one than `pod`.
  std::string podsOfWorker = {};
  std::string firstPod = {};
  std::string active = {};       // in the status: the pods that exist
  std::string ready = {};        // likewise: the pods that are ready
  std::string terminating = {};  // likewise: the pods that are stopping, where the kind says so
  // The status counts the pods of all groups together.
  bool countsAllGroups = false;
  // If Jobs have the pods, the counts above are in the statuses of these Jobs. The first label of a Job has
  // the object's name, the second the group's.
  std::string jobLabel = {};
  std::string jobGroupLabel = {};
  std::string mainGroup = {};       // that a TrainingJob means if it names none
  std::string suspended = {};       // a flag in the spec, where the kind has one
  std::string groupSuspended = {};  // likewise, of one group
  std::string complete = {};        // the type of the condition with which it ends well, where it ends
  std::string min = {};             // the object's own bounds of the size, where it has them
  std::string max = {};
  std::string copies = {};  // a factor of the size, which has to be 1
  std::string mode = {};    // of an Indexed Job, which it has to be
  // Pods beside the workers: the path of the template of one such pod, and the condition that tells that it
  // runs.
  std::vector<std::pair<std::string, std::string>> others = {};
  // Fields that an object must have, and must not have or set to true, each with what is said of an object
  // otherwise.
  std::vector<std::pair<std::string, std::string>> needed = {};
  std::vector<std::pair<std::string, std::string>> refused = {};

  bool operator==(const TargetKind&) const = default;
};

// All kinds that slaq knows by itself, sorted by name.
std::span<const TargetKind> targetKinds();

// The group and version of a kind, such as "apps/v1".
std::string apiVersionOf(const TargetKind& kind);

// True if the job names an object whose number of workers cannot be changed.
bool hasFixedSize(const WorkersSpec& workers);

// The one of that name, such as "Deployment"; nullptr if slaq knows none.
const TargetKind* targetKind(std::string_view kind);

}  // namespace slaq
