// SPDX-License-Identifier: Apache-2.0

package nicpace_test

import (
	"testing"

	params "github.com/nicgen/nicgen/gen/nic_pace"
	"github.com/nicgen/nicgen/tb/benchtest"
)

// paused plays a connection of 8 ns a byte that has its turn, and another one after a pause in which the time passes and
// the scan is not at it: the time jumps. With waits, it is in the wheel meanwhile; else it wants its turn afterwards.
func paused(by uint64, waits bool) func(d benchtest.Drive, c int) {
	return func(d benchtest.Drive, c int) {
		d.Set("m_due_ready", 1)
		d.Set("cfg_allowance_ns", 1000)
		now := uint64(4*c) + 1<<20
		switch {
		case c == 0:
			d.Set("s_rate_valid", 1)
			d.Set("s_rate_inv", 8<<16)
		case c == 2, c == 110 && !waits:
			d.Set("s_push_valid", 1)
		case c == 80:
			d.Set("s_done_valid", 1)
			d.Set("s_done_bytes", 1500)
			d.Set("s_done_again", benchtest.Bit(waits))
		}
		if c >= 100 {
			now += by
		}
		d.Set("now_ns", now&(1<<32-1))
	}
}

// A connection's turn after a pause of any length equals the golden model's, whose TestPause has the expected turns: at each
// boundary of the time's range, and where a single rule distinguishes a past time from a future one. Removing any rule is
// noticed.
func TestPauses(t *testing.T) {
	const (
		quarter = 1 << 30
		whole   = 1 << 32
		rarely  = "connections=64 slots=16" // the scan is at a connection each 4,096 cycles
	)
	bug := func(name string, edits ...string) benchtest.Bug {
		return benchtest.Bug{Name: name, File: top, Set: rarely, Edits: edits}
	}
	start := func(p *params.Params) int { return int(p.Sweep()) + 8 }
	suite.Rare(t, start, []benchtest.Rare{
		{Cycles: 1500, Play: paused(whole-quarter/2, false), Bug: bug("any distance ahead is waited for", "|| !p2_over[TIME_W-1];", "|| (!p2_over[TIME_W-1] && 1'b0);")},
		{Cycles: 1500, Play: paused(3*quarter-5000, false), Bug: bug("a PUSH is not looked at", "|| p2_push_q || p2_look_q;", "|| p2_look_q;")},
		{Cycles: 1500, Play: paused(3*quarter-5000, true), Bug: bug("a connection of the wheel is not looked at", "|| p2_push_q || p2_look_q;", "|| p2_push_q;")},
		{Cycles: 1500, Play: paused(whole-params.Horizon*3/4, false), Bug: bug("the horizon is half as far", "p1_now_q + HORIZON;", "p1_now_q + HORIZON / 2;")},
	})
	var list []benchtest.Rare
	for _, boundary := range []uint64{quarter, 2 * quarter, 3 * quarter, whole - params.Horizon, whole, whole + quarter} {
		for _, by := range []uint64{boundary - 20_000, boundary - 500, boundary, boundary + 500, boundary + 20_000} {
			for _, waits := range []bool{false, true} {
				list = append(list, benchtest.Rare{Cycles: 1500, Play: paused(by, waits)})
			}
		}
	}
	suite.Same(t, start, rarely, list)
}
