// SPDX-License-Identifier: Apache-2.0

package lapspick_test

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/laps_pick"
	model "github.com/nicgen/nicgen/model/laps_pick"
)

// literalRace runs the race as the page describes it: addresses first, bit j of lane i at
// j·lanes+i; then the dither; then a bit for each level, from the leaves to the root.
func literalRace(p *params.Params, n *model.Noise, usable uint32, latency []uint16, bit func(int) int) int {
	s, lanes := p.Noise(), int(p.Lanes())
	address := make([]int, lanes)
	for i := range address {
		for j := range s.AddrBits {
			address[i] |= bit(j*lanes+i) << j
		}
	}
	dither := 0
	for j := range s.DitherBits {
		dither |= bit(lanes*s.AddrBits+j) << j
	}
	type runner struct {
		path, key int
		races     bool
	}
	field := make([]runner, 1<<p.Levels())
	for i, d := range latency {
		own, partner := address[i], address[i^1]
		noise := int(n.Words[own])
		if own < s.TailWords {
			noise -= int(n.Lower[partner]) << s.FractionBits
		}
		cut := params.FractionBits - s.FractionBits
		field[i] = runner{i, (int(d) + noise<<cut + int(n.Draw[partner]) + dither) >> cut, usable>>i&1 != 0 && d < params.DeadOctave<<params.FractionBits}
	}
	for l := 0; len(field) > 1; l++ {
		tie := bit(lanes*s.AddrBits+s.DitherBits+l) == 1
		var next []runner
		for i := 0; i < len(field); i += 2 {
			a, b := field[i], field[i+1]
			if b.races && (!a.races || b.key < a.key || b.key == a.key && tie) {
				a = b
			}
			next = append(next, a)
		}
		field = next
	}
	return field[0].path
}

// The model picks as the page describes, from any random bits: even ones, few ones and few zeros,
// among latencies that are close.
func TestRaceIsThatOfThePage(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, memory := range []string{gen.BRAM, params.LUT} {
		for paths := 2; paths <= 32; paths++ {
			p := configure(params.Race, memory, paths)
			m, n := model.New(p), model.NewNoise(p.Noise())
			random := make([]uint64, 7)
			d := make([]uint16, paths)
			for range 2000 {
				for i := range random {
					random[i] = r.Uint64()
					switch r.IntN(4) {
					case 0:
						random[i] &= r.Uint64() & r.Uint64()
					case 1:
						random[i] |= r.Uint64() | r.Uint64()
					}
				}
				base, width := r.IntN(31<<params.FractionBits), 1+r.IntN(1<<r.IntN(12))
				for i := range d {
					d[i] = uint16(min(base+r.IntN(width), 1<<params.LatencyBits-1))
				}
				usable := (r.Uint32() | r.Uint32()) & (1<<paths - 1)
				got := m.Choose(usable, d, random)
				if got.None || got.Saturated {
					continue
				}
				want := literalRace(p, n, usable, d, func(i int) int { return int(random[i/64] >> (i % 64) & 1) })
				if got.Index != want {
					t.Fatalf("%s, %d paths, usable %#x, latencies %v, random %x: path %d, the page says %d", memory, paths, usable, d, random, got.Index, want)
				}
			}
		}
	}
}

// Of two paths with equal latencies and equal keys, the bit of their level decides; the
// path that no bit can favour is the one that is not usable.
func TestTies(t *testing.T) {
	for _, paths := range []int{2, 4, 8, 16, 32} {
		p := configure(params.Race, gen.BRAM, paths)
		m := model.New(p)
		levels := bits.Len(uint(paths - 1))
		at := paths * p.Noise().AddrBits
		for v := range paths {
			random := make([]uint64, 7) // all addresses equal, so all keys are
			for l := range levels {
				random[(at+l)/64] |= uint64(v>>l&1) << ((at + l) % 64)
			}
			t.Run(fmt.Sprintf("%d of %d", v, paths), func(t *testing.T) {
				d := make([]uint16, paths)
				if got := m.Choose(uint32(1<<paths-1), d, random).Index; got != v {
					t.Errorf("path %d, want %d", got, v)
				}
				if got := m.Choose(uint32(1<<paths-1)&^(1<<v), d, random).Index; got == v {
					t.Errorf("path %d is not usable", got)
				}
			})
		}
	}
}

// The limits of Equation 1: with β = 0 packets spread evenly over all usable paths, regardless of
// their latencies; with a large β only paths of the least latency are picked, each equally often.
func TestLimitsOfEquation1(t *testing.T) {
	latency := []float64{12, 10, 20, 10, 11, 14, 10, 13} // µs
	for _, c := range []struct {
		beta float64 // octaves for each µs
		want []float64
	}{
		{0, []float64{.125, .125, .125, .125, .125, .125, .125, .125}},
		{30, []float64{0, 1. / 3, 0, 1. / 3, 0, 0, 1. / 3, 0}},
	} {
		d := make([]uint16, len(latency))
		for i, l := range latency {
			d[i] = quantise(min(c.beta*(l-10), 31))[0]
		}
		for _, k := range pickers {
			got := model.New(configure(k.picker, k.memory, len(d))).Distribution(0xff, d)
			if tv := model.Distance(got, c.want); tv > 1./4096 {
				t.Errorf("β = %g: %s picks with %v, want %v", c.beta, k.name, got, c.want)
			}
		}
	}
}
