// SPDX-License-Identifier: Apache-2.0

package lapspick

import (
	"math"
	"math/bits"
	"slices"

	params "github.com/nicgen/nicgen/gen/laps_pick"
)

// Noise is a table of noise of the race: for each address, a sample of
//
//	log2(E) + Offset octaves,   E exponentially distributed, mean 1
//
// rounded to FractionBits. The address is a random number; E is -ln(1-V) at the
// middle V of its part of the range 0 to 1. The first 2^SpliceBits addresses stand
// for all of the smallest values, by splicing: their words lie in the octave of V
// just below theirs, and are lowered by as many octaves as the address of the lane's
// partner has zeros at its low end: none with a chance of 1/2, one with 1/4, ….
type Noise struct {
	Shape params.Noise
	Words []uint32 // UQ5.FractionBits

	// The noise of all addresses in ascending order, by the zeros of the address and
	// of its partner's.
	byZeros [][][]uint32
}

// Offset is what is added to the noise: octaves lowered by up to 15 are not negative.
func Offset(s params.Noise) int { return s.AddrBits - s.SpliceBits + 1<<params.ZeroBits }

// NewNoise computes the table.
func NewNoise(s params.Noise) *Noise {
	n := &Noise{Shape: s, Words: make([]uint32, 1<<s.AddrBits)}
	for a := range n.Words {
		v := math.Ldexp(float64(a)+0.5, -s.AddrBits)
		if a>>s.SpliceBits == 0 {
			v = math.Ldexp(1+math.Ldexp(float64(a)+0.5, -s.SpliceBits), s.SpliceBits-s.AddrBits-1)
		}
		octaves := math.Log2(-math.Log1p(-v))
		if a>>s.SpliceBits == 0 {
			// E is larger than V by a part that halves with each octave down: on
			// average it is 2/3 of what it is here.
			octaves -= (octaves - math.Log2(v)) / 3
		}
		n.Words[a] = uint32(math.Round(math.Ldexp(octaves+float64(Offset(s)), s.FractionBits)))
		if a>>s.SpliceBits == 0 {
			// That must not lead out of the octave.
			n.Words[a] = min(n.Words[a], 1<<(params.ZeroBits+s.FractionBits)-1)
		}
	}
	n.byZeros = make([][][]uint32, s.AddrBits+1)
	for own := range n.byZeros {
		n.byZeros[own] = make([][]uint32, s.AddrBits+1)
	}
	for a := range uint32(len(n.Words)) {
		for partner := range n.byZeros {
			list := &n.byZeros[n.Zeros(a)][partner]
			*list = append(*list, n.At(a, 1<<partner))
		}
	}
	for _, lists := range n.byZeros {
		for _, list := range lists {
			slices.Sort(list)
		}
	}
	return n
}

// Zeros is the number of zeros at the low end of an address; all of them if it is 0.
func (n *Noise) Zeros(addr uint32) uint32 {
	return uint32(bits.TrailingZeros32(addr | 1<<n.Shape.AddrBits))
}

// At is the noise of a lane: addr is its own address, partner that of its partner.
func (n *Noise) At(addr, partner uint32) uint32 {
	w := n.Words[addr]
	if addr>>n.Shape.SpliceBits == 0 {
		w -= n.Zeros(partner) << n.Shape.FractionBits
	}
	return w
}

// Key is what races: the latency and the noise, cut to KeyFraction bits behind the
// point after the dither has been added.
func (n *Noise) Key(latency, noise, dither uint32) uint32 {
	return (latency + noise<<(params.FractionBits-n.Shape.FractionBits) + dither) >> (params.FractionBits - n.Shape.KeyFraction)
}
