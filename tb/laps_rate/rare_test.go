// SPDX-License-Identifier: Apache-2.0

package lapsrate_test

import (
	"testing"

	params "github.com/nicgen/nicgen/gen/laps_rate"
	"github.com/nicgen/nicgen/tb/benchtest"
)

// farther: of a destination's three paths two are the slowest, and one of these is that by one bit, while a bit or two
// below it the other is ahead. A decrease then waits for twice the larger: an ACK just then is still held. The paths
// change places, and the bits.
func farther(d benchtest.Drive, c int) {
	n := uint64(c / 8)
	high := n%18 + 2
	low := high - 1 - n/18%2
	both := -(n / 36 % 2) << (high + 1) & (1<<20 - 1) // bits above that both have
	larger, smaller := both|1<<high, both|1<<low
	latency := [3]uint64{1, larger, smaller}
	if n/72%2 == 1 {
		latency = [3]uint64{1, smaller, larger}
	}
	turn := n / 144 % 3
	now := n << 23
	switch c % 8 {
	case 4:
		now += 2 * larger
		fallthrough
	case 0:
		d.Set("s_ack_valid", 1)
		d.Set("s_ack_usable", 7)
		packed := uint64(0)
		for i := range uint64(3) {
			packed |= latency[(i+turn)%3] << (20 * i)
		}
		d.Set("s_ack_latency_ns", packed)
	}
	d.Set("now_ns", now)
}

// latencies has the trees of both extremes.
const latencies = "flows=3 flow_bits=3 paths=3 operands=latencies decrease_interval=max increase_interval=base"

var rare = []benchtest.Rare{
	{Play: farther, Cycles: 8_000, Bug: benchtest.Bug{Name: "a middle bit does not count", File: fileAbove, Set: latencies, Edits: []string{
		"(~(x[1] ^ y[1]) & x[0] & ~y[0])", "(((g == 3) | ~(x[1] ^ y[1])) & x[0] & ~y[0])"}}},
	{Play: farther, Cycles: 8_000, Bug: benchtest.Bug{Name: "a high bit of one side does not count", File: fileAbove, Set: latencies, Edits: []string{
		"(x[2] & ~y[2])", "(x[2] & ((g == 4) | ~y[2]))"}}},
}

func TestRare(t *testing.T) {
	suite.Rare(t, func(p *params.Params) int { return int(p.Flows) + 100 }, rare)
}
