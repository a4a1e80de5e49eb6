package main

// The statuses that a kubelet writes for a pod.

import (
	"encoding/json"
	"time"

	core "k8s.io/api/core/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
)

const sigtermExit = 143

func isReady(pod *core.Pod) bool {
	for _, each := range pod.Status.Conditions {
		if each.Type == core.PodReady {
			return each.Status == core.ConditionTrue
		}
	}
	return false
}

func hasEnded(pod *core.Pod) bool {
	return pod.Status.Phase == core.PodSucceeded || pod.Status.Phase == core.PodFailed
}

// coresOf are the thousandths of a core that the pod's containers request.
func coresOf(pod *core.Pod) int64 {
	var sum int64
	for _, each := range pod.Spec.Containers {
		cpu, given := each.Resources.Requests[core.ResourceCPU]
		if !given {
			cpu = each.Resources.Limits[core.ResourceCPU]
		}
		sum += cpu.MilliValue()
	}
	return sum
}

// runningStatus is that of a pod whose containers all run, with the resources that its spec asks for now.
func runningStatus(pod *core.Pod, now time.Time) core.PodStatus {
	started := meta.NewTime(now)
	if old := pod.Status.StartTime; old != nil {
		started = *old
	}
	status := core.PodStatus{Phase: core.PodRunning, StartTime: &started, Conditions: conditions(pod, core.ConditionTrue, now)}
	isStarted := true
	for _, each := range pod.Spec.Containers {
		resources := each.Resources.DeepCopy()
		status.ContainerStatuses = append(status.ContainerStatuses, core.ContainerStatus{
			Name: each.Name, Image: each.Image, ImageID: "fake", Ready: true, Started: &isStarted,
			State:              core.ContainerState{Running: &core.ContainerStateRunning{StartedAt: started}},
			AllocatedResources: each.Resources.Requests, Resources: resources})
	}
	return status
}

func endedStatus(pod *core.Pod, exit int32, now time.Time) core.PodStatus {
	phase, reason := core.PodSucceeded, "Completed"
	if exit != 0 {
		phase, reason = core.PodFailed, "Error"
	}
	moment := meta.NewTime(now)
	started := moment
	if old := pod.Status.StartTime; old != nil {
		started = *old
	}
	status := core.PodStatus{Phase: phase, StartTime: &started, Conditions: conditions(pod, core.ConditionFalse, now)}
	for _, each := range pod.Spec.Containers {
		status.ContainerStatuses = append(status.ContainerStatuses, core.ContainerStatus{
			Name: each.Name, Image: each.Image, ImageID: "fake",
			State: core.ContainerState{Terminated: &core.ContainerStateTerminated{
				ExitCode: exit, Reason: reason, StartedAt: started, FinishedAt: moment}}})
	}
	return status
}

func unschedulableStatus(pod *core.Pod, why string, now time.Time) core.PodStatus {
	return core.PodStatus{Phase: core.PodPending, Conditions: []core.PodCondition{{Type: core.PodScheduled,
		Status: core.ConditionFalse, Reason: core.PodReasonUnschedulable, Message: why,
		LastTransitionTime: meta.NewTime(now)}}}
}

// conditions keep those of others, such as DisruptionTarget and PodScheduled.
func conditions(pod *core.Pod, ready core.ConditionStatus, now time.Time) []core.PodCondition {
	var all []core.PodCondition
	for _, each := range pod.Status.Conditions {
		if each.Type != core.PodReady && each.Type != core.ContainersReady {
			all = append(all, each)
		}
	}
	for _, kind := range []core.PodConditionType{core.ContainersReady, core.PodReady} {
		all = append(all, core.PodCondition{Type: kind, Status: ready, LastTransitionTime: since(pod, kind, ready, now)})
	}
	return all
}

// since is when a condition began to have that status.
func since(pod *core.Pod, kind core.PodConditionType, status core.ConditionStatus, now time.Time) meta.Time {
	for _, each := range pod.Status.Conditions {
		if each.Type == kind && each.Status == status {
			return each.LastTransitionTime
		}
	}
	return meta.NewTime(now)
}

func statusPatch(pod *core.Pod, status core.PodStatus) ([]byte, error) {
	return json.Marshal(map[string]any{"metadata": map[string]any{"uid": pod.UID}, "status": status})
}

// isResized says whether the containers' statuses have the CPU that the spec asks for.
func isResized(pod *core.Pod) bool {
	for _, each := range pod.Spec.Containers {
		for _, status := range pod.Status.ContainerStatuses {
			if status.Name != each.Name || status.Resources == nil {
				continue
			}
			if !sameCPU(status.Resources.Requests, each.Resources.Requests) ||
				!sameCPU(status.Resources.Limits, each.Resources.Limits) ||
				!sameCPU(status.AllocatedResources, each.Resources.Requests) {
				return false
			}
		}
	}
	return true
}

func sameCPU(a, b core.ResourceList) bool { return a.Cpu().Cmp(*b.Cpu()) == 0 }
