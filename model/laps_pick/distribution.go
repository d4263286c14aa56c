// SPDX-License-Identifier: Apache-2.0

package lapspick

import (
	"cmp"
	"math"
	"math/bits"
	"slices"

	params "github.com/nicgen/nicgen/gen/laps_pick"
)

// Softmax returns the exact distribution: 2^-d over the sum of that, for each path whose
// bit in usable is set; latency in octaves, not rounded. At least one bit must be set.
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

// Distance returns the total variation between two distributions: half of the sum of the
// differences, the largest difference that the chance of any event can have. Both must have the
// same number of paths.
func Distance(p, q []float64) float64 {
	sum := 0.0
	for i := range p {
		sum += math.Abs(p[i] - q[i])
	}
	return sum / 2
}

// Distribution returns the exact chance of each path to be picked if the random bits of a
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

// cumulative returns, for each path, the number of uniform numbers that lead to it: the smallest u
// whose threshold u·total/2^n reaches a sum is that sum·2^n/total, rounded up.
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
	classes, dithers := m.noise.classes(), uint32(1)<<m.shape.DitherBits
	for dither := range dithers {
		var nodes []*contest
		for i := 0; i < 1<<m.levels; i += 2 {
			nodes = append(nodes, m.pair(classes, alive, latency, i, dither))
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

// keyCount returns the number of different keys, including the key of a path that does not race.
func (m *Picker) keyCount() int { return 1 << m.shape.KeyBits() }

// class are the addresses that are the same to the partner.
type class struct {
	lower, draw uint32
	tail, body  []uint32 // their words, ascending
}

// classes lists them.
func (n *Noise) classes() []class {
	var all []class
	index := map[[2]uint32]int{}
	for a, w := range n.Words {
		k := [2]uint32{n.Lower[a], n.Draw[a]}
		i, ok := index[k]
		if !ok {
			i = len(all)
			index[k] = i
			all = append(all, class{lower: k[0], draw: k[1]})
		}
		c := &all[i]
		if a < n.Shape.TailWords {
			c.tail = append(c.tail, w)
		} else {
			c.body = append(c.body, w)
		}
	}
	for _, c := range all {
		slices.Sort(c.tail)
		slices.Sort(c.body)
	}
	slices.SortFunc(all, func(a, b class) int {
		return cmp.Or(cmp.Compare(a.lower, b.lower), cmp.Compare(a.draw, b.draw))
	})
	return all
}

// pair enumerates the addresses of two lanes: for each class of the one's and of the other's, the
// keys of both.
func (m *Picker) pair(classes []class, alive uint32, latency []uint16, first int, dither uint32) *contest {
	n := m.keyCount()
	c := &contest{first: first, chance: [][]float64{make([]float64, n), make([]float64, n)}}
	scale := math.Ldexp(1, -2*m.shape.AddrBits)
	var keys [2][]int
	for _, own := range classes {
		for _, partner := range classes {
			keys[0] = m.laneKeys(keys[0][:0], alive, latency, first, &own, &partner, dither)
			keys[1] = m.laneKeys(keys[1][:0], alive, latency, first+1, &partner, &own, dither)
			wins(c.chance[0], keys[0], keys[1], scale)
			wins(c.chance[1], keys[1], keys[0], scale)
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

// laneKeys appends the keys of a lane over its addresses of one class, in ascending
// order, with a partner of another class.
func (m *Picker) laneKeys(keys []int, alive uint32, latency []uint16, i int, own, partner *class, dither uint32) []int {
	if alive>>i&1 == 0 {
		for range len(own.tail) + len(own.body) {
			keys = append(keys, m.keyCount()-1)
		}
		return keys
	}
	cut := params.FractionBits - m.shape.FractionBits
	add := uint32(latency[i]) + partner.draw + dither
	for _, w := range own.tail {
		keys = append(keys, int((add+w<<cut-partner.lower<<params.FractionBits)>>cut))
	}
	for _, w := range own.body {
		keys = append(keys, int((add+w<<cut)>>cut))
	}
	return keys
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
