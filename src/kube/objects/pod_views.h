// What the pods of a job's workers add to what their Job says: why they are not ready, how often the chief
// failed, and how their CPU stands. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "job/view.h"
#include "kube/objects/child.h"
#include "kube/pods/pod.h"

namespace slaq::kube::objects {

// The pods of one Job, as pointers into a store.
using Pods = std::vector<const pods::OwnPod*>;

// The first of: a pod without a node, a pod that cannot start, a pod that failed by its own doing and has no
// ready successor.
std::optional<std::string> obstacleOf(const ChildJob& workers, const Pods& pods);

// How often the pod with that index failed by its own doing: not evicted, not told to stop.
int failuresOf(int index, const Pods& pods);

// `pod` is the template as the job's owner wrote it. While the Job keeps pods, those that are still to come
// count as held, with what is asked; whether all is settled is a matter of those that are there.
CpuView cpuView(const ChildJob& workers, const PodTemplate& pod, const Pods& pods);

// Whether one of them has not ended yet.
bool anyHolds(const Pods& pods);

// What all of them hold, in the unit of capacity.
Cores coresOf(const Pods& pods);

}  // namespace slaq::kube::objects
