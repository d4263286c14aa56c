// SPDX-License-Identifier: Apache-2.0

package nicedit

// element is an element of the field GF(2)[x]/P, with the polynomial P of CRC-32, in the CRC's
// order: bit i is the coefficient of x^(31-i).
type element uint32

// polynomial is P without x^32.
const polynomial element = 0xedb88320

// timesX returns the product with x.
func (a element) timesX() element { return a>>1 ^ polynomial&-(a&1) }

// times returns a product.
func (a element) times(b element) element {
	var sum element
	for ; b != 0; b <<= 1 {
		if b>>31 != 0 {
			sum ^= a
		}
		a = a.timesX()
	}
	return sum
}

// overX returns the quotient by x.
func (a element) overX() element {
	if a>>31 != 0 { // only the polynomial has a coefficient of x^0 there
		return (a^polynomial)<<1 | 1
	}
	return a << 1
}

// squared squares n times, which exchanges x for x^(2^n).
func (a element) squared(n int) element {
	for range n {
		a = a.times(a)
	}
	return a
}

// Squaring 32 times changes nothing, so 27 squarings undo 5: spread turns x^32 into x.
func (a element) spread() element { return a.squared(5) }
func (a element) gather() element { return a.squared(27) }

// shifted returns the product with x^n.
func shifted(n int) func(element) element {
	return func(a element) element {
		for range n {
			a = a.timesX()
		}
		return a
	}
}

// ask is the A bit's share of the patch, where the port's word has its own: the bit is askWords words behind
// it. See nic_edit_icrc.
func ask() element {
	a := element(1 << 7).gather() // bit 7 of the word's first byte
	for range askWords {
		a = a.overX()
	}
	return a
}

// askWords is the number of words from the UDP source port to byte 8 of the BTH.
const askWords = 4

// rows returns a linear map from a number of bits as a matrix: row i has a one for each bit of the
// operand that is part of the sum in bit i of the result.
func rows(bits int, f func(element) element) []uint32 {
	out := make([]uint32, 32)
	for j := range bits {
		column := f(1 << j)
		for i := range out {
			out[i] |= uint32(column>>i&1) << j
		}
	}
	return out
}
