// SPDX-License-Identifier: Apache-2.0

package benchtest

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/nicgen/nicgen/cosim"
)

// BenchmarkPredictor measures the golden side of a cycle of the default
// configuration, with coverage and bare, under the inputs of a speed measurement.
func (s Suite[P]) BenchmarkPredictor(b *testing.B) {
	for _, bare := range []bool{false, true} {
		name := "covered"
		if bare {
			name = "bare"
		}
		b.Run(name, func(b *testing.B) { s.predict(b, s.Measure(s.Default()), bare) })
	}
}

func (s Suite[P]) predict(b *testing.B, o cosim.MeasureOptions, bare bool) {
	unit := s.Bench(s.Default())
	if err := unit.Prepare(); err != nil {
		b.Fatal(err)
	}
	lib, err := cosim.Build(b.Context(), unit.Source(), cosim.BuildOptions{})
	if err != nil {
		b.Fatal(err)
	}
	defer lib.Close()
	l := lib.Layout()
	p, err := s.Predictor(unit.P, l, bare)
	if err != nil {
		b.Fatal(err)
	}
	const n = 1 << 14
	in := make([]uint64, n*l.InWords)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		v := in[i*l.InWords : (i+1)*l.InWords]
		for _, s := range l.Inputs {
			x := make([]uint64, s.Words())
			for w := range x {
				x[w] = r.Uint64()
			}
			if m, ok := o.Mask[s.Name]; ok {
				x[0] &= m
			}
			if f, ok := o.Fixed[s.Name]; ok {
				x = []uint64{f}
			}
			s.Write(v, x)
		}
	}
	idle := make([]uint64, l.InWords)
	for name, v := range o.Fixed {
		l.MustSlot(name).Write(idle, []uint64{v})
	}
	reset := slices.Clone(idle)
	l.MustSlot("rst").Set(reset, 1)
	want, care := make([]uint64, l.OutWords), make([]uint64, l.OutWords)
	p.Step(reset, want, care)
	for range o.Idle {
		p.Step(idle, want, care)
	}
	overwrites := p.Hooks().Overwrites
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		if !overwrites {
			clear(want)
			clear(care)
		}
		k := i & (n - 1) * l.InWords
		p.Step(in[k:k+l.InWords:k+l.InWords], want, care)
	}
	if p.Events() == 0 && b.N > 100 {
		b.Error("no events were accepted")
	}
}
