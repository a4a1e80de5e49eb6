package main

import (
	"strings"
	"testing"
	"time"
)

var chief = Identity{Namespace: "a", Job: "j", UID: "1", Role: "driver", Pod: "j-driver-0-x"}

func TestATrainingWorksWhileItsChiefIsReady(t *testing.T) {
	all := newTrainings(func(string) {})
	all.tell("1", work(), at(0))
	all.join("1", Member{Name: "w0", Cores: 1}, Identity{}, at(0))
	if len(all.exposed(at(5))) != 0 {
		t.Error("there are metrics without a chief")
	}
	all.join("1", Member{Name: "d", IsChief: true}, chief, at(10))
	all.join("1", Member{Name: "w1", Cores: 1}, Identity{}, at(20))
	all.join("1", Member{Name: "w1", Cores: 1}, Identity{}, at(21)) // said again
	expect(t, "iteration", all.exposed(at(25))[0].iteration, 2)
	all.leave("1", "w0", at(25))
	all.leave("1", "w0", at(26))
	expect(t, "iteration", all.exposed(at(35.1))[0].iteration, 3)
	all.leave("1", "d", at(36))
	if len(all.exposed(at(37))) != 0 {
		t.Error("there are metrics of a chief that is gone")
	}
}

func TestTheEndIsToldWhenItComes(t *testing.T) {
	over := make(chan string, 1)
	all := newTrainings(func(uid string) { over <- uid })
	workload := work()
	workload.CPU = 0.01
	now := time.Now()
	all.tell("1", workload, now)
	all.join("1", Member{Name: "d", IsChief: true}, chief, now)
	all.join("1", Member{Name: "w0", Cores: 1}, Identity{}, now)
	if uid := <-over; uid != "1" || !all.isOver("1", time.Now()) {
		t.Error("another training is over")
	}
}

func TestAScrapeHasTheLabelsOfTheTarget(t *testing.T) {
	all := newTrainings(func(string) {})
	all.tell("1", work(), at(0))
	all.join("1", Member{Name: "d", IsChief: true}, chief, at(0))
	all.join("1", Member{Name: "w0", Cores: 10}, Identity{}, at(0))
	labels := `{namespace="a",pod="j-driver-0-x",slaq_io_job="j",slaq_io_job_uid="1",slaq_io_role="driver"} `
	text := string(exposition(all.exposed(at(2.5))))
	for _, line := range []string{"slaq_training_loss" + labels + "3\n", "slaq_training_iterations_total" + labels + "2\n",
		"slaq_training_initial_loss" + labels + "5\n"} {
		if !strings.Contains(text, line) {
			t.Errorf("no %s in\n%s", line, text)
		}
	}
}

func TestAPodGoesToTheNextNodeWithEnoughCores(t *testing.T) {
	p := newPlacement([]string{"a", "b"}, 1)
	p.hold("old", "a", 800)
	if node, placed := p.place("1", 500); !placed || node != "b" {
		t.Errorf("it goes to %q", node)
	}
	if _, placed := p.place("2", 600); placed {
		t.Error("a node has more pods than cores")
	}
	if !p.release("old") || p.release("old") {
		t.Error("what a pod holds is not given back once")
	}
	if node, placed := p.place("2", 600); !placed || node != "a" {
		t.Errorf("it goes to %q", node)
	}
}
