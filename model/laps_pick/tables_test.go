// SPDX-License-Identifier: Apache-2.0

package lapspick

import (
	"math"
	"slices"
	"testing"

	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/laps_pick"
)

// The tables that the generator writes equal the model's, which computes them separately: noise
// with zeros, weights, and the taps of the random generator.
func TestTablesAgree(t *testing.T) {
	for _, memory := range []string{gen.BRAM, params.LUT} {
		p := params.Default()
		p.NoiseMemory = memory
		shape := p.Noise()
		n := NewNoise(shape)
		for a, w := range n.Words {
			want := (uint64(n.Lower[a])<<(5+shape.FractionBits)|uint64(w))<<shape.DrawBits | uint64(n.Draw[a])
			if got := shape.Word(a); got != want {
				t.Errorf("%s: noise %d is %#x in the generator, %#x in the model", memory, a, got, want)
			}
		}
	}
	for f := range 64 {
		if got, want := params.CoarseWord(f), uint64(Coarse(uint32(f))); got != want {
			t.Errorf("coarse word %d is %d in the generator, %d in the model", f, got, want)
		}
		if got, want := params.FineWord(f>>3, f&7), uint64(Fine(uint32(f>>3), uint32(f&7))); got != want {
			t.Errorf("fine word %d is %d in the generator, %d in the model", f, got, want)
		}
	}
	for k := int64(2); k <= 32; k++ {
		for _, picker := range []string{params.Race, params.Lookup} {
			p := params.Default()
			p.Paths, p.Picker = k, picker
			r := NewRandom(p.RandomBits())
			if r.Bits() != p.StateBits() || len(r.blocks) != len(p.Blocks()) {
				t.Fatalf("%d paths, %s: a generator of %d bits in the model, %d in the generator", k, picker, r.Bits(), p.StateBits())
			}
			for i, b := range p.Blocks() {
				taps := Taps(r.blocks[i].bits, seeds[r.blocks[i].bits])
				for j := range taps {
					for k := range taps[j] {
						taps[j][k] += b.First
					}
					if !slices.Equal(taps[j], b.Taps[j]) {
						t.Errorf("block of %d bits, bit %d: taps %v in the generator, %v in the model", len(taps), j, b.Taps[j], taps[j])
					}
				}
			}
		}
	}
}

// The words of the tail lie in octave 15, all others above it, and both ascend; lowering by an
// address's amount neither borrows nor becomes negative, and equals exclusive or. All numbers to
// draw are equally likely, and the octaves to lower by are as likely as the octaves of an
// exponential variable below the tail's end, to half an address.
func TestNoise(t *testing.T) {
	for _, memory := range []string{gen.BRAM, params.LUT} {
		p := params.Default()
		p.NoiseMemory = memory
		s := p.Noise()
		n := NewNoise(s)
		if !slices.IsSorted(n.Words) {
			t.Errorf("%s: noise does not ascend", memory)
		}
		size := len(n.Words)
		drawn, lower := map[uint32]int{}, make([]float64, 1<<params.LowerBits)
		for a, w := range n.Words {
			octave := w >> s.FractionBits
			if (a < s.TailWords) != (octave == 15) || octave < 15 || octave > 24 {
				t.Errorf("%s: the word at %d has octave %d", memory, a, octave)
			}
			if l := n.Lower[a]; l > 15 || 15^l != 15-l {
				t.Errorf("%s: address %d lowers by %d octaves", memory, a, l)
			}
			for k := range n.Lower[a] {
				lower[k+1]++
			}
			drawn[n.Draw[a]]++
		}
		if len(drawn) != 1<<s.DrawBits {
			t.Errorf("%s: %d numbers to draw, want %d", memory, len(drawn), 1<<s.DrawBits)
		}
		for d, count := range drawn {
			if count != size>>s.DrawBits {
				t.Errorf("%s: %d addresses say %d", memory, count, d)
			}
		}
		share := float64(s.TailWords) / float64(size)
		for k := 1; k <= s.AddrBits; k++ {
			want := float64(size) * math.Exp2(-float64(k))
			if s.DrawBits > 0 {
				want = float64(size) * (1 - math.Pow(1-share, math.Exp2(-float64(k)))) / share
			}
			if math.Abs(lower[k]-want) > 0.5 {
				t.Errorf("%s: %g addresses lower by %d octaves or more, want %.2f", memory, lower[k], k, want)
			}
		}
	}
}
