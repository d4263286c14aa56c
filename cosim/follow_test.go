// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// followBench compares a FIFO of which nobody says how deep it is: the device's level tells
// whether it took a word.
type followBench struct{ *fifoBench }

func (b *followBench) Points() []Point {
	return []Point{{"refused", "a push that was not taken", true}}
}

func (b *followBench) NewPredictor(l *Layout) (Predictor, error) {
	return &fifoFollower{hits: make([]uint64, 1), push: l.MustSlot("push"), data: l.MustSlot("data"), pop: l.MustSlot("pop"), rst: l.MustSlot("rst"),
		head: l.MustSlot("head"), empty: l.MustSlot("empty"), level: l.MustSlot("level")}, nil
}

type fifoFollower struct {
	seen                 int // calls of Observe
	steps                int
	now                  uint64 // the device's level
	offered              []uint64
	known                bool
	q                    []uint64
	hits                 []uint64
	push, data, pop, rst Slot
	head, empty, level   Slot
}

func (m *fifoFollower) Observe(got []uint64) {
	m.seen++
	m.now = m.level.Get(got)
}

func (m *fifoFollower) Step(in, want, care []uint64) {
	if m.steps++; m.seen != m.steps {
		panic(fmt.Sprintf("cycle %d: outputs of %d cycles were shown", m.steps, m.seen))
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

func (m *fifoFollower) Hits() []uint64             { return m.hits }
func (m *fifoFollower) Events() uint64             { return uint64(m.steps) }
func (m *fifoFollower) Explain(in []uint64) string { return fmt.Sprintf("%d words", len(m.q)) }

// A Follower takes from the device what is free, here the depth: a FIFO that refuses a push while
// it is full and popped passes. Batches and the second thread change nothing.
func TestFollowerPasses(t *testing.T) {
	for _, b := range []*fifoBench{{src: source(t, "fifo")}, bug(t)} {
		for _, concurrent := range []bool{false, true} {
			for _, batch := range []int{0, 1, 7} {
				r, err := Run(t.Context(), &followBench{b}, RunOptions{Unit: "fifo", Seed: 7, Cycles: 20000, Batch: batch, Concurrent: concurrent})
				if err != nil {
					t.Fatal(err)
				}
				if !r.OK() || r.Cycles != 20000 || r.Events != 20000 {
					t.Errorf("concurrent %t, batch %d: %+v %+v", concurrent, batch, r, r.Failure)
				}
			}
		}
	}
}

// It finds what is not free: a word that changed. Shrinking, the explanation and a replay follow the
// device too.
func TestFollowerFails(t *testing.T) {
	var first *Report
	b := &followBench{&fifoBench{src: source(t, "fifo", "mem[wr_q] <= data;", "mem[wr_q] <= wr_q == 3'd5 ? data ^ W'(4) : data;")}}
	dir := t.TempDir()
	for _, concurrent := range []bool{false, true} {
		for _, batch := range []int{0, 1, 50} {
			r, err := Run(t.Context(), b, RunOptions{Unit: "fifo", Seed: 7, Batch: batch, Concurrent: concurrent, OutDir: dir, NoWave: true})
			if err != nil {
				t.Fatal(err)
			}
			if r.Outcome != Mismatch || r.Failure.Port != "head" || r.Failure.Shrunk == nil || r.Failure.Shrunk.Cycle > 14 ||
				!strings.HasSuffix(r.Failure.Explain, " words") || r.Failure.Shrunk.Explain != "1 words" {
				t.Fatalf("concurrent %t, batch %d: %+v %+v", concurrent, batch, r.Failure, r.Failure.Shrunk)
			}
			if first == nil {
				first = r
			}
			if d := cmp.Diff(first, r, cmpopts.IgnoreFields(Report{}, "Seconds", "CyclesPerSecond")); d != "" {
				t.Errorf("concurrent %t, batch %d: %s", concurrent, batch, d)
			}
		}
	}
	rec, err := ReadReplay(first.Failure.Replay)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Replay(t.Context(), rec, b, RunOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Failure == nil || r.Failure.Port != "head" || len(r.Notes) > 0 {
		t.Errorf("replayed: %+v, notes %v", r.Failure, r.Notes)
	}
}

// A device that ends shows no outputs in its last cycle: no explanation.
func TestFollowerFault(t *testing.T) {
	b := &followBench{&fifoBench{src: source(t, "fifo", "if (take) rd_q", "if (take && level == 4'd6) $stop;\n    if (take) rd_q")}}
	for _, concurrent := range []bool{false, true} {
		r, err := Run(t.Context(), b, RunOptions{Unit: "fifo", Seed: 7, Concurrent: concurrent, NoShrink: true})
		if err != nil {
			t.Fatal(err)
		}
		if r.Outcome != Fault || r.Failure.Explain != "" {
			t.Errorf("concurrent %t: %+v %+v", concurrent, r, r.Failure)
		}
	}
}

// A Predictor around a Follower passes on what it is shown, and one around another does nothing.
func TestObserve(t *testing.T) {
	b := &followBench{&fifoBench{src: source(t, "fifo")}}
	lib, err := Build(t.Context(), b.Source(), BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer lib.Close()
	p, err := b.NewPredictor(lib.Layout())
	if err != nil {
		t.Fatal(err)
	}
	Observe(p, make([]uint64, lib.Layout().OutWords))
	plain, err := b.fifoBench.NewPredictor(lib.Layout())
	if err != nil {
		t.Fatal(err)
	}
	Observe(plain, nil)
	if p.(*fifoFollower).seen != 1 {
		t.Error("the outputs were not passed on")
	}
}

// politeBench pushes words in order, each until it is taken, as the level tells.
type politeBench struct{ *fifoBench }

func (b *politeBench) NewStimulus(l *Layout, seed uint64) (Stimulus, error) {
	s, err := b.fifoBench.NewStimulus(l, seed)
	return &polite{fifoStimulus: s.(*fifoStimulus), level: l.MustSlot("level")}, err
}

type polite struct {
	*fifoStimulus
	level Slot
	word  uint64
	tried bool
}

func (s *polite) Next(in []uint64) {
	s.fifoStimulus.Next(in)
	s.push.Set(in, 1)
	s.data.Set(in, s.word)
	s.tried = s.rst.Get(in) == 0 && s.pop.Get(in) == 0
}

func (s *polite) React(got []uint64) {
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

func (m *inOrder) Verdict() error {
	if m.refused == 0 || m.again == 0 {
		return fmt.Errorf("%d words were refused, %d came again", m.refused, m.again)
	}
	return nil
}

func (b *politeBench) NewPredictor(l *Layout) (Predictor, error) {
	p, err := b.fifoBench.NewPredictor(l)
	return &inOrder{fifoModel: p.(*fifoModel)}, err
}

// A Reactive stimulus gives the same run with batches and a second thread as without, and its failure is
// recorded as what it did.
func TestReactive(t *testing.T) {
	for _, wrong := range []bool{false, true} {
		b := &politeBench{&fifoBench{src: source(t, "fifo")}}
		if wrong {
			b.src = bug(t).src
		}
		var first *Report
		for _, concurrent := range []bool{false, true} {
			for _, batch := range []int{0, 1, 7} {
				r, err := Run(t.Context(), b, RunOptions{Unit: "fifo", Seed: 7, Cycles: 20000, Batch: batch, Concurrent: concurrent, OutDir: t.TempDir(), NoWave: true})
				if err != nil {
					t.Fatal(err)
				}
				if r.OK() == wrong || wrong && (r.Outcome != Mismatch || r.Failure.Port != "level" || r.Failure.Shrunk == nil) {
					t.Fatalf("wrong %t, concurrent %t, batch %d: %+v %+v", wrong, concurrent, batch, r, r.Failure)
				}
				if first == nil {
					first = r
				}
				if d := cmp.Diff(first, r, cmpopts.IgnoreFields(Report{}, "Seconds", "CyclesPerSecond"), cmpopts.IgnoreFields(Failure{}, "Replay", "Command")); d != "" {
					t.Errorf("wrong %t, concurrent %t, batch %d: %s", wrong, concurrent, batch, d)
				}
			}
		}
	}
}
