// SPDX-License-Identifier: Apache-2.0

package dcsim_test

import (
	"fmt"
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/nicgen/nicgen/gen/dcsim"
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

// Equations 2 and 5 as printed, in floating point.
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

func ExampleNetwork() {
	n := dcsim.Network{RateGbps: 100, PacketBytes: 9000, ProbeBytes: 64, Hops: 6, Queue: 12, RTTNS: 7800}
	gain, cost := n.Token(322_265_625)
	fmt.Println(n.Period().FloatString(3), "ns,", gain, "tokens in", cost, "clocks,", n.RTTMaxClocks(322_265_625), "clocks")
	// Output: 730.752 ns, 800 tokens in 188397 clocks, 39230 clocks
}
