package main

// The annotations by which a pod template says what its training does, with the names and meanings of the keys of
// `slaq simulate`'s workloads.

import (
	"fmt"
	"math"
	"strconv"
	"time"
)

const (
	traceAnnotation  = "fake-nodes/trace"
	cpuAnnotation    = "fake-nodes/cpu-seconds-per-iteration"
	serialAnnotation = "fake-nodes/serial-seconds-per-iteration"
	startAnnotation  = "fake-nodes/start-seconds"
	repeatAnnotation = "fake-nodes/repeat"
)

func workloadFrom(annotations map[string]string, traces *Traces) (Workload, error) {
	var work Workload
	trace, err := traces.load(annotations[traceAnnotation])
	if err != nil {
		return work, fmt.Errorf("%s: %w", traceAnnotation, err)
	}
	work.Trace = trace
	if work.CPU, err = secondsIn(annotations, cpuAnnotation, math.NaN()); err != nil {
		return work, err
	}
	if work.Serial, err = secondsIn(annotations, serialAnnotation, 0); err != nil {
		return work, err
	}
	if work.CPU+work.Serial <= 0 {
		return work, fmt.Errorf("%s: an iteration must take time", cpuAnnotation)
	}
	start, err := secondsIn(annotations, startAnnotation, 0)
	if err != nil {
		return work, err
	}
	work.Start = time.Duration(start * float64(time.Second))
	if text, given := annotations[repeatAnnotation]; given {
		if work.KeepsOn, err = strconv.ParseBool(text); err != nil {
			return work, fmt.Errorf("%s: must be true or false", repeatAnnotation)
		}
	}
	return work, nil
}

// secondsIn reads a number of seconds; without a fallback it must be given.
func secondsIn(annotations map[string]string, key string, fallback float64) (float64, error) {
	text, given := annotations[key]
	if !given && !math.IsNaN(fallback) {
		return fallback, nil
	}
	value, err := strconv.ParseFloat(text, 64)
	if err != nil || !(value >= 0 && value <= 1e6) {
		return 0, fmt.Errorf("%s: must be a number of seconds from 0 to 1000000, not %q", key, text)
	}
	return value, nil
}
