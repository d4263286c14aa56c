// SPDX-License-Identifier: Apache-2.0

package nicedit

import (
	"math/bits"
	"testing"
)

// apply multiplies a vector by a matrix.
func apply(m []uint32, v uint32) (out element) {
	for i, row := range m {
		out |= element(bits.OnesCount32(row&v)&1) << i
	}
	return out
}

// power returns x^n.
func power(n int) element { return shifted(n)(1 << 31) }

// The maps of the patch, one after another, are the product with x^(32 e), for any w and e.
func TestSpreadSteps(t *testing.T) {
	gather, spread, fold := rows(16, element.gather), rows(32, element.spread), rows(16, shifted(16))
	for _, w := range []uint32{1, 2, 0x8000, 0xffff, 0x2301, 0x1234} {
		want := element(w)
		for e := range 70 {
			got := apply(gather, w)
			some := uint64(got) << 15 >> (e % 16) // not folded: x^32 is bit 14
			got = element(some>>15) ^ apply(fold, uint32(some<<1)&0xffff)
			for range e / 16 {
				got = got>>16 ^ apply(fold, uint32(got)&0xffff)
			}
			if got = apply(spread, uint32(got)); got != want {
				t.Fatalf("w %04x, e %d: %08x, want %08x", w, e, got, want)
			}
			want = shifted(32)(want)
		}
	}
}

// The constants of the design note: X = x^32, its 16th power, and 1/X.
func TestConstants(t *testing.T) {
	if x, x16 := power(32), power(512); x != 0xedb88320 || x16 != 0x88d14467 || x.times(0x5b358fd3) != power(0) {
		t.Errorf("x^32 is %08x, x^512 %08x", x, x16)
	}
	// Squaring 32 times is the identity, as P is irreducible and has degree 32.
	for i := range 32 {
		if a := element(1) << i; a.squared(32) != a || a.gather().spread() != a {
			t.Errorf("%08x is not its own 32nd square", a)
		}
	}
}
