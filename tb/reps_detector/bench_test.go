// SPDX-License-Identifier: Apache-2.0

package repsdetector_test

import (
	"math/rand/v2"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/reps_detector"
	detector "github.com/nicgen/nicgen/tb/reps_detector"
)

// BenchmarkPredictor is the golden side of a cycle: events on all ports with even
// chances, over all connections.
func BenchmarkPredictor(b *testing.B) {
	b.Run("covered", func(b *testing.B) { predict(b, (*detector.Bench).NewPredictor) })
	b.Run("bare", func(b *testing.B) { predict(b, (*detector.Bench).NewBarePredictor) })
}

func predict(b *testing.B, golden func(*detector.Bench, *cosim.Layout) (cosim.Predictor, error)) {
	bench := &detector.Bench{P: params.Default()}
	if err := bench.Prepare(); err != nil {
		b.Fatal(err)
	}
	lib, err := cosim.Build(b.Context(), bench.Source(), cosim.BuildOptions{})
	if err != nil {
		b.Fatal(err)
	}
	defer lib.Close()
	l := lib.Layout()
	p, err := golden(bench, l)
	if err != nil {
		b.Fatal(err)
	}
	o := detector.Measure(bench.P)
	const n = 1 << 14
	in := make([]uint64, n*l.InWords)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		v := in[i*l.InWords : (i+1)*l.InWords]
		for _, s := range l.Inputs {
			x := r.Uint64()
			if m, ok := o.Mask[s.Name]; ok {
				x &= m
			}
			if f, ok := o.Fixed[s.Name]; ok {
				x = f
			}
			s.Set(v, x)
		}
	}
	reset, idle := make([]uint64, l.InWords), make([]uint64, l.InWords)
	l.MustSlot("rst").Set(reset, 1)
	want, care := make([]uint64, l.OutWords), make([]uint64, l.OutWords)
	p.Step(reset, want, care)
	for range o.Idle {
		p.Step(idle, want, care)
	}
	b.ReportAllocs()
	b.ResetTimer()
	for i := range b.N {
		clear(want)
		clear(care)
		k := i & (n - 1) * l.InWords
		p.Step(in[k:k+l.InWords:k+l.InWords], want, care)
	}
	if p.Events() == 0 && b.N > 100 {
		b.Error("no events were accepted")
	}
}
