// SPDX-License-Identifier: Apache-2.0

package lapspick

import (
	"fmt"
	"slices"
)

// Random is the unit's generator of random bits: some linear generators over
// GF(2), its blocks, that all take a step with every pick. A block has a prime
// number n of bits for which 2^n-1 is prime too. In a step each of its bits
// becomes the exclusive or of three or four others, and the characteristic
// polynomial of that is irreducible: every state but zero lies on one cycle of
// 2^n-1 states. The n of the blocks differ, so the period of all is the product.
//
// All bits of a state are drawn at once, so those of one pick are independent.
type Random struct {
	blocks []block
	bits   int
	state  words
	// What each value of each four bits of the state contributes to the next one.
	step [][16]words
}

// words holds up to 448 bits, bit 0 lowest in the first.
type words [7]uint64

func (w *words) bit(i int) uint64 { return w[i/64] >> (i % 64) & 1 }

// block is one of the linear generators.
type block struct {
	first, bits int // its place in the state
}

// WordBits is the width of a word that is shifted into the state.
const WordBits = 16

// seeds draw the taps of a block of so many bits: for each the first that gives an
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

// Taps lists, for each bit of a block of n bits, the bits that make it, in
// ascending order: one of a permutation, so that every bit is used, and two or,
// for bits of odd number, three more.
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

// Blocks are the sizes of the blocks of a generator of at least so many bits, the
// largest first: those with the smallest sum, a block of 31 bits never alone.
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

// NewRandom returns a generator of at least so many bits, up to 415. Its state is
// zero: Reset it.
func NewRandom(bits int) *Random {
	r := &Random{}
	var columns []words // what each bit of the state contributes
	for _, size := range Blocks(bits) {
		b := block{first: r.bits, bits: size}
		r.blocks = append(r.blocks, b)
		r.bits += size
		columns = append(columns, make([]words, size)...)
		for i, t := range Taps(size, seeds[size]) {
			for _, j := range t {
				at := b.first + i
				columns[b.first+j][at/64] |= 1 << (at % 64)
			}
		}
	}
	r.step = make([][16]words, (r.bits+3)/4)
	for i, c := range columns {
		for v := range 16 {
			if v>>(i%4)&1 == 0 {
				continue
			}
			to := &r.step[i/4][v]
			for w := range c {
				to[w] ^= c[w]
			}
		}
	}
	return r
}

// Bits is the number of bits of the state.
func (r *Random) Bits() int { return r.bits }

// Field is bits first, first+stride, … of the state, n of them (up to 64), the
// first lowest.
func (r *Random) Field(first, stride, n int) uint64 { return r.state.field(first, stride, n) }

func (w *words) field(first, stride, n int) uint64 {
	var x uint64
	for i := range n {
		x |= w.bit(first) << i
		first += stride
	}
	return x
}

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

// trim clears what lies beyond the state and sets the first bit of each block, so
// that none is ever zero.
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
		t := &r.step[i][r.state[i/16]>>(i%16*4)&15]
		for w := range next {
			next[w] ^= t[w]
		}
	}
	r.state = next
}

// Load shifts a word into the low end of the state in place of a step; then the
// first bit of each block is set. As many words as fit into Bits, rounded up, set
// all of the state.
func (r *Random) Load(word uint16) {
	for i := len(r.state) - 1; i > 0; i-- {
		r.state[i] = r.state[i]<<WordBits | r.state[i-1]>>(64-WordBits)
	}
	r.state[0] = r.state[0]<<WordBits | uint64(word)
	r.trim()
}
