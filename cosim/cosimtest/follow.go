// SPDX-License-Identifier: Apache-2.0

package cosimtest

import (
	"fmt"

	"github.com/nicgen/nicgen/cosim"
)

// Following compares a FIFO of unspecified depth: the device took a word if its level rose.
type Following struct{ *FIFO }

// Points implements cosim.Bench.
func (b *Following) Points() []cosim.Point {
	return []cosim.Point{{Name: "refused", Doc: "a push that was not taken", Required: true}}
}

// NewPredictor implements cosim.Bench.
func (b *Following) NewPredictor(l *cosim.Layout, _ bool) (cosim.Predictor, error) {
	return &Follower{hits: make([]uint64, 1), push: l.MustSlot("push"), data: l.MustSlot("data"), pop: l.MustSlot("pop"), rst: l.MustSlot("rst"),
		head: l.MustSlot("head"), empty: l.MustSlot("empty"), level: l.MustSlot("level")}, nil
}

// Follower is the golden model of Following.
type Follower struct {
	Seen                 int // cycles whose outputs were shown
	steps                int
	now                  uint64 // the device's level
	offered              []uint64
	known                bool
	q                    []uint64
	hits                 []uint64
	push, data, pop, rst cosim.Slot
	head, empty, level   cosim.Slot
}

// Hooks implements cosim.Predictor.
func (m *Follower) Hooks() cosim.PredictorHooks { return cosim.PredictorHooks{Observe: m.observe} }

func (m *Follower) observe(got []uint64) {
	m.Seen++
	m.now = m.level.Get(got)
}

// Step implements cosim.Predictor.
func (m *Follower) Step(in, want, care []uint64) {
	if m.steps++; m.Seen != m.steps {
		panic(fmt.Sprintf("cycle %d: outputs of %d cycles were shown", m.steps, m.Seen))
	}
	if m.known {
		if len(m.offered) > 0 && m.now == uint64(len(m.q))+1 {
			m.q = append(m.q, m.offered[0])
		} else if len(m.offered) > 0 {
			m.hits[0]++
		}
		m.offered = nil
		m.level.Set(care, ^uint64(0))
		m.level.Set(want, uint64(len(m.q)))
		m.empty.Set(care, 1)
		if len(m.q) > 0 {
			m.head.Set(care, ^uint64(0))
			m.head.Set(want, m.q[0])
		} else {
			m.empty.Set(want, 1)
		}
	}
	if m.rst.Get(in) == 1 {
		m.known, m.q, m.offered = true, nil, nil
		return
	}
	if m.pop.Get(in) == 1 && len(m.q) > 0 {
		m.q = m.q[1:]
	}
	if m.push.Get(in) == 1 {
		m.offered = []uint64{m.data.Get(in)}
	}
}

// Hits implements cosim.Predictor.
func (m *Follower) Hits() []uint64 { return m.hits }

// Events implements cosim.Predictor.
func (m *Follower) Events() uint64 { return uint64(m.steps) }

// Explain implements cosim.Predictor.
func (m *Follower) Explain(in []uint64) string { return fmt.Sprintf("%d words", len(m.q)) }

// Polite pushes words in order, each until it is taken, as the level tells.
type Polite struct{ *FIFO }

// NewStimulus implements cosim.Bench.
func (b *Polite) NewStimulus(l *cosim.Layout, seed uint64) (cosim.Stimulus, error) {
	s, err := b.FIFO.NewStimulus(l, seed)
	return &polite{fifoStimulus: s.(*fifoStimulus), level: l.MustSlot("level")}, err
}

type polite struct {
	*fifoStimulus
	level cosim.Slot
	word  uint64
	tried bool
}

func (s *polite) Next(in []uint64) {
	s.fifoStimulus.Next(in)
	s.push.Set(in, 1)
	s.data.Set(in, s.word)
	s.tried = s.rst.Get(in) == 0 && s.pop.Get(in) == 0
}

// Hooks implements cosim.Stimulus.
func (s *polite) Hooks() cosim.StimulusHooks { return cosim.StimulusHooks{React: s.react} }

func (s *polite) react(got []uint64) {
	if now := s.level.Get(got); s.tried && now < 8 {
		s.word++ // taken, as nothing was popped and there was room
	}
}

// inOrder demands what only a stimulus that sees the device can do: words that were refused come again.
type inOrder struct {
	*fifoModel
	refused, again uint64
	last           uint64
}

func (m *inOrder) Step(in, want, care []uint64) {
	if m.known && m.rst.Get(in) == 0 && m.pop.Get(in) == 0 {
		if m.data.Get(in) == m.last {
			m.again++
		}
		if len(m.q) == 8 {
			m.refused++
			m.last = m.data.Get(in)
		}
	}
	m.fifoModel.Step(in, want, care)
}

// Hooks implements cosim.Predictor.
func (m *inOrder) Hooks() cosim.PredictorHooks { return cosim.PredictorHooks{Verdict: m.verdict} }

func (m *inOrder) verdict() error {
	if m.refused == 0 || m.again == 0 {
		return fmt.Errorf("%d words were refused, %d came again", m.refused, m.again)
	}
	return nil
}

// NewPredictor implements cosim.Bench.
func (b *Polite) NewPredictor(l *cosim.Layout, bare bool) (cosim.Predictor, error) {
	p, err := b.FIFO.NewPredictor(l, bare)
	return &inOrder{fifoModel: p.(*fifoModel)}, err
}
