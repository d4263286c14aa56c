// SPDX-License-Identifier: Apache-2.0

package bench_test

import (
	"testing"

	"github.com/nicgen/nicgen/tb/bench"
)

// The same seed and stream give the same choices, another of either does not.
func TestRandom(t *testing.T) {
	draw := func(seed, stream uint64) (x [20]uint64) {
		r := bench.NewRandom(seed, stream)
		for i := range x {
			if i%2 == 0 {
				x[i] = r.Bits()
			} else {
				x[i] = r.Uint64()
			}
		}
		return x
	}
	a := draw(1, 2)
	if b := draw(1, 2); a != b {
		t.Errorf("the same seed gives %x and %x", a, b)
	}
	seed, stream := draw(2, 2), draw(1, 3)
	for i := range a {
		if a[i] == seed[i] {
			t.Errorf("seeds 1 and 2 give the same number %x", a[i])
		}
		if i%2 == 1 && a[i] == stream[i] {
			t.Errorf("streams 2 and 3 give the same number %x", a[i])
		}
	}
}

// Each of the 64 bits is set about half of the time: within six standard deviations.
func TestBitsAreEven(t *testing.T) {
	const n = 100_000
	for _, seed := range []uint64{0, 1, 1 << 63} {
		r := bench.NewRandom(seed, 0)
		var ones [64]int
		for range n {
			x := r.Bits()
			for i := range ones {
				ones[i] += int(x >> i & 1)
			}
		}
		for i, k := range ones {
			if k < n/2-950 || k > n/2+950 {
				t.Errorf("seed %d: bit %d is set %d times in %d", seed, i, k, n)
			}
		}
	}
}

func TestPick(t *testing.T) {
	r := bench.NewRandom(1, 1)
	seen := map[string]int{}
	for range 3000 {
		seen[bench.Pick(r, "a", "b", "b")]++
	}
	if len(seen) != 2 || seen["a"] < 800 || seen["a"] > 1200 {
		t.Errorf("of a, b and b %v were picked, want a third a", seen)
	}
}

// Illegal numbers are all of them, the first ones and the neighbours of legal ones often.
func TestBeyond(t *testing.T) {
	for _, c := range []struct{ n, end int64 }{{1, 2}, {3, 4}, {5, 16}, {256, 1 << 16}, {257, 512}, {65535, 1 << 16}, {1, 1 << 24}} {
		r := bench.NewRandom(1, 2)
		first, near := 0, 0
		for range 4000 {
			x := bench.Beyond(r.Bits()>>32, c.n, c.end)
			if x < c.n || x >= c.end {
				t.Fatalf("found %d, want %d to %d", x, c.n, c.end-1)
			}
			if x == c.n {
				first++
			}
			for bit := int64(1); bit < c.end; bit <<= 1 {
				if x^bit < c.n {
					near++
					break
				}
			}
		}
		if first < 50 || near < 500 {
			t.Errorf("%d to %d: %d times the first, %d times one bit from a legal number, want 50 and 500 of 4000", c.n, c.end-1, first, near)
		}
	}
}
