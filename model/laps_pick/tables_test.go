// SPDX-License-Identifier: Apache-2.0

package lapspick

import (
	"slices"
	"testing"

	params "github.com/nicgen/nicgen/gen/laps_pick"
)

// The tables that the generator writes are those of the model, which computes them by
// itself: noise with zeros, weights, and the taps of the random generator.
func TestTablesAgree(t *testing.T) {
	for _, memory := range []string{params.BRAM, params.LUT} {
		p := params.Default()
		p.NoiseMemory = memory
		shape := p.Noise()
		n := NewNoise(shape)
		for a, w := range n.Words {
			want := uint64(w) | uint64(n.Zeros(uint32(a)))<<(5+shape.FractionBits)
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

// Noise has the order of its addresses but for the splice, whose words lie in one octave that no
// other word does, and which the zeros lower without a borrow.
func TestNoise(t *testing.T) {
	for _, memory := range []string{params.BRAM, params.LUT} {
		p := params.Default()
		p.NoiseMemory = memory
		n := NewNoise(p.Noise())
		if !slices.IsSorted(n.Words) {
			t.Errorf("%s: noise does not ascend", memory)
		}
		for a, w := range n.Words {
			octave := w >> n.Shape.FractionBits
			spliced := a>>n.Shape.SpliceBits == 0
			if spliced != (octave == 15) || octave < 15 || octave > 24 {
				t.Errorf("%s: the word at %d has octave %d", memory, a, octave)
			}
			for z := range n.Shape.AddrBits + 1 {
				got := n.At(uint32(a), 1<<z) >> n.Shape.FractionBits
				if want := octave ^ uint32(z); spliced && got != want || !spliced && got != octave {
					t.Errorf("%s: the word at %d with %d zeros has octave %d", memory, a, z, got)
				}
			}
		}
	}
}
