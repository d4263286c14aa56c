// SPDX-License-Identifier: Apache-2.0

package niclookup

import (
	"fmt"
	"net/netip"
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

// KeyV4 returns the key of a table for IPv4 alone: {address 32, id}, with the id, a QP or PDC, in the low
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

// KeyAny returns the key of a table for both: {v6 1, address 128, id}. An IPv4 address is in the low 32 bits
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

// A Direction of packets: a queue pair's number may belong to one connection at one end, and to another one
// at the other end.
type Direction uint32

// Directions, as the key has them.
const (
	Sent     Direction = 0 // to the peer: its number
	Received Direction = 1 // from the peer: the host's own number
)

// KeyOf returns the key by which a NIC finds a packet's connection: {address, direction 1, id}, with the address
// as KeyAny has it, or KeyV4 without IPv6.
func KeyOf(ipv6 bool, address netip.Addr, d Direction, id uint32, idBits int) (Key, error) {
	var k Key
	if err := k.id(id, idBits); err != nil {
		return k, err
	}
	id |= uint32(d) << idBits
	if ipv6 {
		return KeyAny(address, id, idBits+1)
	}
	return KeyV4(address, id, idBits+1)
}
