// SPDX-License-Identifier: Apache-2.0

package niclookup

import (
	"fmt"
	"net/netip"

	params "github.com/nicgen/nicgen/gen/nic_lookup"
)

// Key is a key of up to 320 bits: bit i is bit i modulo 64 of word i / 64.
type Key [5]uint64

// Bit returns bit i.
func (k Key) Bit(i int) uint64 { return k[i/64] >> (i % 64) & 1 }

// Flip returns the key with bit i inverted.
func (k Key) Flip(i int) Key {
	k[i/64] ^= 1 << (i % 64)
	return k
}

// Cut returns the low n bits.
func (k Key) Cut(n int64) Key {
	for i := range k {
		switch left := n - int64(64*i); {
		case left <= 0:
			k[i] = 0
		case left < 64:
			k[i] &= 1<<left - 1
		}
	}
	return k
}

// put writes n bits of x from bit lo on, where zeros are.
func (k *Key) put(lo, n int, x uint64) {
	for i := range n {
		k[(lo+i)/64] |= x >> i & 1 << ((lo + i) % 64)
	}
}

// KeyV4 is the key of a table for IPv4 alone: {address 32, id}, with the id, a QP or PDC, in the low
// idBits.
func KeyV4(address netip.Addr, id uint32, idBits int) (Key, error) {
	var k Key
	if !address.Is4() {
		return k, fmt.Errorf("address %s: want IPv4", address)
	}
	if err := k.id(id, idBits); err != nil {
		return k, err
	}
	for i, b := range address.As4() {
		k.put(idBits+8*(3-i), 8, uint64(b))
	}
	return k, nil
}

// KeyAny is the key of a table for both: {v6 1, address 128, id}. An IPv4 address is in the low 32 bits
// of the address, below zeros, with v6 = 0.
func KeyAny(address netip.Addr, id uint32, idBits int) (Key, error) {
	if address.Is4() {
		return KeyV4(address, id, idBits)
	}
	var k Key
	if !address.Is6() {
		return k, fmt.Errorf("no address")
	}
	if err := k.id(id, idBits); err != nil {
		return k, err
	}
	for i, b := range address.As16() {
		k.put(idBits+8*(15-i), 8, uint64(b))
	}
	k.put(idBits+128, 1, 1)
	return k, nil
}

// id writes the id to the low bits.
func (k *Key) id(id uint32, bits int) error {
	if bits < 1 || bits > 32 || uint64(id) >= 1<<bits {
		return fmt.Errorf("id %#x does not fit into %d bits", id, bits)
	}
	k.put(0, bits, uint64(id))
	return nil
}

// Hash are the hash functions of a configuration.
type Hash struct {
	bits    int
	ways    int
	rowBits uint
	column  [][2]uint32 // what a bit of a key adds to each function
}

// NewHash derives the functions from the configuration's seed: bit after bit of a key, first for
// the first function, then for the second, the AND of two numbers of SplitMix64 in its low
// bits, the next such AND as long as fewer than two bits are set.
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
	for i := range 2 * h.bits {
		c := uint64(0)
		for c&(c-1) == 0 { // none or one
			a := draw()
			c = a & draw() & (1<<h.rowBits - 1)
		}
		h.column[i/2][i%2] = uint32(c)
	}
	return h
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

// Rows returns the row of a key in each way; those of ways that there are not stay 0. The functions are
// mixed before: without the products, which are not linear, keys that count up would lie in few rows.
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

// turned is v rotated to the left by n bits.
func (h *Hash) turned(v uint32, n uint) uint32 {
	return (v<<n | v>>(h.rowBits-n)) & (1<<h.rowBits - 1)
}

// products are the sums of two products of bits: those one and two places to the right, and those four
// and seven places to the right.
func (h *Hash) products(v uint32) uint32 {
	return h.turned(v, 1)&h.turned(v, 2) ^ h.turned(v, 4)&h.turned(v, 7)
}
