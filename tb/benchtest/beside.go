// SPDX-License-Identifier: Apache-2.0

package benchtest

import (
	"errors"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen/csr"
	"github.com/nicgen/nicgen/tb/bench"
)

// Beside is RTL beside its golden model, clocked by a test that says by hand what is to come: a cycle in which the two
// differ ends it.
type Beside struct {
	t                          testing.TB
	l                          *cosim.Layout
	inst                       *cosim.Instance
	golden                     cosim.Predictor
	idle, in, out, want, known []uint64
	cycles                     int
}

// Ports are inputs of one cycle by name.
type Ports map[string]uint64

// Beside powers up a configuration with its settings, resets it and waits until it is ready.
func (s Suite[P]) Beside(t testing.TB, p P) *Beside {
	t.Helper()
	b := s.Bench(p)
	lib, err := bench.Compile(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	x := &Beside{t: t, l: lib.Layout()}
	if x.inst, err = lib.New(cosim.InstanceOptions{Seed: 1}); err != nil {
		t.Fatal(errors.Join(err, lib.Close()))
	}
	t.Cleanup(func() {
		if err := errors.Join(x.inst.Close(), lib.Close()); err != nil {
			t.Error(err)
		}
	})
	if x.golden, err = b.NewBarePredictor(x.l); err != nil {
		t.Fatal(err)
	}
	x.idle, x.in = make([]uint64, x.l.InWords), make([]uint64, x.l.InWords)
	x.out, x.want, x.known = make([]uint64, x.l.OutWords), make([]uint64, x.l.OutWords), make([]uint64, x.l.OutWords)
	values, err := csr.Values(p)
	if err != nil {
		t.Fatal(err)
	}
	for port, v := range values {
		x.Set(port, v)
	}
	for range 4 {
		x.Cycle(Ports{"rst": 1})
	}
	x.Cycle(nil)
	if !x.Until(1<<20, func() bool { return x.Get("sts_ready") == 1 }) {
		t.Fatal("the unit is not ready")
	}
	return x
}

// Set drives an input from now on.
func (x *Beside) Set(port string, v uint64) { x.l.MustSlot(port).Set(x.idle, v) }

// Get reads an output of the last cycle.
func (x *Beside) Get(port string) uint64 { return x.l.MustSlot(port).Get(x.out) }

// Words reads an output of the last cycle that is wider than 64 bits, the lowest word first.
func (x *Beside) Words(port string) []uint64 { return x.l.MustSlot(port).Read(x.out) }

// Cycle lets a cycle pass, with some inputs for it alone.
func (x *Beside) Cycle(in Ports) {
	x.t.Helper()
	copy(x.in, x.idle)
	for port, v := range in {
		x.l.MustSlot(port).Set(x.in, v)
	}
	if _, err := x.inst.Run(x.in, x.out); err != nil {
		x.t.Fatal(err)
	}
	cosim.Observe(x.golden, x.out)
	clear(x.want)
	clear(x.known)
	x.golden.Step(x.in, x.want, x.known)
	if d := cosim.Diffs(x.l, x.want, x.known, x.out); len(d) > 0 {
		x.t.Fatalf("cycle %d: %+v; the golden model: %s", x.cycles, d, x.golden.Explain(x.in))
	}
	x.cycles++
}

// Until lets cycles pass, so many at most, until one is what is waited for, and tells whether one was.
func (x *Beside) Until(most int, found func() bool) bool {
	x.t.Helper()
	for range most {
		if x.Cycle(nil); found() {
			return true
		}
	}
	return false
}

// Pauses are lengths of pauses in the way of a time of so many bits: below, at and above half of its range, all of it, and
// twice as much.
func Pauses(bits int, by uint64) (list []uint64) {
	for _, at := range []uint64{1 << (bits - 1), 1 << bits, 2 << bits} {
		list = append(list, at-by, at-1, at, at+1, at+by)
	}
	return list
}
