// SPDX-License-Identifier: Apache-2.0

// Package cosimtest has the FIFO that tests of co-simulation use, with its golden models and stimuli.
package cosimtest

import (
	_ "embed" // the FIFO
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/cosim"
)

//go:embed fifo.sv
var text string

// Design is the FIFO. Pairs of texts are replaced in it, and the first of each must be there once.
func Design(t testing.TB, pairs ...string) cosim.Source {
	t.Helper()
	text := text
	for i := 0; i < len(pairs); i += 2 {
		if strings.Count(text, pairs[i]) != 1 {
			t.Fatalf("fifo.sv has %q %d times, want once", pairs[i], strings.Count(text, pairs[i]))
		}
		text = strings.Replace(text, pairs[i], pairs[i+1], 1)
	}
	return cosim.Source{Top: "fifo", Files: []cosim.File{{Name: "fifo.sv", Text: text}}}
}

// Bug is a FIFO that refuses a push while it is full and popped.
func Bug(t testing.TB) *FIFO {
	return &FIFO{RTL: Design(t, "(DEPTH) || take)", "(DEPTH))")}
}

// FIFO is a bench that compares Design, or a version of it, with a slice.
type FIFO struct {
	RTL    cosim.Source
	Reach  []cosim.Point // coverage points instead of the default ones
	Length int           // of a finite stimulus; 0: endless
	Wrong  string        // the recorded answer that the golden model did not give
}

// Source implements cosim.Bench.
func (b *FIFO) Source() cosim.Source { return b.RTL }

// Points implements cosim.Bench.
func (b *FIFO) Points() []cosim.Point {
	if b.Reach != nil {
		return b.Reach
	}
	return []cosim.Point{
		{Name: "push/empty", Doc: "a push into an empty FIFO", Required: true},
		{Name: "push/full", Doc: "a push into a full FIFO", Required: true},
		{Name: "pop/empty", Doc: "a pop of an empty FIFO", Required: true},
		{Name: "both/full", Doc: "push and pop of a full FIFO", Required: true},
	}
}

// NewStimulus implements cosim.Bench.
func (b *FIFO) NewStimulus(l *cosim.Layout, seed uint64) (cosim.Stimulus, error) {
	s := &fifoStimulus{rng: rand.New(rand.NewPCG(seed, 1)), push: l.MustSlot("push"), data: l.MustSlot("data"), pop: l.MustSlot("pop"), rst: l.MustSlot("rst")}
	if b.Length > 0 {
		return finite{s, b.Length}, nil
	}
	return s, nil
}

type finite struct {
	cosim.Stimulus
	n int
}

// Hooks implements cosim.Stimulus.
func (f finite) Hooks() cosim.StimulusHooks {
	h := f.Stimulus.Hooks()
	h.Cycles = f.n
	return h
}

type fifoStimulus struct {
	cosim.Autonomous
	rng                  *rand.Rand
	n, bias              int
	push, data, pop, rst cosim.Slot
}

func (s *fifoStimulus) Next(in []uint64) {
	if s.n < 3 {
		s.rst.Set(in, 1)
	}
	if s.n%64 == 0 {
		s.bias = s.rng.IntN(9)
	}
	s.n++
	r := s.rng.Uint64()
	s.data.Set(in, r>>8)
	if int(r&7) < s.bias {
		s.push.Set(in, 1)
	}
	if int(r>>3&7) >= s.bias {
		s.pop.Set(in, 1)
	}
}

// NewPredictor implements cosim.Bench.
func (b *FIFO) NewPredictor(l *cosim.Layout, _ bool) (cosim.Predictor, error) {
	p := &fifoModel{hits: make([]uint64, 4), push: l.MustSlot("push"), data: l.MustSlot("data"), pop: l.MustSlot("pop"), rst: l.MustSlot("rst"),
		head: l.MustSlot("head"), empty: l.MustSlot("empty"), level: l.MustSlot("level")}
	if b.Wrong != "" {
		return judging{p, b.Wrong}, nil
	}
	return p, nil
}

type judging struct {
	cosim.Predictor
	text string
}

// Hooks implements cosim.Predictor.
func (j judging) Hooks() cosim.PredictorHooks {
	h := j.Predictor.Hooks()
	h.Verdict = func() error { return errors.New(j.text) }
	return h
}

type fifoModel struct {
	cosim.Modelled
	known                bool // was reset
	q                    []uint64
	events               uint64
	hits                 []uint64
	push, data, pop, rst cosim.Slot
	head, empty, level   cosim.Slot
}

func (m *fifoModel) Step(in, want, care []uint64) {
	if m.known {
		m.empty.Set(care, 1)
		m.level.Set(care, ^uint64(0))
		m.level.Set(want, uint64(len(m.q)))
		if len(m.q) > 0 {
			m.head.Set(care, ^uint64(0))
			m.head.Set(want, m.q[0])
		} else {
			m.empty.Set(want, 1)
		}
	}
	if m.rst.Get(in) == 1 {
		m.known, m.q = true, nil
		return
	}
	push, pop, n := m.push.Get(in) == 1, m.pop.Get(in) == 1, len(m.q)
	for i, hit := range []bool{push && n == 0, push && n == 8, pop && n == 0, push && pop && n == 8} {
		if hit {
			m.hits[i]++
		}
	}
	if pop && n > 0 {
		m.q = m.q[1:]
		m.events++
	}
	if push && len(m.q) < 8 {
		m.q = append(m.q, m.data.Get(in))
		m.events++
	}
}

func (m *fifoModel) Hits() []uint64             { return m.hits }
func (m *fifoModel) Events() uint64             { return m.events }
func (m *fifoModel) Explain(in []uint64) string { return fmt.Sprintf("%d words: %x", len(m.q), m.q) }
