package main

// The steps of a pod's life, as the scheduler and a kubelet take them.

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// serve does the next step for a pod; the watch brings the pod back for the one after it.
func (p *Pods) serve(ctx context.Context, key string) error {
	object, found, err := p.indexer.GetByKey(key)
	if err != nil || !found {
		return err
	}
	pod := object.(*core.Pod)
	switch {
	case pod.DeletionTimestamp != nil:
		p.trainings.leave(pod.Labels[uidLabel], pod.Name, time.Now())
		return p.stop(ctx, pod)
	case hasEnded(pod):
		p.trainings.leave(pod.Labels[uidLabel], pod.Name, time.Now())
		return nil
	case pod.Spec.NodeName == "":
		return p.bind(ctx, pod)
	case pod.Status.Phase == core.PodPending:
		return p.start(ctx, pod)
	default:
		return p.keep(ctx, pod)
	}
}

func (p *Pods) bind(ctx context.Context, pod *core.Pod) error {
	if len(pod.Spec.SchedulingGates) > 0 {
		return nil
	}
	node, placed := p.placement.place(string(pod.UID), coresOf(pod))
	if !placed {
		p.lock.Lock()
		p.waiting[keyOf(pod)] = true
		p.lock.Unlock()
		return p.tellUnschedulable(ctx, pod)
	}
	err := p.client.CoreV1().Pods(pod.Namespace).Bind(ctx, &core.Binding{
		ObjectMeta: meta.ObjectMeta{Namespace: pod.Namespace, Name: pod.Name, UID: pod.UID},
		Target:     core.ObjectReference{Kind: "Node", Name: node}}, meta.CreateOptions{})
	if errors.IsNotFound(err) {
		p.placement.release(string(pod.UID))
	}
	return err
}

func (p *Pods) tellUnschedulable(ctx context.Context, pod *core.Pod) error {
	for _, each := range pod.Status.Conditions {
		if each.Type == core.PodScheduled && each.Status == core.ConditionFalse {
			return nil
		}
	}
	why := fmt.Sprintf("0/%d nodes are available: %[1]d Insufficient cpu.", len(p.placement.names))
	return p.patch(ctx, pod, unschedulableStatus(pod, why, time.Now()))
}

func (p *Pods) start(ctx context.Context, pod *core.Pod) error {
	if !p.isDue(pod, "start", p.delays.Start) {
		return nil
	}
	if err := p.learn(pod); err != nil {
		slog.Error("a training cannot be replayed", "pod", keyOf(pod), "error", err)
		return p.patch(ctx, pod, endedStatus(pod, 2, time.Now()))
	}
	if err := p.patch(ctx, pod, runningStatus(pod, time.Now())); err != nil {
		return err
	}
	p.join(pod)
	return nil
}

// keep looks after a pod that runs: it may be over, or be resized; or an earlier process started it.
func (p *Pods) keep(ctx context.Context, pod *core.Pod) error {
	uid := pod.Labels[uidLabel]
	if p.trainings.isOver(uid, time.Now()) {
		p.trainings.leave(uid, pod.Name, time.Now())
		return p.patch(ctx, pod, endedStatus(pod, 0, time.Now()))
	}
	if !isResized(pod) {
		if !p.isDue(pod, "resize", p.delays.Resize) {
			return nil
		}
		if err := p.patch(ctx, pod, runningStatus(pod, time.Now())); err != nil {
			return err
		}
		p.done(pod, "resize")
	}
	if !isReady(pod) {
		return nil
	}
	if err := p.learn(pod); err != nil {
		slog.Error("a training cannot be replayed", "pod", keyOf(pod), "error", err)
	}
	p.join(pod)
	return nil
}

// stop ends a pod as a kubelet does: first it tells how the pod ended. Until then a Job does not let go of it.
func (p *Pods) stop(ctx context.Context, pod *core.Pod) error {
	if pod.DeletionGracePeriodSeconds != nil && *pod.DeletionGracePeriodSeconds == 0 {
		return nil // it waits for its finalizers
	}
	if !p.isDue(pod, "stop", p.delays.Stop) {
		return nil
	}
	if !hasEnded(pod) {
		return p.patch(ctx, pod, endedStatus(pod, sigtermExit, time.Now()))
	}
	now := int64(0)
	return p.client.CoreV1().Pods(pod.Namespace).Delete(ctx, pod.Name,
		meta.DeleteOptions{GracePeriodSeconds: &now, Preconditions: meta.NewUIDPreconditions(string(pod.UID))})
}

// learn reads what the training of a chief does.
func (p *Pods) learn(pod *core.Pod) error {
	uid := pod.Labels[uidLabel]
	if !isChief(pod) || p.trainings.knows(uid) {
		return nil
	}
	work, err := workloadFrom(pod.Annotations, p.traces)
	if err == nil {
		p.trainings.tell(uid, work, time.Now())
	}
	return err
}

func (p *Pods) join(pod *core.Pod) {
	if _, found, err := p.indexer.GetByKey(keyOf(pod)); err != nil || !found {
		return
	}
	member := Member{Name: pod.Name, IsChief: isChief(pod)}
	if pod.Labels[roleLabel] != driver {
		member.Cores = float64(coresOf(pod)) / 1000
	}
	p.trainings.join(pod.Labels[uidLabel], member, Identity{Namespace: pod.Namespace, Job: pod.Labels[jobLabel],
		UID: pod.Labels[uidLabel], Role: pod.Labels[roleLabel], Pod: pod.Name}, time.Now())
}

// isChief says whether the pod exports the training's loss: the driver, or where there is none the first worker, which
// then has the annotations.
func isChief(pod *core.Pod) bool {
	if pod.Labels[roleLabel] == driver {
		return true
	}
	return pod.Annotations[indexAnnotation] == "0" && pod.Annotations[traceAnnotation] != ""
}

// isDue says whether the delay of a step is over, which begins when it is asked first; otherwise the pod comes back then.
func (p *Pods) isDue(pod *core.Pod, step string, delay time.Duration) bool {
	if delay <= 0 {
		return true
	}
	p.lock.Lock()
	defer p.lock.Unlock()
	key, now := string(pod.UID)+step, time.Now()
	due, known := p.due[key]
	if !known {
		due = now.Add(delay)
		p.due[key] = due
	}
	if now.Before(due) {
		p.queue.AddAfter(keyOf(pod), due.Sub(now))
		return false
	}
	return true
}

func (p *Pods) done(pod *core.Pod, step string) {
	p.lock.Lock()
	defer p.lock.Unlock()
	delete(p.due, string(pod.UID)+step)
}

func (p *Pods) patch(ctx context.Context, pod *core.Pod, status core.PodStatus) error {
	body, err := statusPatch(pod, status)
	if err != nil {
		return err
	}
	_, err = p.client.CoreV1().Pods(pod.Namespace).Patch(ctx, pod.Name, types.MergePatchType, body, meta.PatchOptions{}, "status")
	return err
}
