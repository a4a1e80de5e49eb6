package main

// What Prometheus would scrape from the chiefs' pods, in one answer: with the labels that its discovery gives to the
// targets, so that it takes them with honor_labels.

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const (
	lossMetric       = "slaq_training_loss"
	iterationsMetric = "slaq_training_iterations_total"
	initialMetric    = "slaq_training_initial_loss"
)

// seriesPrefix is each metric's name with all labels, written once.
type seriesPrefix struct {
	loss, iterations, initial string
}

func prefixOf(one Identity) seriesPrefix {
	labels := fmt.Sprintf("{namespace=%q,pod=%q,slaq_io_job=%q,slaq_io_job_uid=%q,slaq_io_role=%q} ",
		one.Namespace, one.Pod, one.Job, one.UID, one.Role)
	return seriesPrefix{lossMetric + labels, iterationsMetric + labels, initialMetric + labels}
}

type exposed struct {
	prefix                   seriesPrefix
	iteration, loss, initial float64
}

// exposed are the samples of all trainings whose chief is ready.
func (t *Trainings) exposed(now time.Time) []exposed {
	t.lock.Lock()
	defer t.lock.Unlock()
	all := make([]exposed, 0, len(t.byUID))
	for _, one := range t.byUID {
		if one.chief == nil || one.training == nil {
			continue
		}
		if iteration, loss, known := one.training.sample(now); known {
			all = append(all, exposed{one.prefix, iteration, loss, one.training.work.Trace[0]})
		}
	}
	return all
}

// exposition has both metrics of an iteration in one scrape.
func exposition(samples []exposed) []byte {
	var text bytes.Buffer
	family := func(name, kind string, of func(exposed) (string, float64)) {
		text.WriteString("# TYPE " + name + " " + kind + "\n")
		for _, each := range samples {
			prefix, value := of(each)
			text.WriteString(prefix)
			text.Write(strconv.AppendFloat(text.AvailableBuffer(), value, 'g', -1, 64))
			text.WriteByte('\n')
		}
	}
	family(lossMetric, "gauge", func(e exposed) (string, float64) { return e.prefix.loss, e.loss })
	family(iterationsMetric, "counter", func(e exposed) (string, float64) { return e.prefix.iterations, e.iteration })
	family(initialMetric, "gauge", func(e exposed) (string, float64) { return e.prefix.initial, e.initial })
	return text.Bytes()
}

func (t *Trainings) ServeHTTP(answer http.ResponseWriter, request *http.Request) {
	body := exposition(t.exposed(time.Now()))
	answer.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
	if !strings.Contains(request.Header.Get("Accept-Encoding"), "gzip") {
		answer.Write(body)
		return
	}
	answer.Header().Set("Content-Encoding", "gzip")
	compressed, _ := gzip.NewWriterLevel(answer, gzip.BestSpeed)
	compressed.Write(body)
	compressed.Close()
}
