// SPDX-License-Identifier: Apache-2.0

package lapspick

import (
	"math"

	params "github.com/nicgen/nicgen/gen/laps_pick"
)

// The lookup's table of 2^-f, f of 9 fraction bits: a coarse part from the high six bits, less a
// fine part from the low three and the high three.
const (
	mantissaMax = 8191 // of f = 0; all have 13 bits
	coarseBits  = 6
	fineBits    = 3
)

// Coarse returns the table's word for the high six bits of a fraction: 8191·2^-f, rounded.
func Coarse(high uint32) uint32 {
	return uint32(math.Round(mantissaMax * math.Exp2(-float64(high)/(1<<coarseBits))))
}

// Fine returns the reduction by the low three bits of a fraction, for the middle of the eighth of an
// octave that its high three bits name.
func Fine(high, low uint32) uint32 {
	f := (float64(high) + 0.5) / (1 << fineBits)
	return uint32(math.Round(mantissaMax * math.Exp2(-f) * (1 - math.Exp2(-float64(low)/(1<<params.FractionBits)))))
}

var coarse, fine = func() (c [1 << coarseBits]uint32, f [1 << fineBits][1 << fineBits]uint32) {
	for i := range c {
		c[i] = Coarse(uint32(i))
	}
	for h := range f {
		for l := range f[h] {
			f[h][l] = Fine(uint32(h), uint32(l))
		}
	}
	return c, f
}()

// mantissa returns 2^-f for the fraction of a latency, 13 bits, the highest of them set.
func mantissa(latency uint16) uint32 {
	f := latency & (1<<params.FractionBits - 1)
	return coarse[f>>fineBits] - fine[f>>(params.FractionBits-fineBits)][f&(1<<fineBits-1)]
}

// weigh computes the weights of all paths: the mantissa of the latency's fraction, shifted by its
// octave less the smallest octave. It returns their sum.
func (m *Picker) weigh(alive uint32, latency []uint16) (total uint64) {
	least := uint16(params.DeadOctave)
	for i, d := range latency {
		if alive>>i&1 != 0 {
			least = min(least, d>>params.FractionBits)
		}
	}
	for i, d := range latency {
		m.weight[i] = 0
		if alive>>i&1 != 0 {
			m.weight[i] = uint64(mantissa(d)) << (params.WeightBits - 13) >> (d>>params.FractionBits - least)
			m.Seen.Lost = m.Seen.Lost || m.weight[i] == 0
		}
		total += m.weight[i]
	}
	return total
}

// lookup compares the running sum of the weights with a threshold: a uniform random number of 24
// bits, as a fraction of the whole sum.
func (m *Picker) lookup(alive uint32, latency []uint16, uniform uint64) int {
	threshold := uniform * m.weigh(alive, latency) >> params.UniformBits
	var sum uint64
	for i, w := range m.weight {
		if sum += w; sum > threshold {
			return i
		}
	}
	panic("laps_pick: the threshold is below the sum of the weights")
}
