// SPDX-License-Identifier: Apache-2.0

package benchtest

import (
	"fmt"
	"testing"

	"github.com/nicgen/nicgen/cosim"
)

// Lockstep is the RTL of a unit and its golden model, which a directed test drives by port names, and compares with
// what it computes by itself. Each cycle fails the test where RTL and model differ.
type Lockstep struct {
	Library  *cosim.Library
	Instance *cosim.Instance
	Model    cosim.Predictor

	t                   testing.TB
	in, out, want, care []uint64
}

// Lockstep powers up the RTL of a configuration, beside the model.
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
		t.Fatal(err)
	}
	t.Cleanup(func() {
		for _, close := range []func() error{inst.Close, lib.Close} {
			if err := close(); err != nil {
				t.Error(err)
			}
		}
	})
	l := lib.Layout()
	model, err := b.NewPredictor(l)
	if err != nil {
		t.Fatal(err)
	}
	words := func(n int) []uint64 { return make([]uint64, n) }
	return &Lockstep{
		Library: lib, Instance: inst, Model: model,
		t: t, in: words(l.InWords), out: words(l.OutWords), want: words(l.OutWords), care: words(l.OutWords),
	}
}

// Set gives an input a value, from now on.
func (l *Lockstep) Set(port string, v uint64) {
	l.t.Helper()
	slot := l.Library.Layout().MustSlot(port)
	if v&^slot.Mask() != 0 {
		l.t.Fatalf("0x%x does not fit into %s, which has %d bits", v, port, slot.Width)
	}
	slot.Set(l.in, v)
}

// Get returns an output of the last cycle.
func (l *Lockstep) Get(port string) uint64 { return l.Library.Layout().MustSlot(port).Get(l.out) }

// Step lets n cycles pass.
func (l *Lockstep) Step(n int) {
	l.t.Helper()
	for range n {
		if _, err := l.Instance.Run(l.in, l.out); err != nil {
			l.t.Fatal(err)
		}
		clear(l.want)
		clear(l.care)
		l.Model.Step(l.in, l.want, l.care)
		for w := range l.out {
			if (l.out[w]^l.want[w])&l.care[w] != 0 {
				l.t.Fatal(l.differs(w))
			}
		}
	}
}

// differs says which output differs in a word.
func (l *Lockstep) differs(word int) string {
	for _, o := range l.Library.Layout().Outputs {
		if at := word - o.Word; at >= 0 && at < o.Words() {
			got, want, care := o.Read(l.out)[at], o.Read(l.want)[at], o.Read(l.care)[at]
			if (got^want)&care != 0 {
				return fmt.Sprintf("%s: word %d is 0x%x, the model has 0x%x: %s", o.Name, at, got, want, l.Model.Explain(l.in))
			}
		}
	}
	return fmt.Sprintf("RTL and model differ: %s", l.Model.Explain(l.in))
}

// Pulse drives inputs for a cycle, and then 0.
func (l *Lockstep) Pulse(in map[string]uint64) {
	l.t.Helper()
	for port, v := range in {
		l.Set(port, v)
	}
	l.Step(1)
	for port := range in {
		l.Set(port, 0)
	}
}

// Until lets cycles pass until an output is not 0, and returns how many after the first; most is an error.
func (l *Lockstep) Until(port string, most int) int {
	l.t.Helper()
	for n := range most {
		if l.Step(1); l.Get(port) != 0 {
			return n
		}
	}
	l.t.Fatalf("no %s within %d cycles", port, most)
	return 0
}
