// SPDX-License-Identifier: Apache-2.0

package benchtest

import (
	"errors"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen/csr"
)

// Lockstep is the RTL of a unit and its golden model, which a directed test drives by port names and compares with its
// own expectations. A cycle in which RTL and model differ ends the test.
type Lockstep struct {
	Library  *cosim.Library
	Instance *cosim.Instance
	Model    cosim.Predictor

	t                          testing.TB
	layout                     *cosim.Layout
	idle, in, out, want, known []uint64
	cycles                     int
}

// Ports are inputs of one cycle by name.
type Ports map[string]uint64

// Lockstep powers up the RTL of a configuration, with the model.
func (s Suite[P]) Lockstep(t testing.TB, p P, o cosim.BuildOptions) *Lockstep {
	t.Helper()
	b := s.Bench(p)
	if err := b.Prepare(); err != nil {
		t.Fatal(err)
	}
	lib, err := cosim.Build(t.Context(), b.Source(), o)
	if err != nil {
		t.Fatal(err)
	}
	inst, err := lib.New(cosim.InstanceOptions{Seed: 1})
	if err != nil {
		t.Fatal(errors.Join(err, lib.Close()))
	}
	t.Cleanup(func() {
		if err := errors.Join(inst.Close(), lib.Close()); err != nil {
			t.Error(err)
		}
	})
	l := lib.Layout()
	model, err := b.NewPredictor(l, true)
	if err != nil {
		t.Fatal(err)
	}
	words := func(n int) []uint64 { return make([]uint64, n) }
	return &Lockstep{
		Library: lib, Instance: inst, Model: model, t: t, layout: l,
		idle: words(l.InWords), in: words(l.InWords), out: words(l.OutWords), want: words(l.OutWords), known: words(l.OutWords),
	}
}

// Ready is a Lockstep with the configuration's settings, behind a reset and ready.
func (s Suite[P]) Ready(t testing.TB, p P) *Lockstep {
	t.Helper()
	x := s.Lockstep(t, p, cosim.BuildOptions{})
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
	x.Step(1)
	x.Await("sts_ready", 1<<20)
	return x
}

// Set drives an input from now on.
func (x *Lockstep) Set(port string, v uint64) {
	x.t.Helper()
	x.set(x.idle, port, v)
}

func (x *Lockstep) set(in []uint64, port string, v uint64) {
	x.t.Helper()
	slot := x.layout.MustSlot(port)
	if v&^slot.Mask() != 0 {
		x.t.Fatalf("%#x does not fit into %s, which has %d bits", v, port, slot.Width)
	}
	slot.Set(in, v)
}

// Get reads an output of the last cycle.
func (x *Lockstep) Get(port string) uint64 { return x.layout.MustSlot(port).Get(x.out) }

// Words reads an output of the last cycle that is wider than 64 bits, the lowest word first.
func (x *Lockstep) Words(port string) []uint64 { return x.layout.MustSlot(port).Read(x.out) }

// Cycle lets a cycle pass, with some inputs for it alone.
func (x *Lockstep) Cycle(in Ports) {
	x.t.Helper()
	copy(x.in, x.idle)
	for port, v := range in {
		x.set(x.in, port, v)
	}
	if _, err := x.Instance.Run(x.in, x.out); err != nil {
		x.t.Fatal(err)
	}
	if observe := x.Model.Hooks().Observe; observe != nil {
		observe(x.out)
	}
	clear(x.want)
	clear(x.known)
	x.Model.Step(x.in, x.want, x.known)
	if d := cosim.Diffs(x.layout, x.want, x.known, x.out); len(d) > 0 {
		x.t.Fatalf("cycle %d: %+v; the golden model: %s", x.cycles, d, x.Model.Explain(x.in))
	}
	x.cycles++
}

// Step lets n cycles pass.
func (x *Lockstep) Step(n int) {
	x.t.Helper()
	for range n {
		x.Cycle(nil)
	}
}

// Until lets at most the given number of cycles pass, until one meets the condition, and reports whether
// one did.
func (x *Lockstep) Until(most int, found func() bool) bool {
	x.t.Helper()
	for range most {
		if x.Cycle(nil); found() {
			return true
		}
	}
	return false
}

// Await lets at most the given number of cycles pass, until an output is not 0; if it stays 0,
// the test ends.
func (x *Lockstep) Await(port string, most int) {
	x.t.Helper()
	if !x.Until(most, func() bool { return x.Get(port) != 0 }) {
		x.t.Fatalf("no %s within %d cycles", port, most)
	}
}

// Pauses returns critical lengths of pauses for a time of the given width: below, at and above half of its range, its
// whole range, and twice as much.
func Pauses(bits int, by uint64) (list []uint64) {
	for _, at := range []uint64{1 << (bits - 1), 1 << bits, 2 << bits} {
		list = append(list, at-by, at-1, at, at+1, at+by)
	}
	return list
}
