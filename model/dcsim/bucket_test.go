// SPDX-License-Identifier: Apache-2.0

package dcsim_test

import (
	"fmt"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	gendcsim "github.com/nicgen/nicgen/gen/dcsim"
	"github.com/nicgen/nicgen/model/dcsim"
)

// The bucket is min(size, level + rate) with real numbers, less a token for each that is taken.
func TestBucketIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.Int64Range(1, 4).Draw(t, "size")
		cost := rapid.Int64Range(1, 1<<32).Draw(t, "cost")
		gain := rapid.Int64Range(1, cost).Draw(t, "gain")
		b, rate := dcsim.NewBucket(size), big.NewRat(gain, cost)
		level, full, one := big.NewRat(size, 1), big.NewRat(size, 1), big.NewRat(1, 1)
		eager := rapid.Float64Range(0, 1).Draw(t, "eager")
		for range 300 {
			whole := new(big.Int).Quo(level.Num(), level.Denom()).Int64()
			if b.Have() != whole {
				t.Fatalf("%d tokens, want the tokens of %s", b.Have(), level)
			}
			take := whole > 0 && rapid.Float64Range(0, 1).Draw(t, "take") <= eager
			b.Clock(take, gain, cost)
			if take {
				level.Sub(level, one)
			}
			if level.Add(level, rate); level.Cmp(full) > 0 {
				level.Set(full)
			}
		}
	})
}

// Nothing drifts. A bucket that is used whenever it has a token is, after a period of `cost`
// clocks, in its initial state, and has given exactly `gain` tokens. So the clocks of any number of
// periods are known from one: 10⁹ tokens at 100 Gb/s take 625,000 · 67,419 clocks, and not one more
// or less.
func TestNoDrift(t *testing.T) {
	for _, v := range []struct {
		gap, gain, cost int64
		clocks          int64 // of 10⁹ tokens
	}{{0, 1600, 67419, 42_136_875_000}, {20, 3200, 139953, 43_735_312_500}} {
		n := gendcsim.Network{RateGbps: 100, PacketBytes: 1500, ProbeBytes: 64, GapBytes: v.gap}
		gain, cost := n.Token(322_265_625)
		if gain != v.gain || cost != v.cost {
			t.Fatalf("gap %d: %d tokens in %d clocks, want %d in %d", v.gap, gain, cost, v.gain, v.cost)
		}
		// Two tokens at the start; the k-th further one comes in the first clock for which
		// gain/cost times the clock is at least k.
		b, k := dcsim.NewBucket(2), int64(-1)
		for clock := int64(0); k < 10_000; clock++ {
			take := b.Have() > 0
			b.Clock(take, gain, cost)
			if !take {
				continue
			}
			if exact := (k*cost + gain - 1) / gain; k > 0 && clock != exact {
				t.Fatalf("gap %d: token %d in clock %d, want %d", v.gap, k, clock, exact)
			}
			k++
		}
		if clocks, err := billion(gain, cost, v.cost); err != "" || clocks != v.clocks {
			t.Errorf("gap %d: 10⁹ tokens in %d clocks, want %d; %s", v.gap, clocks, v.clocks, err)
		}
		// The same test detects a rate rounded to 24 fraction bits.
		if clocks, err := billion(gain<<24/cost, 1<<24, v.cost); clocks == v.clocks && err == "" {
			t.Errorf("gap %d: a rounded rate is not noticed", v.gap)
		}
	}
}

// billion returns the number of clocks in which a bucket gives 10⁹ tokens, by one of their periods;
// what is the reason if it cannot be derived.
func billion(gain, cost, period int64) (clocks int64, what string) {
	b := dcsim.NewBucket(2)
	run := func(clocks int64) (tokens int64) {
		for range clocks {
			take := b.Have() > 0
			if b.Clock(take, gain, cost); take {
				tokens++
			}
		}
		return tokens
	}
	run(10_000)
	before := *b
	tokens := run(period)
	if *b != before {
		what = fmt.Sprintf("after %d clocks the bucket is %+v, want as before %+v", period, *b, before)
	}
	if 1_000_000_000%tokens != 0 {
		return 0, fmt.Sprintf("%d tokens in %d clocks do not divide 10⁹", tokens, period)
	}
	return 1_000_000_000 / tokens * period, what
}

// DV6: with SIMs that always wait, and DATAs of L bytes that begin whenever the line is free, a
// bucket of one token loses up to half of the SIMs, and two tokens lose none (Theorem 3).
func TestBucketOfTwo(t *testing.T) {
	spacing := func(size int64) (most, mean int64) {
		const period, frame, sim = 1_000, 890, 40 // clocks: T' > L/C + ℓ/C
		b, busy, last, n, first := dcsim.NewBucket(size), int64(0), int64(-1), int64(0), int64(0)
		for clock := int64(0); clock < 400_000; clock++ {
			take := false
			if clock >= busy {
				if b.Have() > 0 {
					take, busy = true, clock+sim
					if last >= 0 && clock > 40_000 {
						most = max(most, clock-last)
						if n == 0 {
							first = last
						}
						n++
					}
					last = clock
				} else if blocks(b) {
					busy = clock + frame
				}
			}
			b.Clock(take, 1, period)
		}
		return most, (last - first) / n
	}
	if most, mean := spacing(1); most < 1_850 || mean < 1_850 {
		t.Errorf("a bucket of 1: up to %d clocks between SIMs, %d in the mean; want nearly 1,890", most, mean)
	}
	if _, mean := spacing(2); mean > 1_000 {
		t.Errorf("a bucket of 2: %d clocks between SIMs in the mean, want 1,000", mean)
	}
}

// blocks is the worst case of Theorem 3's proof: a DATA begins just before the next token comes.
func blocks(b *dcsim.Bucket) bool {
	next := *b
	next.Clock(false, 1, 1_000)
	return next.Have() > 0
}
