// SPDX-License-Identifier: Apache-2.0

package lapsloss_test

import (
	"testing"

	"github.com/nicgen/nicgen/tb/benchtest"
)

// A segment whose timer expires in a pause is lost with the next look at its timer, if that is less than half of the time's
// range later, to whole ranges; otherwise its timer seems to run until it has expired once more. A pause in which nothing is
// outstanding leaves no trace: the next segment has all its time.
func TestPauses(t *testing.T) {
	const timeout = 100
	p := suite.Configure(t, "paths=2 pid_bits=2 depth=4 lanes=2 time_bits=16 lat_bits=8 rto_min_ns=100")
	half := uint64(1) << (p.TimeBits - 1)
	x := suite.Ready(t, p)
	x.Set("m_lost_ready", 1)
	now, seq := uint64(1000), uint64(0)
	after := func(ns uint64) {
		now += ns
		x.Set("now_ns", now&(2*half-1))
	}
	// Both timers are looked at, and an expired one brings its segment.
	lost := func() bool {
		return x.Until(4*p.ScanCycles()*int(p.Paths)+100, func() bool { return x.Get("m_lost_valid") == 1 })
	}
	send := func() {
		seq++
		x.Cycle(benchtest.Ports{"s_send_valid": 1, "s_send_pid": seq & 1, "s_send_seq": seq})
		if !x.Until(10, func() bool { return x.Get("m_send_valid") == 1 }) || x.Get("m_send_stored") != 1 {
			t.Fatalf("segment %d is not stored", seq)
		}
	}
	gone := func(pause uint64) {
		if got := x.Get("m_lost_seq"); got != seq || x.Get("m_lost_timeout") != 1 {
			t.Errorf("pause of %d ns: segment %d is lost, by a timer %d, want %d, 1", pause, got, x.Get("m_lost_timeout"), seq)
		}
	}
	after(0)
	list := append(benchtest.Pauses(int(p.TimeBits), 30), timeout, timeout+1, timeout+half, timeout+half+1, timeout+2*half, timeout+2*half+1)
	for _, pause := range list {
		send()
		after(pause)
		late := (pause - timeout) % (2 * half)
		found, want := lost(), late > 0 && late < half
		if found != want {
			t.Errorf("a look at the timer %d ns after a segment, %d after the timeout: lost %t, want %t", pause, late, found, want)
		}
		if found {
			gone(pause)
		} else {
			after(2*half - late)
			if lost() {
				t.Errorf("pause of %d ns: the segment is lost in the ns of its timeout", pause)
			}
			after(1)
			if !lost() {
				t.Fatalf("pause of %d ns: the segment is not lost when its timer has expired again", pause)
			}
			gone(pause)
		}
	}
	for _, pause := range list {
		after(pause)
		if lost() {
			t.Errorf("pause of %d ns without a segment: %d is lost", pause, x.Get("m_lost_seq"))
		}
		send()
		if after(timeout); lost() {
			t.Errorf("after a pause of %d ns a segment is lost at its timeout", pause)
		}
		if after(1); !lost() {
			t.Fatalf("after a pause of %d ns a segment is not lost behind its timeout", pause)
		}
		gone(pause)
	}
}
