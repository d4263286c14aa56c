// SPDX-License-Identifier: Apache-2.0

package dcsim_test

import (
	"fmt"
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/nicgen/nicgen/model/dcsim"
)

// The worked examples of the paper's §2.5 and Table of §4: 800 Gb/s, 64-byte SIMs, six hops, a
// queue of 12, 7.8 µs, no gap. Vectors DV1 to DV3, where the paper's 10.298 µs has α rounded down to
// 23. Then the same with Ethernet's 20 bytes.
func TestVectors(t *testing.T) {
	for _, v := range []struct {
		name         string
		bytes, gap   int64
		period, rate string // ns, and Gb/s of SIMs
		rtt          string // µs
		clocks       int64  // of 322.265625 MHz
	}{
		{"DV1", 1500, 0, "16.344", "31.326", "10.341", 3333},
		{"DV2", 4096, 0, "42.304", "12.103", "14.391", 4638},
		{"DV3", 9000, 0, "91.344", "5.605", "22.041", 7104},
		{"DV1 with a gap", 1500, 20, "16.964", "39.613", "10.435", 3363},
		{"DV2 with a gap", 4096, 20, "42.924", "15.656", "14.485", 4669},
		{"DV3 with a gap", 9000, 20, "91.964", "7.307", "22.135", 7134},
	} {
		n := dcsim.Network{RateGbps: 800, PacketBytes: v.bytes, ProbeBytes: 64, GapBytes: v.gap, Hops: 6, Queue: 12, RTTNS: 7800}
		rtt := new(big.Rat).Quo(n.RTTMax(), big.NewRat(1000, 1))
		if p, r, m := n.Period().FloatString(3), n.SIMRate().FloatString(3), rtt.FloatString(3); p != v.period || r != v.rate || m != v.rtt {
			t.Errorf("%s: period %s ns, SIMs %s Gb/s, RTTmax %s µs; want %s, %s, %s", v.name, p, r, m, v.period, v.rate, v.rtt)
		}
		if c := n.RTTMaxClocks(322_265_625); c != v.clocks {
			t.Errorf("%s: RTTmax %d clocks, want %d", v.name, c, v.clocks)
		}
	}
}

// Equations 2 and 5 as they are printed, in floating point.
func TestEqualsEquations(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := dcsim.Network{
			RateGbps: rapid.Int64Range(10, 800).Draw(t, "C"), PacketBytes: rapid.Int64Range(256, 9216).Draw(t, "L"),
			ProbeBytes: rapid.Int64Range(64, 256).Draw(t, "ℓ"), Hops: rapid.Int64Range(2, 10).Draw(t, "H"),
			GapBytes: rapid.Int64Range(0, 255).Draw(t, "gap"), Queue: rapid.Int64Range(4, 32).Draw(t, "B"), RTTNS: rapid.Int64Range(0, 100_000).Draw(t, "RTTp"),
		}
		hz := rapid.Int64Range(100_000_000, 500_000_000).Draw(t, "clock")
		c, l := float64(n.RateGbps)/8, float64(n.ProbeBytes+n.GapBytes) // bytes a ns
		alpha := float64(n.PacketBytes+n.GapBytes) / l
		rate := c / (alpha + 2.1) / l // SIMs a ns
		gain, cost := n.Token(hz)
		if got := float64(gain) / float64(cost) * float64(hz) / 1e9; math.Abs(got/rate-1) > 1e-12 {
			t.Fatalf("%g SIMs a ns, want %g", got, rate)
		}
		b := float64(n.Queue)
		max := float64(n.RTTNS) + 2*float64(n.Hops)*l/c*((b+1)*alpha+2.1*b+1)
		if got, _ := n.RTTMax().Float64(); math.Abs(got/max-1) > 1e-12 {
			t.Fatalf("RTTmax %g ns, want %g", got, max)
		}
		if got, want := float64(n.RTTMaxClocks(hz)), max*float64(hz)/1e9; got < want-1e-6 || got >= want+1+1e-6 {
			t.Fatalf("RTTmax %g clocks, want %g rounded up", got, want)
		}
	})
}

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
				t.Fatalf("%d tokens, want those of %s", b.Have(), level)
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

// Nothing drifts. A bucket that is used whenever it has a token is, after a period of `cost` clocks,
// exactly as it was, and has given exactly `gain` tokens. So the clocks of any number of periods are
// known from one: 10⁹ tokens at 100 Gb/s take 625,000 · 67,419 clocks, and not one more or less.
func TestNoDrift(t *testing.T) {
	for _, v := range []struct {
		gap, gain, cost int64
		clocks          int64 // of 10⁹ tokens
	}{{0, 1600, 67419, 42_136_875_000}, {20, 3200, 139953, 43_735_312_500}} {
		n := dcsim.Network{RateGbps: 100, PacketBytes: 1500, ProbeBytes: 64, GapBytes: v.gap}
		gain, cost := n.Token(322_265_625)
		if gain != v.gain || cost != v.cost {
			t.Fatalf("gap %d: %d tokens in %d clocks, want %d in %d", v.gap, gain, cost, v.gain, v.cost)
		}
		// Two tokens at the start; the k-th of the others in the first clock of which gain/cost is k or more.
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
		// The same test sees a rate that is rounded to 24 bits behind the point.
		if clocks, err := billion(gain<<24/cost, 1<<24, v.cost); clocks == v.clocks && err == "" {
			t.Errorf("gap %d: a rounded rate is not noticed", v.gap)
		}
	}
}

// billion is the number of clocks in which a bucket gives 10⁹ tokens, by one of their periods; what
// says why it cannot be known from it.
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

func ExampleNetwork() {
	n := dcsim.Network{RateGbps: 100, PacketBytes: 9000, ProbeBytes: 64, Hops: 6, Queue: 12, RTTNS: 7800}
	gain, cost := n.Token(322_265_625)
	fmt.Println(n.Period().FloatString(3), "ns,", gain, "tokens in", cost, "clocks,", n.RTTMaxClocks(322_265_625), "clocks")
	// Output: 730.752 ns, 800 tokens in 188397 clocks, 39230 clocks
}
