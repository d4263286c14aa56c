// SPDX-License-Identifier: Apache-2.0

package nictransport

import (
	"errors"
	"fmt"
	"strings"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/nic_transport"
)

// predictor is a Checker in the engine. What it wants of a cycle is what came, unless the Checker found a fault: then it
// wants another value of the port where it shows, and Explain has the words.
type predictor struct {
	l    *cosim.Layout
	c    *Checker
	got  []uint64
	err  error
	hits []uint64
}

func newPredictor(p *params.Params, l *cosim.Layout, _ bool) (cosim.Predictor, error) {
	c, err := New(p, l)
	if err != nil {
		return nil, err
	}
	return &predictor{l: l, c: c, got: make([]uint64, l.OutWords), hits: make([]uint64, len(points(p)))}, nil
}

// Hooks implements cosim.Predictor.
func (r *predictor) Hooks() cosim.PredictorHooks {
	return cosim.PredictorHooks{
		Observe: func(got []uint64) { copy(r.got, got) },
		Verdict: r.verdict,
		Account: r.c.String,
		Carried: func() (packets, bytes uint64) {
			n := &r.c.Count
			return n.Frames + n.ToHost, n.Bytes
		},
	}
}

// Step implements cosim.Predictor.
func (r *predictor) Step(in, want, care []uint64) {
	if r.err != nil {
		return
	}
	r.err = r.c.Step(in, r.got)
	var f *Fault
	if !errors.As(r.err, &f) {
		return // if there is an error, it is the stimulus'
	}
	s := r.l.MustSlot(f.Port)
	s.Set(care, 1)
	s.Set(want, ^s.Get(r.got)&1)
}

// Hits implements cosim.Predictor.
func (r *predictor) Hits() []uint64 {
	for i, x := range points(r.c.p) {
		if event, ok := strings.CutPrefix(x.Name, "event/"); ok {
			r.hits[i] = r.c.Count.Events[event]
		} else {
			r.hits[i] = r.c.Count.Feedback
		}
	}
	return r.hits
}

// Events implements cosim.Predictor.
func (r *predictor) Events() uint64 { return r.c.Count.Packets + r.c.Count.ToHost }

// Explain implements cosim.Predictor.
func (r *predictor) Explain([]uint64) string {
	if r.err != nil {
		return r.err.Error()
	}
	return fmt.Sprintf("no fault so far: %v", r.c)
}

// verdict returns an error unless the Checker ended without one and every expected frame came.
func (r *predictor) verdict() error {
	var f *Fault
	if r.err != nil && !errors.As(r.err, &f) {
		return r.err
	}
	return r.c.End()
}

// points are the traced events, and packets that the block makes: each has to come.
func points(p *params.Params) (list []cosim.Point) {
	for _, e := range p.TraceEvents() {
		// A recovery is never due.
		list = append(list, cosim.Point{Name: "event/" + e.Name, Doc: e.Meaning, Required: e.Name != "recover"})
	}
	if p.HasLAPS() {
		list = append(list, cosim.Point{Name: "event/probe", Doc: "A probe was made.", Required: true}, cosim.Point{Name: "event/answer", Doc: "A probe was answered.", Required: true})
	}
	if p.List > 0 {
		list = append(list, cosim.Point{Name: "frame/feedback", Doc: "A feedback packet was made.", Required: true})
	}
	return list
}
