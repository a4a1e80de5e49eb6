package main

import (
	"testing"

	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

func podWithCPU(cpu string) *core.Pod {
	cores := core.ResourceList{core.ResourceCPU: resource.MustParse(cpu)}
	return &core.Pod{Spec: core.PodSpec{Containers: []core.Container{{Name: "worker", Image: "i",
		Resources: core.ResourceRequirements{Requests: cores, Limits: cores}}}}}
}

func TestAPodThatRunsIsReadyWithWhatItAsksFor(t *testing.T) {
	pod := podWithCPU("1500m")
	pod.Status = runningStatus(pod, at(0))
	if !isReady(pod) || hasEnded(pod) || !isResized(pod) || coresOf(pod) != 1500 {
		t.Error(pod.Status)
	}
}

func TestAPodIsNotResizedUntilItsStatusHasTheNewCores(t *testing.T) {
	pod := podWithCPU("1")
	pod.Status = runningStatus(pod, at(0))
	resized := podWithCPU("500m")
	resized.Status = pod.Status
	if isResized(resized) {
		t.Error("the new cores are not in the status")
	}
	resized.Status = runningStatus(resized, at(10))
	if !isResized(resized) {
		t.Error("the new cores are in the status")
	}
	if since := resized.Status.Conditions[0].LastTransitionTime; !since.Time.Equal(at(0)) {
		t.Errorf("it has been ready since %v", since)
	}
}

func TestAPodThatIsToldToEndFailsByTheSignal(t *testing.T) {
	pod := podWithCPU("1")
	pod.Status = runningStatus(pod, at(0))
	pod.Status = endedStatus(pod, sigtermExit, at(5))
	if isReady(pod) || pod.Status.Phase != core.PodFailed {
		t.Error(pod.Status)
	}
	if code := pod.Status.ContainerStatuses[0].State.Terminated.ExitCode; code != 143 {
		t.Errorf("it ended with %d", code)
	}
	if done := endedStatus(pod, 0, at(5)); done.Phase != core.PodSucceeded {
		t.Error(done)
	}
}
