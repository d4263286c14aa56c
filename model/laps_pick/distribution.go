// SPDX-License-Identifier: Apache-2.0

package lapspick

import (
	"math"
	"math/bits"

	params "github.com/nicgen/nicgen/gen/laps_pick"
)

// Softmax is the exact distribution: 2^-d over the sum of that, for each path whose
// bit in usable is set; latency in octaves, not rounded.
func Softmax(usable uint32, latency []float64) []float64 {
	out := make([]float64, len(latency))
	least := math.Inf(1)
	for i, d := range latency {
		if usable>>i&1 != 0 {
			least = min(least, d)
		}
	}
	sum := 0.0
	for i, d := range latency {
		if usable>>i&1 != 0 {
			out[i] = math.Exp2(least - d)
			sum += out[i]
		}
	}
	for i := range out {
		out[i] /= sum
	}
	return out
}

// Distance is the total variation between two distributions: half of the sum of
// the differences, the largest difference that the chance of any event can have.
func Distance(p, q []float64) float64 {
	sum := 0.0
	for i := range p {
		sum += math.Abs(p[i] - q[i])
	}
	return sum / 2
}

// Distribution is the exact chance of each path to be picked if the random bits of a
// pick are independent and even, by enumeration of those bits: no sampling.
func (m *Picker) Distribution(usable uint32, latency []uint16) []float64 {
	out := make([]float64, len(latency))
	alive := uint32(0)
	for i, d := range latency {
		if usable>>i&1 != 0 && !Dead(d) {
			alive |= 1 << i
		}
	}
	switch {
	case usable == 0:
	case alive == 0:
		out[bits.TrailingZeros32(usable)] = 1
	case m.p.Picker == params.Lookup:
		m.cumulative(alive, latency, out)
	default:
		m.enumerate(alive, latency, out)
	}
	return out
}

// cumulative counts, for each path, the uniform numbers that lead to it: the smallest
// u whose threshold u·total/2^n reaches a sum is that sum·2^n/total, rounded up.
func (m *Picker) cumulative(alive uint32, latency []uint16, out []float64) {
	total := m.weigh(alive, latency)
	var sum, from uint64
	for i := range latency {
		sum += m.weight[i]
		to := (sum<<params.UniformBits + total - 1) / total
		out[i] = float64(to-from) / (1 << params.UniformBits)
		from = to
	}
}

// contest is the outcome of a subtree of the race: for each key, in ascending order,
// the chance that it is the smallest, and that it belongs to each path.
type contest struct {
	first  int
	chance [][]float64 // by path from first, then key: it wins with that key
}

// enumerate computes the chances of the race. The noise of the two lanes of a pair
// depends on both of their addresses, so leaves are pairs; pairs are independent of
// each other, and so are the bits that break ties at different levels.
func (m *Picker) enumerate(alive uint32, latency []uint16, out []float64) {
	dithers := uint32(1) << m.shape.DitherBits
	for dither := range dithers {
		var nodes []*contest
		for i := 0; i < 1<<m.levels; i += 2 {
			nodes = append(nodes, m.pair(alive, latency, i, dither))
		}
		for len(nodes) > 1 {
			for i := range len(nodes) / 2 {
				nodes[i] = meet(nodes[2*i], nodes[2*i+1])
			}
			nodes = nodes[:len(nodes)/2]
		}
		for i, keys := range nodes[0].chance {
			for _, c := range keys {
				if nodes[0].first+i < len(out) {
					out[nodes[0].first+i] += c / float64(dithers)
				}
			}
		}
	}
}

// keyCount is the number of different keys, that of a path which does not race included.
func (m *Picker) keyCount() int { return 1 << (6 + m.shape.KeyFraction) }

// pair enumerates the addresses of two lanes. Only the zeros of an address bear on
// the partner: lane i is a list of keys for each number of its zeros and of those of
// the partner.
func (m *Picker) pair(alive uint32, latency []uint16, first int, dither uint32) *contest {
	n := m.keyCount()
	c := &contest{first: first, chance: [][]float64{make([]float64, n), make([]float64, n)}}
	var lane [2][][][]int
	for k := range lane {
		lane[k] = m.laneKeys(alive, latency, first+k, dither)
	}
	scale := math.Ldexp(1, -2*m.shape.AddrBits)
	for own := range lane[0] {
		for partner := range lane[1] {
			a, b := lane[0][own][partner], lane[1][partner][own]
			wins(c.chance[0], a, b, scale)
			wins(c.chance[1], b, a, scale)
		}
	}
	return c
}

// wins adds, for each key in a, its chance to be below those in b, or equal and
// chosen. Both are sorted.
func wins(chance []float64, a, b []int, scale float64) {
	below, upTo := 0, 0 // of b, below and up to the key
	for _, k := range a {
		for below < len(b) && b[below] < k {
			below++
		}
		for upTo < len(b) && b[upTo] <= k {
			upTo++
		}
		chance[k] += scale * (float64(len(b)-upTo) + float64(upTo-below)/2)
	}
}

// laneKeys lists the keys of a lane over all of its addresses, in ascending order, by
// the zeros of the address and those of its partner's.
func (m *Picker) laneKeys(alive uint32, latency []uint16, i int, dither uint32) [][][]int {
	out := make([][][]int, len(m.noise.byZeros))
	for own := range out {
		out[own] = make([][]int, len(out))
		for partner, noise := range m.noise.byZeros[own] {
			keys := make([]int, len(noise))
			for k, n := range noise {
				keys[k] = m.keyCount() - 1
				if alive>>i&1 != 0 {
					keys[k] = int(m.noise.Key(uint32(latency[i]), n, dither))
				}
			}
			out[own][partner] = keys
		}
	}
	return out
}

// meet lets the winners of two subtrees race.
func meet(a, b *contest) *contest {
	c := &contest{first: a.first}
	for _, side := range [][2]*contest{{a, b}, {b, a}} {
		own, other := side[0], side[1]
		n := len(own.chance[0])
		factor := make([]float64, n)
		above := 0.0
		for k := n - 1; k >= 0; k-- {
			equal := 0.0
			for _, keys := range other.chance {
				equal += keys[k]
			}
			factor[k] = above + equal/2
			above += equal
		}
		for _, keys := range own.chance {
			won := make([]float64, n)
			for k := range won {
				won[k] = keys[k] * factor[k]
			}
			c.chance = append(c.chance, won)
		}
	}
	return c
}
