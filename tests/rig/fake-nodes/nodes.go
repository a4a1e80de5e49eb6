package main

// The nodes: as many as are asked for, ready, with a Lease each, which the node lifecycle controller looks at.

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"sync"
	"time"

	coordination "k8s.io/api/coordination/v1"
	core "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
)

const (
	nodeLabel     = "fake-nodes/node"
	leaseDuration = 40 // seconds, as a kubelet has it
	renewEvery    = 15 * time.Second
	// A kubelet repeats its status so often, even if nothing has changed.
	statusEvery = 5 * time.Minute
)

type Nodes struct {
	client   kubernetes.Interface
	names    []string
	cores    int64
	parallel int
}

func newNodes(client kubernetes.Interface, count int, cores int64, parallel int) *Nodes {
	nodes := &Nodes{client: client, cores: cores, parallel: parallel}
	for i := range count {
		nodes.names = append(nodes.names, fmt.Sprintf("fake-%d", i))
	}
	return nodes
}

// register creates the nodes that are not there yet, and says that all are ready.
func (n *Nodes) register(ctx context.Context) error {
	return n.each(ctx, func(name string) error {
		node := &core.Node{ObjectMeta: meta.ObjectMeta{Name: name, Labels: map[string]string{
			nodeLabel: "true", "kubernetes.io/hostname": name, "kubernetes.io/os": "linux"}}}
		_, err := n.client.CoreV1().Nodes().Create(ctx, node, meta.CreateOptions{})
		if err != nil && !errors.IsAlreadyExists(err) {
			return err
		}
		if err := n.tell(ctx, name); err != nil {
			return err
		}
		return n.renew(ctx, name)
	})
}

// run keeps the nodes ready until it is told to stop.
func (n *Nodes) run(ctx context.Context) {
	renew, status := time.NewTicker(renewEvery), time.NewTicker(statusEvery)
	defer renew.Stop()
	defer status.Stop()
	for {
		act := n.renew
		select {
		case <-ctx.Done():
			return
		case <-renew.C:
		case <-status.C:
			act = n.tell
		}
		if err := n.each(ctx, func(name string) error { return act(ctx, name) }); err != nil && ctx.Err() == nil {
			slog.Warn("a node could not be kept ready", "error", err)
		}
	}
}

// each calls a function for all nodes, several at once, and returns the first error.
func (n *Nodes) each(ctx context.Context, act func(name string) error) error {
	names := make(chan string)
	failed := make(chan error, len(n.names))
	var workers sync.WaitGroup
	for range n.parallel {
		workers.Go(func() {
			for name := range names {
				if err := act(name); err != nil {
					failed <- fmt.Errorf("node %s: %w", name, err)
				}
			}
		})
	}
	for _, name := range n.names {
		if ctx.Err() != nil {
			break
		}
		names <- name
	}
	close(names)
	workers.Wait()
	select {
	case err := <-failed:
		return err
	default:
		return ctx.Err()
	}
}

func (n *Nodes) tell(ctx context.Context, name string) error {
	now := meta.Now()
	resources := core.ResourceList{
		core.ResourceCPU:    *resource.NewQuantity(n.cores, resource.DecimalSI),
		core.ResourceMemory: *resource.NewQuantity(n.cores<<32, resource.BinarySI),
		core.ResourcePods:   *resource.NewQuantity(100000, resource.DecimalSI),
	}
	conditions := []core.NodeCondition{{Type: core.NodeReady, Status: core.ConditionTrue, Reason: "FakeNodeReady",
		Message: "nothing runs here", LastHeartbeatTime: now, LastTransitionTime: now}}
	for _, pressure := range []core.NodeConditionType{core.NodeMemoryPressure, core.NodeDiskPressure, core.NodePIDPressure} {
		conditions = append(conditions, core.NodeCondition{Type: pressure, Status: core.ConditionFalse,
			Reason: "FakeNode", LastHeartbeatTime: now, LastTransitionTime: now})
	}
	body, err := json.Marshal(map[string]any{"status": map[string]any{
		"capacity": resources, "allocatable": resources, "conditions": conditions}})
	if err != nil {
		return err
	}
	_, err = n.client.CoreV1().Nodes().Patch(ctx, name, types.StrategicMergePatchType, body, meta.PatchOptions{}, "status")
	return err
}

func (n *Nodes) renew(ctx context.Context, name string) error {
	leases := n.client.CoordinationV1().Leases(core.NamespaceNodeLease)
	body := fmt.Sprintf(`{"spec":{"renewTime":%q}}`, time.Now().UTC().Format(meta.RFC3339Micro))
	_, err := leases.Patch(ctx, name, types.MergePatchType, []byte(body), meta.PatchOptions{})
	if !errors.IsNotFound(err) {
		return err
	}
	seconds, now := int32(leaseDuration), meta.NowMicro()
	_, err = leases.Create(ctx, &coordination.Lease{ObjectMeta: meta.ObjectMeta{Name: name},
		Spec: coordination.LeaseSpec{HolderIdentity: &name, LeaseDurationSeconds: &seconds, RenewTime: &now}},
		meta.CreateOptions{})
	return err
}
