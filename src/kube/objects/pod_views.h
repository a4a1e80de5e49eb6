// Views of the pods of a job's workers, for what their Job does not show, or shows later: the number of pods,
// why some are not ready, how often the chief failed, and their CPU. Pure.
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

// Counts the living pods, the ready pods, and the ending pods that still hold their cores. The Job's status
// counts them about a second later, and in steps. With its counts, the work of many workers would be taken
// for that of few, and free cores would wait. Where no pod is known yet, the status's counts stay, except
// that of ready pods.
void countPods(WorkersView& workers, const Pods& pods);
// Sets whether the driver is ready, and how it failed last.
void countPods(DriverView& driver, const Pods& pods);

// The reason why a pod cannot start: it finds no node, or a container waits for something that does not come.
std::optional<std::string> obstacleOf(const Pods& pods);
// How a pod ended by itself, if it has no ready successor.
std::optional<std::string> faultOf(const ChildJob& workers, const Pods& pods);

// How the main container of the pod with index 0 ended while another container of that pod goes on. Empty
// until that end counts.
std::optional<ChiefEnd> mainEndOf(const Pods& pods, Time now);

// How often the pod with that index failed by itself, which excludes evictions and requested stops.
int failuresOf(int index, const Pods& pods);
// How the pod of this index failed last, without its name; empty if the node or a user killed it.
std::string lastFailureOf(int index, const Pods& pods);
// Sets both for worker 0.
void countFailures(WorkersView& workers, const Pods& pods);

// `spec` is as the job's owner wrote it. While the Job keeps pods, pods that do not exist yet count as held
// with the requested cores. Only existing pods decide whether all are settled.
CpuView cpuView(const ChildJob& workers, const WorkersSpec& spec, bool isStarting, const Pods& pods);

// True if a pod has not ended yet.
bool anyHolds(const Pods& pods);

// The largest request of a living pod; empty if none requests anything.
std::optional<Cores> coresOfEach(const Pods& pods);

// The cores of all pods, in the unit of capacity.
Cores coresOf(const Pods& pods);

}  // namespace slaq::kube::objects
