#include "kube/pods/pod.h"

#include <algorithm>
#include <charconv>

#include "kube/json/json_fields.h"
#include "kube/json/metadata.h"
#include "kube/pods/pod_cores.h"

namespace slaq::kube::pods {
namespace {

using json::at;
using json::conditionOf;
using json::controllerOf;
using json::intAt;
using json::isBeingDeleted;
using json::stringAt;
using json::timeAt;

using rapidjson::Value;

constexpr const char* kIndexAnnotation = "batch.kubernetes.io/job-completion-index";
constexpr int kSigkillExit = 137;
constexpr int kSigtermExit = 143;
constexpr const char* kOomKilled = "OOMKilled";
// Kubernetes writes this into a pod that names no terminationGracePeriodSeconds.
constexpr int kGracePeriod = 30;
constexpr const char* kErrImagePull = "ErrImagePull";

bool holds(const Value* condition) { return condition && stringAt(*condition, {"status"}) == "True"; }

const Value* unschedulable(const Value& pod) {
  const auto* scheduled = conditionOf(pod, "PodScheduled");
  const std::string reason = scheduled ? stringAt(*scheduled, {"reason"}) : "";
  const bool none = scheduled && stringAt(*scheduled, {"status"}) == "False" &&
                    (reason == "Unschedulable" || reason == "SchedulerError");
  return none ? scheduled : nullptr;
}

int indexOf(const Value& pod) {
  const std::string text = stringAt(pod, {"metadata", "annotations", kIndexAnnotation});
  int index = -1;
  std::from_chars(text.data(), text.data() + text.size(), index);
  return index;
}

// The statuses of a pod's containers, in the order in which they start.
std::vector<const Value*> containerStatusesOf(const Value& pod) {
  std::vector<const Value*> out;
  for (const char* list : {"initContainerStatuses", "containerStatuses"}) {
    const auto* statuses = at(pod, {"status", list});
    if (!statuses || !statuses->IsArray()) continue;
    for (const auto& each : statuses->GetArray()) out.push_back(&each);
  }
  return out;
}

std::string joined(const std::string& reason, const std::string& message) {
  return message.empty() ? reason : reason + ": " + message;
}

// The runtime's words. A back-off repeats them behind the reason of the failure that it follows.
std::string whyNotPulled(const Value& waiting) {
  const std::string message = stringAt(waiting, {"message"});
  if (stringAt(waiting, {"reason"}) == kErrImagePull) return message.empty() ? "" : ": " + message;
  const std::string before = std::string(kErrImagePull) + ": ";
  const auto at = message.find(before);
  return at == std::string::npos ? "" : ": " + message.substr(at + before.size());
}

// Why a container waits, if the reason is not an ordinary step of its start.
std::optional<std::string> troubleOf(const Value& container) {
  const auto* waiting = at(container, {"state", "waiting"});
  if (!waiting) return std::nullopt;
  const std::string reason = stringAt(*waiting, {"reason"});
  if (reason.empty() || reason == "ContainerCreating" || reason == "PodInitializing") return std::nullopt;
  // These two reasons alternate. One sentence for both keeps the status from changing every few seconds.
  if (reason == kErrImagePull || reason == "ImagePullBackOff")
    return "the image " + stringAt(container, {"image"}) + " cannot be pulled" + whyNotPulled(*waiting);
  return joined(reason, stringAt(*waiting, {"message"}));
}

std::optional<std::string> obstacleOf(const Value& pod, const std::string& name) {
  if (const auto* none = unschedulable(pod)) {
    return "pod " + name + " finds no node: " + stringAt(*none, {"message"});
  }
  // The scheduler does not look at it before its group has enough pods, and says nothing.
  const bool isHeld = at(pod, {"spec", "schedulingGroup"}) && !conditionOf(pod, "PodScheduled") &&
                      stringAt(pod, {"spec", "nodeName"}).empty();
  if (isHeld) return "pod " + name + " waits for the other pods of its PodGroup";
  for (const auto* container : containerStatusesOf(pod)) {
    if (const auto trouble = troubleOf(*container)) return "pod " + name + " cannot start: " + *trouble;
  }
  return std::nullopt;
}

int exitCodeOf(const Value& container) { return intAt(container, {"state", "terminated", "exitCode"}); }

std::string endReasonOf(const Value& container) {
  return stringAt(container, {"state", "terminated", "reason"});
}

std::string memoryLimitOf(const Value& pod, const std::string& container) {
  for (const char* list : {"initContainers", "containers"}) {
    for (const auto& each : json::elementsAt(pod, {"spec", list})) {
      if (stringAt(each, {"name"}) == container) return stringAt(each, {"resources", "limits", "memory"});
    }
  }
  return {};
}

// Without a limit of its own, it was the node that ran out of memory.
std::string outOfMemory(const Value& pod, const Value& container) {
  const std::string name = stringAt(container, {"name"});
  const std::string limit = memoryLimitOf(pod, name);
  return "was killed for its memory (" + std::string(kOomKilled) + "): container " + name +
         (limit.empty() ? " has no limit of memory, and its node had none left"
                        : " used more than its limit of " + limit + "; raise resources.limits.memory");
}

std::string howItFailed(const Value& pod) {
  for (const auto* container : containerStatusesOf(pod)) {
    if (exitCodeOf(*container) == 0) continue;
    const std::string reason = endReasonOf(*container);
    if (reason == kOomKilled) return outOfMemory(pod, *container);
    return "ended with exit code " + std::to_string(exitCodeOf(*container)) +
           (reason.empty() ? "" : " (" + reason + ")");
  }
  return joined("failed", stringAt(pod, {"status", "message"}));
}

// The kubelet ends a pod that it does not admit before any of its containers has begun. A container with a
// limit of memory was killed for what it used itself.
bool isKilled(const Value& pod) {
  const bool hasBegun = std::ranges::any_of(containerStatusesOf(pod), [](const Value* container) {
    return json::at(*container, {"state", "terminated"}) != nullptr;
  });
  return !hasBegun || std::ranges::any_of(containerStatusesOf(pod), [&](const Value* container) {
    const bool isByItself =
        endReasonOf(*container) == kOomKilled && !memoryLimitOf(pod, stringAt(*container, {"name"})).empty();
    return exitCodeOf(*container) == kSigkillExit && !isByItself;
  });
}

bool isDisrupted(const Value& pod) { return holds(conditionOf(pod, "DisruptionTarget")); }

// An evicted pod or a worker that was told to stop did not fail by itself.
std::optional<std::string> faultOf(const Value& pod, const OwnPod& read) {
  const bool isToldToStop = std::ranges::any_of(containerStatusesOf(pod), [](const Value* container) {
    return exitCodeOf(*container) == kSigtermExit;
  });
  if (read.leaving || isDisrupted(pod) || isToldToStop) return std::nullopt;
  if (read.mainEnd && !read.mainEnd->succeeded) return read.mainEnd->message;
  if (stringAt(pod, {"status", "phase"}) != "Failed") return std::nullopt;
  return printable("pod " + read.key.name + " " + howItFailed(pod));
}

std::optional<std::string> pendedResize(const Value& pod, const std::string& name) {
  const auto* pending = conditionOf(pod, "PodResizePending");
  const auto* underWay = conditionOf(pod, "PodResizeInProgress");
  const bool failing = holds(underWay) && stringAt(*underWay, {"reason"}) == "Error";
  const Value* said = holds(pending) ? pending : failing ? underWay : nullptr;
  if (!said) return std::nullopt;
  return "pod " + name +
         " is not resized: " + joined(stringAt(*said, {"reason"}), stringAt(*said, {"message"}));
}

bool hasPort(const Value& container, std::string_view name) {
  const auto* ports = at(container, {"ports"});
  return ports && ports->IsArray() && std::ranges::any_of(ports->GetArray(), [&](const Value& port) {
           return stringAt(port, {"name"}) == name;
         });
}

std::string mainContainerOf(const Value& pod) {
  const auto* containers = at(pod, {"spec", "containers"});
  if (!containers || !containers->IsArray() || containers->Empty()) return "";
  for (const auto& each : containers->GetArray()) {
    if (hasPort(each, "metrics")) return stringAt(each, {"name"});
  }
  return stringAt((*containers)[0], {"name"});
}

// A pod that was asked to stop ends after its grace period, whatever runs in it until then.
void readMainEnd(OwnPod& read, const Value& pod) {
  const auto* statuses = at(pod, {"status", "containerStatuses"});
  if (read.ended || read.leaving || isDisrupted(pod) || !statuses || !statuses->IsArray()) return;
  const std::string main = mainContainerOf(pod);
  const Value* end = nullptr;
  std::string sideCar;
  for (const auto& each : statuses->GetArray()) {
    const std::string name = stringAt(each, {"name"});
    if (name == main) end = at(each, {"state", "terminated"});
    if (name != main && at(each, {"state", "running"})) sideCar = name;
  }
  if (!end || sideCar.empty()) return;
  const int exitCode = intAt(*end, {"exitCode"});
  read.mainEnd =
      ChiefEnd{exitCode == 0,
               printable("container " + main + " of pod " + read.key.name + " ended with exit code " +
                         std::to_string(exitCode) + ", and " + sideCar + " goes on; declare " + sideCar +
                         " under initContainers with restartPolicy: Always, so that it ends with it")};
  if (exitCode == 0) return;
  const auto* grace = at(pod, {"spec", "terminationGracePeriodSeconds"});
  read.mainEndCounts = timeAt(*end, {"finishedAt"}).value_or(Time()) +
                       Seconds(grace && grace->IsInt() ? grace->GetInt() : kGracePeriod);
}

// Images and messages are others' words, so they are made printable.
std::optional<std::string> sentence(const std::optional<std::string>& said) {
  return said ? std::optional(printable(*said)) : std::nullopt;
}

std::optional<Cores> coresIn(const Value& container, const char* kind) {
  const auto* list = at(container, {"resources", kind});
  return list && at(*list, {"cpu"}) ? std::optional(quantityIn(list, "cpu")) : std::nullopt;
}

std::vector<ContainerCpu> containersOf(const Value& pod) {
  std::vector<ContainerCpu> out;
  const auto* containers = at(pod, {"spec", "containers"});
  if (!containers || !containers->IsArray()) return out;
  for (const auto& each : containers->GetArray()) {
    out.push_back({stringAt(each, {"name"}), coresIn(each, "requests"), coresIn(each, "limits")});
  }
  return out;
}

bool hasEnded(const Value& pod) {
  const std::string phase = stringAt(pod, {"status", "phase"});
  return phase == "Succeeded" || phase == "Failed";
}

}  // namespace

bool lives(const OwnPod& pod) { return !pod.ended && !pod.leaving; }

bool isReady(const OwnPod& pod) { return pod.ready && lives(pod); }

OwnPod readOwnPod(const Value& pod, std::string_view resource) {
  auto out = json::identified<OwnPod>(pod);
  out.node = stringAt(pod, {"spec", "nodeName"});
  out.controller = controllerOf(pod);
  out.created = timeAt(pod, {"metadata", "creationTimestamp"}).value_or(Time());
  out.index = indexOf(pod);
  out.ended = hasEnded(pod);
  out.leaving = isBeingDeleted(pod);
  out.ready = holds(conditionOf(pod, "Ready"));
  out.cores = effectiveCores(pod, resource);
  out.containers = containersOf(pod);
  out.settled = !resizing(pod, "cpu");
  if (!out.ended && !out.ready) out.obstacle = sentence(obstacleOf(pod, out.key.name));
  readMainEnd(out, pod);
  out.fault = faultOf(pod, out);
  out.killed = out.fault && isKilled(pod);
  if (!out.ended) out.resizePended = sentence(pendedResize(pod, out.key.name));
  return out;
}

OtherPod readOtherPod(const Value& pod, std::string_view resource) {
  auto out = json::identified<OtherPod>(pod);
  out.job = stringAt(pod, {"metadata", "labels", kJobLabel});
  out.node = stringAt(pod, {"spec", "nodeName"});
  if (!hasEnded(pod)) out.cores = effectiveCores(pod, resource);
  const auto* none = unschedulable(pod);
  // More cores would not help a pod that waits for something else, such as a volume.
  const std::string lack = "Insufficient " + std::string(resource);
  if (!none || stringAt(*none, {"message"}).find(lack) == std::string::npos) return out;
  out.waitingSince = timeAt(*none, {"lastTransitionTime"});
  return out;
}

}  // namespace slaq::kube::pods
