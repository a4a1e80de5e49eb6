package main

// Which node a pod goes to: the next one, in turn, that has the cores.

import "sync"

type claim struct {
	node  string
	cores int64
}

// Placement counts the cores of each node in thousandths. It is safe for use by several goroutines.
type Placement struct {
	lock   sync.Mutex
	names  []string
	free   map[string]int64
	claims map[string]claim // by the uid of the pod
	next   int
}

func newPlacement(names []string, cores int64) *Placement {
	p := &Placement{names: names, free: map[string]int64{}, claims: map[string]claim{}}
	for _, name := range names {
		p.free[name] = 1000 * cores
	}
	return p
}

// place chooses a node with so many thousandths of a core and keeps them for the pod; none if no node has them.
func (p *Placement) place(uid string, cores int64) (string, bool) {
	p.lock.Lock()
	defer p.lock.Unlock()
	if found, placed := p.claims[uid]; placed {
		return found.node, true
	}
	for range p.names {
		name := p.names[p.next]
		p.next = (p.next + 1) % len(p.names)
		if p.free[name] >= cores {
			p.take(uid, claim{name, cores})
			return name, true
		}
	}
	return "", false
}

// hold counts a pod that is on a node already, or whose cores have changed.
func (p *Placement) hold(uid, node string, cores int64) {
	p.lock.Lock()
	defer p.lock.Unlock()
	p.give(uid)
	p.take(uid, claim{node, cores})
}

// release gives back what a pod holds, and says whether it held anything.
func (p *Placement) release(uid string) bool {
	p.lock.Lock()
	defer p.lock.Unlock()
	return p.give(uid)
}

func (p *Placement) take(uid string, one claim) {
	p.claims[uid] = one
	p.free[one.node] -= one.cores
}

func (p *Placement) give(uid string) bool {
	one, found := p.claims[uid]
	if found {
		p.free[one.node] += one.cores
		delete(p.claims, uid)
	}
	return found
}
