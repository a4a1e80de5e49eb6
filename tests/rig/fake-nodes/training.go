package main

// How far a training is at any moment. Its speed changes only when a worker becomes ready or leaves, so that its
// progress is computed exactly from the times of these changes. Nothing ticks.

import (
	"math"
	"time"
)

// Workload is what the annotations of the chief's pod say of a training.
type Workload struct {
	Trace   Trace
	CPU     float64       // core-seconds of an iteration, shared by all workers
	Serial  float64       // seconds of an iteration in addition, whatever the number of workers
	Start   time.Duration // from the first ready worker until the first iteration begins
	KeepsOn bool          // at the last loss for ever, instead of being over at the last iteration
}

// Training is the state of one training since its last change of speed. Times do not go back.
type Training struct {
	work     Workload
	at       time.Time
	progress float64 // iterations done at `at`, with the part of the one under way
	cores    float64 // of the ready workers, while the chief is ready; otherwise 0
	begun    bool    // has had ready workers
	worksAt  time.Time
}

func newTraining(work Workload) *Training { return &Training{work: work} }

// setCores says which cores work from now on.
func (t *Training) setCores(now time.Time, cores float64) {
	t.progress = t.progressAt(now)
	t.at = now
	t.cores = cores
	if cores > 0 && !t.begun {
		t.begun = true
		t.worksAt = now.Add(t.work.Start)
	}
}

// iterationsPerSecond at the present number of cores.
func (t *Training) iterationsPerSecond() float64 {
	if t.cores <= 0 {
		return 0
	}
	return 1 / (t.work.CPU/t.cores + t.work.Serial)
}

func (t *Training) progressAt(now time.Time) float64 {
	progress := t.progress
	if rate := t.iterationsPerSecond(); rate > 0 {
		progress += rate * math.Max(0, now.Sub(t.workingSince()).Seconds())
	}
	if !t.work.KeepsOn {
		progress = math.Min(progress, t.work.Trace.Last())
	}
	return progress
}

// workingSince is the moment from which the present speed counts.
func (t *Training) workingSince() time.Time {
	if t.worksAt.After(t.at) {
		return t.worksAt
	}
	return t.at
}

// sample is the number of completed iterations and the loss after them; nothing before the training works.
func (t *Training) sample(now time.Time) (iteration, loss float64, known bool) {
	if !t.begun || now.Before(t.worksAt) {
		return 0, 0, false
	}
	iteration = math.Floor(t.progressAt(now))
	place := math.Min(iteration, t.work.Trace.Last())
	return iteration, t.work.Trace[int(place)], true
}

// endsAt is when the last iteration will be done at the present speed.
func (t *Training) endsAt() (time.Time, bool) {
	rate := t.iterationsPerSecond()
	if t.work.KeepsOn || rate == 0 {
		return time.Time{}, false
	}
	left := (t.work.Trace.Last() - t.progress) / rate
	if left > math.MaxInt32 {
		return time.Time{}, false
	}
	// Rounded up: at that moment the last iteration is done.
	return t.workingSince().Add(time.Duration(math.Ceil(math.Max(0, left) * float64(time.Second)))), true
}

func (t *Training) isOver(now time.Time) bool {
	return !t.work.KeepsOn && t.progressAt(now) >= t.work.Trace.Last()-1e-9
}
