package main

// The scheduler and the kubelet of all pods with the label slaq.io/job. Pods are watched; each change puts the pod's
// name into a queue, from which workers take it and do the next step that the pod waits for.

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
)

const (
	jobLabel  = "slaq.io/job"
	roleLabel = "slaq.io/role"
	uidLabel  = "slaq.io/job-uid"
	driver    = "driver"

	indexAnnotation = "batch.kubernetes.io/job-completion-index"
	uidIndex        = "training"
)

// Delays are what a kubelet takes for its work.
type Delays struct {
	Start, Stop, Resize time.Duration
}

type Pods struct {
	client    kubernetes.Interface
	delays    Delays
	traces    *Traces
	trainings *Trainings
	placement *Placement
	indexer   cache.Indexer
	informer  cache.SharedIndexInformer
	queue     workqueue.TypedRateLimitingInterface[string]

	lock    sync.Mutex
	due     map[string]time.Time // by the uid of the pod and the step: when it is done
	waiting map[string]bool      // pods that found no node
}

func newPods(client kubernetes.Interface, delays Delays, traces *Traces, placement *Placement) *Pods {
	factory := informers.NewSharedInformerFactoryWithOptions(client, 0, informers.WithTweakListOptions(
		func(options *meta.ListOptions) { options.LabelSelector = jobLabel }))
	p := &Pods{client: client, delays: delays, traces: traces, placement: placement,
		informer: factory.Core().V1().Pods().Informer(), due: map[string]time.Time{}, waiting: map[string]bool{},
		queue: workqueue.NewTypedRateLimitingQueue(
			workqueue.NewTypedItemExponentialFailureRateLimiter[string](50*time.Millisecond, 10*time.Second))}
	p.indexer = p.informer.GetIndexer()
	p.trainings = newTrainings(p.enqueueTraining)
	return p
}

// run serves pods until it is told to stop. Before it serves the first, it knows all.
func (p *Pods) run(ctx context.Context, workers int) error {
	_ = p.informer.AddIndexers(cache.Indexers{uidIndex: func(object any) ([]string, error) {
		return []string{object.(*core.Pod).Labels[uidLabel]}, nil
	}})
	_ = p.informer.SetTransform(func(object any) (any, error) {
		if pod, is := object.(*core.Pod); is {
			pod.ManagedFields = nil
		}
		return object, nil
	})
	_, err := p.informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(object any) { p.see(object.(*core.Pod)) },
		UpdateFunc: func(_, object any) { p.see(object.(*core.Pod)) },
		DeleteFunc: p.forget,
	})
	if err != nil {
		return err
	}
	go p.informer.Run(ctx.Done())
	if !cache.WaitForCacheSync(ctx.Done(), p.informer.HasSynced) {
		return ctx.Err()
	}
	slog.Info("pods listed", "pods", len(p.indexer.ListKeys()))
	var all sync.WaitGroup
	for range workers {
		all.Go(func() { p.work(ctx) })
	}
	<-ctx.Done()
	p.queue.ShutDown()
	all.Wait()
	return nil
}

func keyOf(pod *core.Pod) string { return pod.Namespace + "/" + pod.Name }

// see notes at once that a pod was told to leave, and what it holds; all else is done by the workers.
func (p *Pods) see(pod *core.Pod) {
	if pod.Spec.NodeName != "" && !hasEnded(pod) {
		p.placement.hold(string(pod.UID), pod.Spec.NodeName, coresOf(pod))
	}
	if pod.DeletionTimestamp != nil || hasEnded(pod) {
		p.trainings.leave(pod.Labels[uidLabel], pod.Name, time.Now())
	}
	if hasEnded(pod) {
		p.release(pod)
	}
	p.queue.Add(keyOf(pod))
}

func (p *Pods) forget(object any) {
	if gone, is := object.(cache.DeletedFinalStateUnknown); is {
		object = gone.Obj
	}
	pod, is := object.(*core.Pod)
	if !is {
		return
	}
	p.trainings.leave(pod.Labels[uidLabel], pod.Name, time.Now())
	p.release(pod)
	p.lock.Lock()
	defer p.lock.Unlock()
	for _, step := range []string{"start", "stop", "resize"} {
		delete(p.due, string(pod.UID)+step)
	}
	delete(p.waiting, keyOf(pod))
}

// release frees the pod's cores, for which others may wait.
func (p *Pods) release(pod *core.Pod) {
	if !p.placement.release(string(pod.UID)) {
		return
	}
	p.lock.Lock()
	defer p.lock.Unlock()
	for key := range p.waiting {
		p.queue.Add(key)
	}
	clear(p.waiting)
}

func (p *Pods) enqueueTraining(uid string) {
	pods, err := p.indexer.ByIndex(uidIndex, uid)
	if err != nil {
		return
	}
	for _, each := range pods {
		p.queue.Add(keyOf(each.(*core.Pod)))
	}
}

func (p *Pods) work(ctx context.Context) {
	for {
		key, stopped := p.queue.Get()
		if stopped {
			return
		}
		err := p.serve(ctx, key)
		switch {
		case err == nil || errors.IsNotFound(err) || errors.IsConflict(err) || ctx.Err() != nil:
			p.queue.Forget(key) // what has changed comes by the watch
		default:
			slog.Warn("a pod could not be served", "pod", key, "error", err)
			p.queue.AddRateLimited(key)
		}
		p.queue.Done(key)
	}
}

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
