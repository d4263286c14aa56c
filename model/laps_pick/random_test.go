// SPDX-License-Identifier: Apache-2.0

package lapspick

import (
	"math/big"
	"slices"
	"testing"
)

// annihilator returns the shortest linear recurrence of a sequence of bits (Berlekamp-Massey), as a
// polynomial: the coefficient of x^(length-i) belongs to the bit i places back.
func annihilator(bits []uint8) *big.Int {
	c, b := []uint8{1}, []uint8{1}
	length, since := 0, 1
	for n := range bits {
		d := bits[n]
		for i := 1; i < len(c) && i <= length; i++ {
			d ^= c[i] & bits[n-i]
		}
		if d == 0 {
			since++
			continue
		}
		was := append([]uint8(nil), c...)
		for len(c) < len(b)+since {
			c = append(c, 0)
		}
		for i, x := range b {
			c[i+since] ^= x
		}
		if 2*length <= n {
			length, b, since = n+1-length, was, 1
		} else {
			since++
		}
	}
	f := new(big.Int)
	for i, x := range c {
		if x != 0 && i <= length {
			f.SetBit(f, length-i, 1)
		}
	}
	return f.SetBit(f, length, 1)
}

// sequence returns bit 0 of a block over steps from the state in which only bit 0 is set.
func sequence(taps [][]int, steps int) []uint8 {
	s, next := make([]uint8, len(taps)), make([]uint8, len(taps))
	s[0] = 1
	var out []uint8
	for range steps {
		out = append(out, s[0])
		for i, t := range taps {
			next[i] = 0
			for _, j := range t {
				next[i] ^= s[j]
			}
		}
		s, next = next, s
	}
	return out
}

// irreducible reports whether a polynomial over GF(2) of prime degree is irreducible: x to the
// power 2^n is x modulo it, and it has no root.
func irreducible(f *big.Int) bool {
	n := f.BitLen() - 1
	ones := 0
	for i := range n + 1 {
		ones += int(f.Bit(i))
	}
	if f.Bit(0) == 0 || ones%2 == 0 {
		return false
	}
	x := big.NewInt(2)
	y := new(big.Int).Set(x)
	for range n {
		y = squareMod(y, f)
	}
	return y.Cmp(x) == 0
}

// squareMod squares the polynomial a over GF(2) modulo f.
func squareMod(a, f *big.Int) *big.Int {
	s := new(big.Int)
	for i := range a.BitLen() {
		s.SetBit(s, 2*i, a.Bit(i))
	}
	for s.BitLen() >= f.BitLen() {
		s.Xor(s, new(big.Int).Lsh(f, uint(s.BitLen()-f.BitLen())))
	}
	return s
}

// The polynomial of every block has the block's degree and is irreducible, 2^n-1 is
// prime, and the sizes differ: so the period is the product of all 2^n-1. The same
// holds for no smaller seed of the taps.
func TestRandomPeriod(t *testing.T) {
	for n, found := range seeds {
		if !big.NewInt(int64(n)).ProbablyPrime(0) || !new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(n)), big.NewInt(1)).ProbablyPrime(40) {
			t.Errorf("%d and 2^%d-1 are not both prime", n, n)
		}
		for seed := uint64(1); seed <= found; seed++ {
			f := annihilator(sequence(Taps(n, seed), 2*n))
			if full := f.BitLen() == n+1 && irreducible(f); full != (seed == found) {
				t.Errorf("block of %d bits, seed %d: full period %t", n, seed, full)
			}
		}
	}
}

// A step equals the definition by the taps.
func TestRandomStep(t *testing.T) {
	r := NewRandom(326)
	r.Reset(42)
	for range 100 {
		was := r.state
		r.Step()
		for _, b := range r.blocks {
			for i, taps := range Taps(b.bits, seeds[b.bits]) {
				var want uint64
				for _, j := range taps {
					want ^= was.bit(b.first + j)
				}
				if r.state.bit(b.first+i) != want {
					t.Fatalf("bit %d of the block of %d bits is not the exclusive or of bits %v", i, b.bits, taps)
				}
			}
		}
	}
}

// The blocks have enough bits, and different sizes.
func TestBlocks(t *testing.T) {
	for _, c := range []struct {
		bits int
		want []int
	}{
		{1, []int{61}}, {24, []int{61}}, {61, []int{61}}, {62, []int{89}}, {83, []int{89}}, {90, []int{61, 31}},
		{105, []int{107}}, {325, []int{127, 107, 61, 31}}, {326, []int{127, 107, 61, 31}}, {415, []int{127, 107, 89, 61, 31}},
	} {
		if got := Blocks(c.bits); !slices.Equal(got, c.want) {
			t.Errorf("%d bits: blocks of %v, want %v", c.bits, got, c.want)
		}
	}
}

// zero reports whether all bits of a block are 0.
func zero(w *words, b block) bool {
	for i := range b.bits {
		if w.bit(b.first+i) != 0 {
			return false
		}
	}
	return true
}

// Words that are shifted in set the whole state, and no block is ever zero.
func TestRandomLoad(t *testing.T) {
	a, b := NewRandom(326), NewRandom(326)
	a.Reset(1)
	b.Reset(2)
	for n := range (326 + WordBits - 1) / WordBits {
		a.Load(0)
		b.Load(0)
		if n == 3 {
			for _, k := range a.blocks {
				if zero(&a.state, k) {
					t.Error("a block is zero")
				}
			}
		}
	}
	if a.state != b.state {
		t.Error("words have not set all of the state")
	}
	a.Load(0xbeee)
	if got := a.state[0] & 0xffff; got != 0xbeef {
		t.Errorf("the last word is %#x, want 0xbeef", got)
	}
}

func (w *words) bit(i int) uint64 { return w[i/64] >> (i % 64) & 1 }
