package main

// All trainings, and who works for each. A training outlives its pods, as with a checkpoint.

import (
	"sync"
	"time"
)

// Member is a ready pod of a training.
type Member struct {
	Name    string
	IsChief bool
	Cores   float64 // of a worker; 0 for a driver
}

// Identity is what Prometheus' discovery would know of the chief's pod.
type Identity struct {
	Namespace, Job, UID, Role, Pod string
}

type participant struct {
	training *Training
	members  map[string]Member
	chief    *Identity // while its pod is ready
	prefix   seriesPrefix
	ending   *time.Timer
}

// Trainings are safe for use by several goroutines.
type Trainings struct {
	lock  sync.Mutex
	byUID map[string]*participant
	over  func(uid string) // called once a training has done its last iteration
}

func newTrainings(over func(uid string)) *Trainings {
	return &Trainings{byUID: map[string]*participant{}, over: over}
}

func (t *Trainings) of(uid string) *participant {
	found := t.byUID[uid]
	if found == nil {
		found = &participant{members: map[string]Member{}}
		t.byUID[uid] = found
	}
	return found
}

// knows says whether the work of that training was told.
func (t *Trainings) knows(uid string) bool {
	t.lock.Lock()
	defer t.lock.Unlock()
	return t.of(uid).training != nil
}

// tell says what a training does, the first time that its chief is seen.
func (t *Trainings) tell(uid string, work Workload, now time.Time) {
	t.lock.Lock()
	defer t.lock.Unlock()
	if one := t.of(uid); one.training == nil {
		one.training = newTraining(work)
		t.update(uid, one, now)
	}
}

// join says that a pod is ready from now on, or that its cores have changed.
func (t *Trainings) join(uid string, member Member, identity Identity, now time.Time) {
	t.lock.Lock()
	defer t.lock.Unlock()
	one := t.of(uid)
	one.members[member.Name] = member
	if member.IsChief && (one.chief == nil || *one.chief != identity) {
		one.chief = &identity
		one.prefix = prefixOf(identity)
	}
	t.update(uid, one, now)
}

// leave says that a pod works no longer; to say it again changes nothing.
func (t *Trainings) leave(uid, name string, now time.Time) {
	t.lock.Lock()
	defer t.lock.Unlock()
	one := t.of(uid)
	member, found := one.members[name]
	if !found {
		return
	}
	delete(one.members, name)
	if member.IsChief {
		one.chief = nil
	}
	t.update(uid, one, now)
}

func (t *Trainings) isOver(uid string, now time.Time) bool {
	t.lock.Lock()
	defer t.lock.Unlock()
	one := t.of(uid)
	return one.training != nil && one.training.isOver(now)
}

// update counts the cores that work, and looks ahead to the end.
func (t *Trainings) update(uid string, one *participant, now time.Time) {
	if one.training == nil {
		return
	}
	cores := 0.0
	if one.chief != nil {
		for _, member := range one.members {
			cores += member.Cores
		}
	}
	one.training.setCores(now, cores)
	if one.ending != nil {
		one.ending.Stop()
		one.ending = nil
	}
	if ends, found := one.training.endsAt(); found {
		one.ending = time.AfterFunc(ends.Sub(now), func() { t.over(uid) })
	}
}
