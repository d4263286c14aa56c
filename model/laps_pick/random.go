// SPDX-License-Identifier: Apache-2.0

package lapspick

import (
	"fmt"
	"slices"
)

// Random is the unit's generator of random bits: some linear generators over GF(2), its blocks,
// that all take a step with every pick. A block has a prime number n of bits for which 2^n-1 is
// prime too. In a step each of its bits becomes the exclusive or of three or four others, and the
// characteristic polynomial of this map is irreducible: every state but zero lies on one cycle of
// 2^n-1 states. The n of the blocks differ, so the period of all is the product.
//
// All bits of a state are drawn at once, so the bits of one pick are independent.
type Random struct {
	blocks []block
	bits   int
	state  words
	step   []chunk
}

// chunk is up to four bits of the state, and the contribution of each of their values to the next
// state: to three consecutive words, which hold all of a block.
type chunk struct {
	word, shift, to int
	adds            [16][3]uint64 // of fewer than four bits, those above contribute nothing
}

// words holds up to 448 bits, bit 0 lowest in the first. The last words are zero.
type words [9]uint64

// bits returns n bits from bit first on, up to 57.
func (w *words) bits(first, n int) uint64 {
	i, s := first/64, uint(first%64)
	return (w[i]>>s | w[i+1]<<1<<(63-s)) & (1<<n - 1)
}

// block is one of the linear generators.
type block struct {
	first, bits int // its place in the state
}

// WordBits is the width of a word that is shifted into the state.
const WordBits = 16

// seeds draw the taps of a block by its number of bits: each is the first seed that gives an
// irreducible polynomial.
var seeds = map[int]uint64{31: 52, 61: 101, 89: 1297, 107: 167, 127: 18}

// splitMix returns a SplitMix64 generator.
func splitMix(seed uint64) func() uint64 {
	return func() uint64 {
		seed += 0x9e3779b97f4a7c15
		z := seed
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		return z ^ z>>31
	}
}

// Taps lists, for each bit of a block of n bits, the bits whose sum it is, in ascending order: one
// of a permutation, so that every bit is used, and two or, for bits of odd number, three more.
func Taps(n int, seed uint64) [][]int {
	draw := splitMix(seed)
	below := func(m int) int { return int(draw() % uint64(m)) }
	taps := make([][]int, n)
	for i := range taps {
		taps[i] = []int{i}
	}
	for i := n - 1; i > 0; i-- {
		j := below(i + 1)
		taps[i][0], taps[j][0] = taps[j][0], taps[i][0]
	}
	for i := range taps {
		for len(taps[i]) < 3+i%2 {
			if j := below(n); !slices.Contains(taps[i], j) {
				taps[i] = append(taps[i], j)
			}
		}
		slices.Sort(taps[i])
	}
	return taps
}

// Blocks returns the sizes of the blocks of a generator of at least n bits, the largest first: the
// sizes with the smallest sum, where a block of 31 bits is never alone.
func Blocks(bits int) []int {
	sizes := []int{127, 107, 89, 61, 31}
	var best []int
	least := 1 << 30
	for set := 1; set < 1<<len(sizes); set++ {
		var list []int
		sum := 0
		for i, n := range sizes {
			if set>>i&1 != 0 {
				list = append(list, n)
				sum += n
			}
		}
		if sum >= bits && sum < least && list[0] != 31 {
			best, least = list, sum
		}
	}
	if best == nil {
		panic(fmt.Sprintf("laps_pick: %d random bits, want at most 415", bits))
	}
	return best
}

// NewRandom returns a generator of at least n bits, up to 415. Its state is zero: Reset it.
func NewRandom(bits int) *Random {
	r := &Random{}
	for _, size := range Blocks(bits) {
		b := block{first: r.bits, bits: size}
		r.blocks = append(r.blocks, b)
		r.bits += size
		r.chunks(b)
	}
	return r
}

// chunks adds the chunks of a block to the step.
func (r *Random) chunks(b block) {
	columns := make([][3]uint64, b.bits) // contribution of each bit
	to := b.first / 64
	for i, t := range Taps(b.bits, seeds[b.bits]) {
		at := b.first + i - 64*to
		for _, j := range t {
			columns[j][at/64] |= 1 << (at % 64)
		}
	}
	for i := 0; i < b.bits; {
		at := b.first + i
		n := min(4, b.bits-i, 64-at%64) // in one word
		c := chunk{word: at / 64, shift: at % 64, to: to}
		for v := range c.adds {
			for k := range n {
				if v>>k&1 != 0 {
					for w, x := range columns[i+k] {
						c.adds[v][w] ^= x
					}
				}
			}
		}
		r.step = append(r.step, c)
		i += n
	}
}

// Bits returns the number of bits of the state.
func (r *Random) Bits() int { return r.bits }

// Reset sets the state that the hardware has after reset: bits 64i to 64i+63 are
// the i-th number of SplitMix64 from the seed, and the first bit of each block is
// one.
func (r *Random) Reset(seed uint64) {
	draw := splitMix(seed)
	for i := range r.state {
		r.state[i] = draw()
	}
	r.trim()
}

// trim clears the bits beyond the state and sets the first bit of each block, so that none is ever
// zero.
func (r *Random) trim() {
	for i := r.bits; i < 64*len(r.state); i++ {
		r.state[i/64] &^= 1 << (i % 64)
	}
	for _, b := range r.blocks {
		r.state[b.first/64] |= 1 << (b.first % 64)
	}
}

// Step draws the next state.
func (r *Random) Step() {
	var next words
	for i := range r.step {
		c := &r.step[i]
		add := &c.adds[r.state[c.word]>>(c.shift&63)&15]
		to := next[c.to : c.to+3 : c.to+3]
		to[0] ^= add[0]
		to[1] ^= add[1]
		to[2] ^= add[2]
	}
	r.state = next
}

// Load shifts a word into the low end of the state in place of a step; then the first bit of each
// block is set. The number of words that fit into Bits, rounded up, set the whole state.
func (r *Random) Load(word uint16) {
	for i := len(r.state) - 1; i > 0; i-- {
		r.state[i] = r.state[i]<<WordBits | r.state[i-1]>>(64-WordBits)
	}
	r.state[0] = r.state[0]<<WordBits | uint64(word)
	r.trim()
}
