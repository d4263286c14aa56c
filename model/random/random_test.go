// SPDX-License-Identifier: Apache-2.0

package random_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/nicgen/nicgen/model/random"
)

// The characteristic polynomial is irreducible of degree 127: x to the power
// 2^127 is x modulo it, and it has no factor of degree 1 (127 is prime, so no
// other degree is possible). 2^127-1 is prime. Hence the period is 2^127-1.
func TestRandomPeriod(t *testing.T) {
	f := new(big.Int)
	for _, e := range []int{127, 127 - 28, 127 - 61, 127 - 93, 0} {
		f.SetBit(f, e, 1)
	}
	x := big.NewInt(2)
	y := new(big.Int).Set(x)
	for range 127 {
		y = squareMod(y, f)
	}
	if y.Cmp(x) != 0 {
		t.Fatalf("x^(2^127) = %x modulo the polynomial, want x", y)
	}
	// Roots: the constant term is 1 (no root 0), five terms (no root 1).
	if !new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 127), big.NewInt(1)).ProbablyPrime(40) {
		t.Fatal("2^127-1 is not prime")
	}
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

// A word is as many single steps of the recurrence as it has bits.
func TestRandomRecurrence(t *testing.T) {
	for _, width := range []int{1, 16, 17, 20, 28} {
		recurrence(t, width)
	}
}

func recurrence(t *testing.T, width int) {
	r := random.New(width, 42)
	hi, lo := r.State()
	var b []uint64 // oldest first
	for i := random.StateBits - 1; i >= 0; i-- {
		if i >= 64 {
			b = append(b, hi>>(i-64)&1)
		} else {
			b = append(b, lo>>i&1)
		}
	}
	for n := range 1000 {
		var want uint32
		for range width {
			t := len(b)
			bit := b[t-28] ^ b[t-61] ^ b[t-93] ^ b[t-127]
			b = append(b, bit)
			want = want<<1 | uint32(bit)
		}
		if got := r.Next(); got != want {
			t.Fatalf("width %d, word %d: got %#x, want %#x", width, n, got, want)
		}
	}
}

// Eight loaded words set the whole state.
func TestRandomLoad(t *testing.T) {
	a, b := random.New(16, 1), random.New(16, 2)
	for w := range uint32(8) {
		a.Load(w * 4099)
		b.Load(w * 4099)
	}
	for range 100 {
		if x, y := a.Next(), b.Next(); x != y {
			t.Fatalf("%#x and %#x after loading the same state", x, y)
		}
	}
}

// Frequency and serial test over 10⁷ draws, for words and for the EV widths in
// use: chi-square within five standard deviations of its mean.
func TestRandomFrequencyAndSerial(t *testing.T) {
	const draws = 10_000_000
	for _, bits := range []int{1, 4, 8, 12, 16, 20} {
		r := random.New(max(16, bits), 7)
		freq := make([]uint32, 1<<bits)
		sb := min(bits, 8) // pairs of the low bits of consecutive draws
		serial := make([]uint32, 1<<(2*sb))
		prev := r.Next()
		for range draws {
			w := r.Next()
			freq[w&(1<<bits-1)]++
			serial[int(prev&(1<<sb-1))<<sb|int(w&(1<<sb-1))]++
			prev = w
		}
		for name, counts := range map[string][]uint32{"frequency": freq, "serial": serial} {
			if z := chiZ(counts, draws); math.Abs(z) > 5 {
				t.Errorf("%d bits, %s: chi-square is %.1f standard deviations off", bits, name, z)
			} else {
				t.Logf("%d bits, %s: z = %+.2f", bits, name, z)
			}
		}
	}
}

func chiZ(counts []uint32, draws int) float64 {
	e := float64(draws) / float64(len(counts))
	var x float64
	for _, n := range counts {
		d := float64(n) - e
		x += d * d / e
	}
	df := float64(len(counts) - 1)
	// Wilson-Hilferty: close to normal also for few degrees of freedom.
	return (math.Cbrt(x/df) - (1 - 2/(9*df))) / math.Sqrt(2/(9*df))
}
