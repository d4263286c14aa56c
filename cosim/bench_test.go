// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestMain keeps the tests' models out of the user's cache, unless a cache is
// named.
func TestMain(m *testing.M) {
	os.Exit(func() int {
		if os.Getenv(CacheEnv) == "" {
			dir, err := os.MkdirTemp("", "nicgen-cosim")
			if err != nil {
				panic(err)
			}
			defer os.RemoveAll(dir)
			os.Setenv(CacheEnv, dir)
		}
		return m.Run()
	}())
}

// source reads testdata/<top>.sv; pairs replace text in it, and must find it.
func source(t testing.TB, top string, pairs ...string) Source {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", top+".sv"))
	if err != nil {
		t.Fatal(err)
	}
	text := string(b)
	for i := 0; i < len(pairs); i += 2 {
		if strings.Count(text, pairs[i]) != 1 {
			t.Fatalf("%s.sv has %q %d times, want once", top, pairs[i], strings.Count(text, pairs[i]))
		}
		text = strings.Replace(text, pairs[i], pairs[i+1], 1)
	}
	return Source{Top: top, Files: []File{{top + ".sv", text}}}
}

// fifoBench compares testdata/fifo.sv with a slice.
type fifoBench struct {
	src    Source
	points []Point // in place of its own
	length int     // of a finite stimulus; 0: endless
	judge  string  // what the golden model did not give
}

func (b *fifoBench) Source() Source { return b.src }

func (b *fifoBench) Points() []Point {
	if b.points != nil {
		return b.points
	}
	return []Point{
		{"push/empty", "a push into an empty FIFO", true},
		{"push/full", "a push into a full FIFO", true},
		{"pop/empty", "a pop of an empty FIFO", true},
		{"both/full", "push and pop of a full FIFO", true},
	}
}

func (b *fifoBench) NewStimulus(l *Layout, seed uint64) (Stimulus, error) {
	s := &fifoStimulus{rng: rand.New(rand.NewPCG(seed, 1)), push: l.MustSlot("push"), data: l.MustSlot("data"), pop: l.MustSlot("pop"), rst: l.MustSlot("rst")}
	if b.length > 0 {
		return finite{s, b.length}, nil
	}
	return s, nil
}

type finite struct {
	Stimulus
	n int
}

func (f finite) Cycles() int { return f.n }

type fifoStimulus struct {
	rng                  *rand.Rand
	n, bias              int
	push, data, pop, rst Slot
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

func (b *fifoBench) NewPredictor(l *Layout) (Predictor, error) {
	p := &fifoModel{hits: make([]uint64, 4), push: l.MustSlot("push"), data: l.MustSlot("data"), pop: l.MustSlot("pop"), rst: l.MustSlot("rst"),
		head: l.MustSlot("head"), empty: l.MustSlot("empty"), level: l.MustSlot("level")}
	if b.judge != "" {
		return judging{p, b.judge}, nil
	}
	return p, nil
}

type judging struct {
	Predictor
	text string
}

func (j judging) Verdict() error { return errors.New(j.text) }

type fifoModel struct {
	known                bool // was reset
	q                    []uint64
	events               uint64
	hits                 []uint64
	push, data, pop, rst Slot
	head, empty, level   Slot
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
