// SPDX-License-Identifier: Apache-2.0

package state_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/export/state"
	"github.com/nicgen/nicgen/internal/sample"
	"github.com/nicgen/nicgen/registry"
	"github.com/nicgen/nicgen/tb/bench"
)

type node struct {
	Name string
	next *node
	n    [3]uint16
}

type shape struct {
	A     int8
	list  []node
	bits  []uint64
	none  []bool
	first *node
	same  *node // first
	byKey map[string]*node
	any   interface{ Value() int }
	ring  [4]node
	part  []node  // of ring
	at    *uint16 // in part
	call  func() int
	count int
}

type boxed struct{ x []int }

func (b *boxed) Value() int { return len(b.x) }

func newShape() *shape {
	s := &shape{any: &boxed{}, byKey: map[string]*node{"gone": nil}, bits: make([]uint64, 4)}
	s.call = func() int { return s.count }
	return s
}

// Everything is restored: targets shared by two pointers are shared again, and functions refer to
// the new owner.
func TestRoundTrip(t *testing.T) {
	a := newShape()
	a.A, a.count, a.bits = -5, 17, []uint64{1, 1 << 63}
	a.list = []node{{Name: "x", n: [3]uint16{1, 2, 3}}, {Name: "y"}}
	a.first = &node{Name: "ring"}
	a.first.next, a.same = a.first, a.first
	a.part = a.ring[1:3]
	a.part[1].Name = "third"
	a.at = &a.ring[2].n[1]
	a.byKey = map[string]*node{"first": a.first, "other": {Name: "other"}}
	a.any.(*boxed).x = []int{7, 8}
	bytes, err := state.Save([]byte("before"), a)
	if err != nil {
		t.Fatal(err)
	}
	b := newShape()
	if err := state.Load(bytes[len("before"):], b); err != nil {
		t.Fatal(err)
	}
	if b.A != -5 || b.call() != 17 || b.any.Value() != 2 || b.none != nil || !slices.Equal(b.bits, a.bits) || len(b.list) != 2 || b.list[0] != a.list[0] {
		t.Errorf("got %+v", b)
	}
	if b.first == a.first || b.first != b.same || b.first.next != b.first || b.first.Name != "ring" {
		t.Errorf("the ring is %+v", b.first)
	}
	b.ring[2].n[1] = 99
	if len(b.part) != 2 || cap(b.part) != 3 || b.part[1].Name != "third" || *b.at != 99 || b.part[1].n[1] != 99 {
		t.Errorf("a part of the array is %v", b.part)
	}
	if len(b.byKey) != 2 || b.byKey["first"] != b.first || b.byKey["other"].Name != "other" {
		t.Errorf("the map is %v", b.byKey)
	}
}

// Bytes that are cut, or too many, are an error, and so are lengths that cannot be.
func TestDamaged(t *testing.T) {
	a := newShape()
	a.list = make([]node, 5)
	bytes, err := state.Save(nil, a)
	if err != nil {
		t.Fatal(err)
	}
	for n := range bytes {
		if err := state.Load(bytes[:n], newShape()); err == nil {
			t.Errorf("%d of %d bytes are taken", n, len(bytes))
		}
	}
	if err := state.Load(append(bytes, 0), newShape()); err == nil || err.Error() != "1 bytes too many" {
		t.Errorf("error %v", err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 { // none of it ends the process
		wrong := slices.Clone(bytes)
		wrong[random.IntN(len(wrong))] ^= 1 << random.IntN(8)
		_ = state.Load(wrong, newShape())
	}
}

// For every unit, a golden model that read a snapshot continues like the one that wrote it.
func TestGoldenModels(t *testing.T) {
	for _, u := range slices.Concat(registry.Units, registry.Blocks) {
		if sample.LeftOut(t.Name() + "/" + u.New().Unit()) {
			continue
		}
		cfg := u.New()
		t.Run(cfg.Unit(), func(t *testing.T) {
			t.Parallel()
			b, err := u.Bench(cfg)
			if err != nil {
				t.Fatal(err)
			}
			src, err := bench.Source(cfg)
			if err != nil {
				t.Fatal(err)
			}
			l, err := cosim.Ports(src)
			if err != nil {
				t.Fatal(err)
			}
			stimulus, err := b.NewStimulus(l, 1)
			if err != nil {
				t.Fatal(err)
			}
			in := make([]uint64, l.InWords)
			drive := func(p cosim.Predictor) (want, care []uint64) {
				want, care = make([]uint64, l.OutWords), make([]uint64, l.OutWords)
				if observe := p.Hooks().Observe; observe != nil {
					observe(want)
				}
				p.Step(in, want, care)
				return want, care
			}
			model, other := predictor(t, b, l), predictor(t, b, l)
			react := stimulus.Hooks().React
			next := func() {
				clear(in)
				stimulus.Next(in)
				want, _ := drive(model)
				if react != nil {
					react(want)
				}
			}
			follows := model.Hooks().Observe != nil // and does little without a device
			for i := 0; i < 70_000 && model.Events() < 500 && !(follows && i == 2000); i++ {
				next()
			}
			bytes, err := state.Save(nil, model)
			if err != nil {
				t.Fatal(err)
			}
			drive(other) // it is somewhere else
			if err := state.Load(bytes, other); err != nil {
				t.Fatal(err)
			}
			for i := range 1000 {
				clear(in)
				stimulus.Next(in)
				want, care := drive(model)
				want2, care2 := drive(other)
				if !slices.Equal(want, want2) || !slices.Equal(care, care2) {
					t.Fatalf("cycle %d after the snapshot: %s", i, cmp.Diff(want, want2))
				}
				if react != nil {
					react(want)
				}
			}
			if model.Events() == 0 && !follows || model.Events() != other.Events() {
				t.Errorf("%d and %d events, want the same number, and some", model.Events(), other.Events())
			}
		})
	}
}

func predictor(t *testing.T, b cosim.Bench, l *cosim.Layout) cosim.Predictor {
	t.Helper()
	p, err := b.NewPredictor(l, false)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
