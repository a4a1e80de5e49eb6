package main

import "testing"

func TestATraceHasEveryIterationFromZero(t *testing.T) {
	trace, err := parseTrace("a.csv", "iteration,loss\n0,2\n1,1.5\r\n2,1e-3\n")
	if err != nil || len(trace) != 3 || trace[2] != 1e-3 || trace.Last() != 2 {
		t.Fatal(trace, err)
	}
}

func TestAMistakeInATraceIsNamedWithItsLine(t *testing.T) {
	for text, want := range map[string]string{
		"":                           "a.csv:1: the first line must be iteration,loss",
		"iteration,loss\n0,1\n2,1":   "a.csv:3: the iteration must be 1: every one from 0",
		"iteration,loss\n0":          "a.csv:2: must be an iteration and a loss, as in 12,0.25",
		"iteration,loss\n0,x":        "a.csv:2: the loss must be a finite number",
		"iteration,loss\n0,1\n1,NaN": "a.csv:3: the loss must be a finite number",
		"iteration,loss\n0,1":        "a.csv: has no two iterations",
	} {
		if _, err := parseTrace("a.csv", text); err == nil || err.Error() != want {
			t.Errorf("%q gives %v, not %s", text, err, want)
		}
	}
}
