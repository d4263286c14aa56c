// SPDX-License-Identifier: Apache-2.0

package lapspick

import (
	"math"
	"math/bits"

	params "github.com/nicgen/nicgen/gen/laps_pick"
)

// Noise is a table of noise of the race: for each address, which is a random number, a
// sample of
//
//	log2(E) + a constant,   E exponentially distributed, mean 1
//
// in UQ5.FractionBits. E is -ln(1-V) at the middle V of the address's part of the range 0 to 1. The
// first addresses, the tail, represent all of the smallest values: only their words lie in octave
// 15, and they are lowered by the number of octaves in the address of the lane's partner.
type Noise struct {
	Shape params.Noise
	Words []uint32 // UQ5.FractionBits
	Lower []uint32 // octaves by which an address lowers the partner's tail words
	Draw  []uint32 // by address: amount added below the partner's key; 0 if DrawBits is

	value []uint32 // the words in units of a latency
}

// bodyMiddle returns the middle of the part of the range 0 to 1 for which an address above the tail
// stands.
func bodyMiddle(s params.Noise, addr int) float64 {
	cell := 1
	if addr >= 64 {
		cell <<= s.CellBits
	}
	return math.Ldexp(float64(addr-addr%cell)+float64(cell)/2, -s.AddrBits)
}

// NewNoise computes the table.
func NewNoise(s params.Noise) *Noise {
	size := 1 << s.AddrBits
	n := &Noise{Shape: s, Words: make([]uint32, size), Lower: make([]uint32, size), Draw: make([]uint32, size), value: make([]uint32, size)}
	n.lower()
	// end is the end of the tail's octave: E is below it with the tail's chance. If octaves halve
	// that chance exactly, E is taken to be as large as the chance.
	chance := math.Ldexp(float64(s.TailWords), -s.AddrBits)
	end := chance
	if s.DrawBits > 0 {
		end = -math.Log1p(-chance)
	}
	low := math.Exp(-end / 2) // chance to be above the octave's low end
	for a := range n.Words {
		e := -math.Log1p(-bodyMiddle(s, a))
		if part := (float64(a) + 0.5) / float64(s.TailWords); part < 1 && s.DrawBits > 0 {
			e = -math.Log(low + (math.Exp(-end)-low)*part)
		} else if part < 1 {
			e = end * (0.5 + 0.5*part)
		}
		// The number drawn from the partner adds half a unit on average, less half of its step.
		half := 0.5 - math.Ldexp(0.5, -s.DrawBits)
		word := math.Round(math.Ldexp(16-float64(s.Shift)/256+math.Log2(e/end), s.FractionBits) - half)
		// Rounding must not lead into the tail's octave, nor out of it.
		octave := math.Ldexp(1, s.FractionBits)
		if a < s.TailWords {
			word = max(15*octave, min(word, 16*octave-1))
		} else {
			word = max(word, 16*octave)
		}
		n.Words[a] = uint32(word)
		n.value[a] = n.Words[a] << (params.FractionBits - s.FractionBits)
		if s.DrawBits > 0 {
			n.Draw[a] = uint32(a*433%size) >> (s.AddrBits - s.DrawBits)
		}
	}
	return n
}

// lower fills Lower. With DrawBits the octaves have the distribution of E's octaves below the
// tail's end: each octave takes the addresses, read from their last bit to their first, below a
// limit. Without DrawBits, Lower is the number of zeros at the address's low end.
func (n *Noise) lower() {
	s := n.Shape
	if s.DrawBits == 0 {
		for a := range n.Lower {
			n.Lower[a] = uint32(bits.TrailingZeros32(uint32(a) | 1<<s.AddrBits))
		}
		return
	}
	chance := math.Ldexp(float64(s.TailWords), -s.AddrBits)
	end := -math.Log1p(-chance)
	for {
		end /= 2
		limit := uint32(math.Round(math.Ldexp((1-math.Exp(-end))/chance, s.AddrBits)))
		if limit == 0 {
			return
		}
		for i := range limit {
			n.Lower[bits.Reverse32(i)>>(32-s.AddrBits)]++
		}
	}
}

// Key returns the key that races: a latency and a lane's noise, cut to FractionBits fraction bits.
// own is the lane's address, partner its partner's; dither is common to all lanes.
func (n *Noise) Key(latency, own, partner, dither uint32) uint32 {
	sum := latency + n.value[own] + n.Draw[partner] + dither
	if own < uint32(n.Shape.TailWords) {
		sum -= n.Lower[partner] << params.FractionBits
	}
	return sum >> (params.FractionBits - n.Shape.FractionBits)
}
