// SPDX-License-Identifier: Apache-2.0

package niclookup

import params "github.com/nicgen/nicgen/gen/nic_lookup"

// Hash are the hash functions of a configuration.
type Hash struct {
	bits    int
	ways    int
	rowBits uint
	column  [][2]uint32 // contribution of a key bit to each function
}

// dense is the number of bits of a key that have dense columns: an IPv4 address and a QP.
const dense = 56

// NewHash derives the functions from the configuration's seed, bit after bit of a key. For bits
// below dense: first for the first function, then for the second, the AND of two numbers of
// SplitMix64 in its low bits, the next such AND as long as fewer than two bits are set. For the
// others: the bits that three fields of one number name, two for the function of the bit's parity
// and one for the other; the next number, as long as both functions together are a sum of the
// functions of some of the rowBits bits before.
func NewHash(p *params.Params) *Hash {
	h := &Hash{bits: int(p.KeyBits), ways: int(p.Ways), column: make([][2]uint32, p.KeyBits)}
	for 1<<h.rowBits < p.Rows {
		h.rowBits++
	}
	const gamma = 0x9e3779b97f4a7c15
	state := uint64(p.HashSeed)
	draw := func() uint64 {
		state += gamma
		z := (state ^ state>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		return z ^ z>>31
	}
	for i := range 2 * min(h.bits, dense) {
		c := uint64(0)
		for c&(c-1) == 0 { // none or one
			a := draw()
			c = a & draw() & (1<<h.rowBits - 1)
		}
		h.column[i/2][i%2] = uint32(c)
	}
	for i := dense; i < h.bits; i++ {
		for {
			v := draw()
			one := func(field int) uint32 { return 1 << (v >> (16 * field) % (1 << 16) * uint64(h.rowBits) / (1 << 16)) }
			h.column[i][i%2] = one(0) | one(1)
			h.column[i][1-i%2] = one(2)
			if h.independent(i) {
				break
			}
		}
	}
	return h
}

// independent reports whether the two columns of a key bit, taken as one, are not a sum of columns
// of the rowBits bits before it.
func (h *Hash) independent(bit int) bool {
	var basis []uint64
	for i := bit - int(h.rowBits); i <= bit; i++ {
		v := uint64(h.column[i][0])<<h.rowBits | uint64(h.column[i][1])
		for _, b := range basis {
			v = min(v, v^b)
		}
		if v != 0 {
			basis = append(basis, v)
		} else if i == bit {
			return false
		}
	}
	return true
}

// Functions returns the two functions of a key.
func (h *Hash) Functions(k Key) (h1, h2 uint32) {
	for i := range h.bits {
		if k.Bit(i) == 1 {
			h1 ^= h.column[i][0]
			h2 ^= h.column[i][1]
		}
	}
	return h1, h2
}

// Rows returns the row of a key in each way, or 0 for a missing way. The functions are mixed
// before: without the products, which are not linear, keys that count up would lie in few rows.
func (h *Hash) Rows(k Key) (rows [params.MaxWays]int) {
	h1, h2 := h.Functions(k)
	h2 ^= h.products(h1)
	h1 ^= h.products(h2)
	rows[0], rows[1] = int(h1), int(h2)
	if h.ways > 2 {
		rows[2] = int(h1 ^ h.turned(h2, h.rowBits/3))
	}
	if h.ways > 3 {
		rows[3] = int(h1 ^ h.turned(h2, 2*h.rowBits/3))
	}
	return rows
}

// turned returns v rotated to the left by n bits.
func (h *Hash) turned(v uint32, n uint) uint32 {
	return (v<<n | v>>(h.rowBits-n)) & (1<<h.rowBits - 1)
}

// products returns the sums of two products of bits: those one and two places to the right, and those four
// and seven places to the right.
func (h *Hash) products(v uint32) uint32 {
	return h.turned(v, 1)&h.turned(v, 2) ^ h.turned(v, 4)&h.turned(v, 7)
}
