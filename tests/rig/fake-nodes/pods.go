package main

// The scheduler and the kubelet of all pods with the label slaq.io/job. Pods are watched; each change puts the pod's
// name into a queue, from which workers take it and do the next step that the pod waits for.

import (
	"context"
	"log/slog"
	"sync"
	"time"

	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
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
