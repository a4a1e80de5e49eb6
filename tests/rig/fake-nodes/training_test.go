package main

import (
	"math"
	"testing"
	"time"
)

var zero = time.Unix(1000, 0)

func at(seconds float64) time.Time {
	return zero.Add(time.Duration(seconds * float64(time.Second)))
}

func expect(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-6 {
		t.Errorf("%s is %v, not %v", what, got, want)
	}
}

func work() Workload { return Workload{Trace: Trace{5, 4, 3, 2, 1}, CPU: 10} }

func TestProgressFollowsTheCores(t *testing.T) {
	one := newTraining(work())
	one.setCores(at(0), 2) // 5 s an iteration
	expect(t, "progress after 5 s", one.progressAt(at(5)), 1)
	one.setCores(at(5), 0)
	expect(t, "progress without workers", one.progressAt(at(100)), 1)
	one.setCores(at(100), 4) // 2.5 s
	expect(t, "progress with four cores", one.progressAt(at(105)), 3)
}

func TestThePartOfAnIterationIsKeptAtAResize(t *testing.T) {
	one := newTraining(work())
	one.setCores(at(0), 1)
	one.setCores(at(5), 10)
	expect(t, "progress", one.progressAt(at(5.5)), 1)
	iteration, loss, _ := one.sample(at(5.4))
	expect(t, "completed iterations", iteration, 0)
	expect(t, "loss", loss, 5)
}

func TestSerialTimeDoesNotShrinkWithTheWorkers(t *testing.T) {
	workload := work()
	workload.Serial = 1
	one := newTraining(workload)
	one.setCores(at(0), 10)
	expect(t, "progress", one.progressAt(at(4)), 2)
}

func TestATrainingHasNoLossBeforeItsStartIsOver(t *testing.T) {
	workload := work()
	workload.Start = 3 * time.Second
	one := newTraining(workload)
	if _, _, known := one.sample(at(0)); known {
		t.Error("there is a loss before the first worker")
	}
	one.setCores(at(0), 10)
	one.setCores(at(1), 20)
	if _, _, known := one.sample(at(2.9)); known {
		t.Error("there is a loss before the start is over")
	}
	expect(t, "progress", one.progressAt(at(4)), 2)
	one.setCores(at(4), 0)
	one.setCores(at(9), 10) // no second start
	expect(t, "progress after a pause", one.progressAt(at(10)), 3)
}

func TestATrainingIsOverAtTheLastIteration(t *testing.T) {
	one := newTraining(work())
	one.setCores(at(0), 4)
	ends, found := one.endsAt()
	if !found || ends.Before(at(10)) || ends.After(at(10.001)) {
		t.Fatal(ends, found)
	}
	if one.isOver(at(9.9)) || !one.isOver(ends) {
		t.Error("it is not over at its end")
	}
	expect(t, "progress", one.progressAt(at(50)), 4)
}

func TestATrainingThatKeepsOnIsNeverOver(t *testing.T) {
	workload := work()
	workload.KeepsOn = true
	one := newTraining(workload)
	one.setCores(at(0), 10)
	if _, found := one.endsAt(); found || one.isOver(at(100)) {
		t.Error("it is over")
	}
	iteration, loss, _ := one.sample(at(100))
	expect(t, "iterations", iteration, 100)
	expect(t, "loss", loss, 1)
}
