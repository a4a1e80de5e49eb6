package main

// The losses of a real training: a CSV file of `iteration,loss` from iteration 0, as `slaq simulate` reads them.

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
)

const traceHeader = "iteration,loss"

// Trace is the loss after each iteration, the one before the first iteration included.
type Trace []float64

// Last is the iteration at which the training is over.
func (t Trace) Last() float64 { return float64(len(t) - 1) }

func parseTrace(file, text string) (Trace, error) {
	lines := strings.Split(strings.TrimSuffix(strings.ReplaceAll(text, "\r\n", "\n"), "\n"), "\n")
	if lines[0] != traceHeader {
		return nil, fmt.Errorf("%s:1: the first line must be %s", file, traceHeader)
	}
	var trace Trace
	for number, line := range lines[1:] {
		loss, err := lossIn(line, len(trace))
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, number+2, err)
		}
		trace = append(trace, loss)
	}
	if len(trace) < 2 {
		return nil, fmt.Errorf("%s: has no two iterations", file)
	}
	return trace, nil
}

func lossIn(line string, next int) (float64, error) {
	first, second, found := strings.Cut(line, ",")
	iteration, err := strconv.Atoi(first)
	if !found || err != nil {
		return 0, fmt.Errorf("must be an iteration and a loss, as in 12,0.25")
	}
	if iteration != next {
		return 0, fmt.Errorf("the iteration must be %d: every one from 0", next)
	}
	loss, err := strconv.ParseFloat(second, 64)
	if err != nil || math.IsNaN(loss) || math.IsInf(loss, 0) {
		return 0, fmt.Errorf("the loss must be a finite number")
	}
	return loss, nil
}

// Traces reads each file of a folder once.
type Traces struct {
	folder string
	lock   sync.Mutex
	known  map[string]Trace
}

func newTraces(folder string) (*Traces, error) {
	if entry, err := os.Stat(folder); err != nil || !entry.IsDir() {
		return nil, fmt.Errorf("%s is no folder of traces", folder)
	}
	return &Traces{folder: folder, known: map[string]Trace{}}, nil
}

func (t *Traces) load(name string) (Trace, error) {
	t.lock.Lock()
	defer t.lock.Unlock()
	if trace, found := t.known[name]; found {
		return trace, nil
	}
	if !filepath.IsLocal(name) {
		return nil, fmt.Errorf("%s is not below the folder of traces", name)
	}
	text, err := os.ReadFile(filepath.Join(t.folder, name))
	if err != nil {
		return nil, err
	}
	trace, err := parseTrace(name, string(text))
	if err != nil {
		return nil, err
	}
	t.known[name] = trace
	return trace, nil
}
