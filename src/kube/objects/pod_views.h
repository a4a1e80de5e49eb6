// What the pods of a job's workers show that their Job does not, or only later: how many there are, why some
// are not ready, how often the chief failed, and how their CPU stands. Pure.
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

// Counts those that live, that are ready, and that are told to stop and hold their cores still. The Job's
// status counts them about a second later, and in steps: the work of many workers would be taken for that of
// few, and cores that are free would wait. Where no pod is known yet, what the status says of them stays, but
// for those that are ready.
void countPods(WorkersView& workers, const Pods& pods);

// Why a pod cannot start: it finds no node, or one of its containers waits for what does not come.
std::optional<std::string> obstacleOf(const Pods& pods);
// How a pod ended by itself that has no ready successor.
std::optional<std::string> faultOf(const ChildJob& workers, const Pods& pods);

// How the main container of the pod with index 0 ended, where another container of it goes on, once that
// counts.
std::optional<ChiefEnd> mainEndOf(const Pods& pods, Time now);

// How often the pod with that index failed by itself, which excludes evictions and requested stops.
int failuresOf(int index, const Pods& pods);

// `spec` is as the job's owner wrote it. While the Job keeps pods, pods that do not exist yet
// count as held with the requested cores. Only existing pods decide whether all are settled.
CpuView cpuView(const ChildJob& workers, const WorkersSpec& spec, bool isStarting, const Pods& pods);

// True if a pod has not ended yet.
bool anyHolds(const Pods& pods);

// What the largest of the pods that live requests; empty where none requests anything.
std::optional<Cores> coresOfEach(const Pods& pods);

// The cores of all pods, in the unit of capacity.
Cores coresOf(const Pods& pods);

}  // namespace slaq::kube::objects
