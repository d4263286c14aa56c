// SPDX-License-Identifier: Apache-2.0

package reps_test

import (
	"testing"

	"github.com/nicgen/nicgen/tb/benchtest"
)

// A connection freezes, and its exit time passes in a pause. A good ACK after it ends that, if the pause is no longer than half of
// the time's range beyond the exit time, to whole ranges; otherwise the exit time seems to come.
func TestPauses(t *testing.T) {
	const timeout = 50
	p := suite.Configure(t, "timer_bits=16 freezing_timeout_ns=50")
	half := uint64(1) << (p.TimerBits - 1)
	x := suite.Ready(t, p)
	now := uint64(1000)
	set := func() { x.Set("now_ns", now&(2*half-1)) }
	ack := func(conn uint64) (thaws bool) {
		x.Cycle(benchtest.Ports{"s_ack_valid": 1, "s_ack_conn": conn, "s_ack_ev": 5})
		return x.Until(12, func() bool { return x.Get("evt_thaw") == 1 })
	}
	set()
	for i, pause := range append(benchtest.Pauses(int(p.TimerBits), 30), timeout-1, timeout, timeout+1, timeout+half-1, timeout+half, timeout+half+1,
		timeout+2*half-1, timeout+2*half, timeout+2*half+1, timeout+3*half, timeout+3*half+1) {
		conn := uint64(i)
		x.Cycle(benchtest.Ports{"s_fail_valid": 1, "s_fail_conn": conn})
		if !x.Until(12, func() bool { return x.Get("evt_freeze") == 1 }) {
			t.Fatalf("connection %d does not freeze", conn)
		}
		now += pause
		set()
		beyond := (pause - timeout) % (2 * half)
		thaws, want := ack(conn), beyond > 0 && beyond <= half
		if thaws != want {
			t.Errorf("an ACK %d ns after a failure, %d beyond the exit time: thaws %t, want %t", pause, beyond, thaws, want)
		}
		// The next packet gets its EV as usual, and freezing ends when the exit time has passed again.
		x.Cycle(benchtest.Ports{"s_send_valid": 1, "s_send_conn": conn})
		if !x.Until(int(p.SendLatency()), func() bool { return x.Get("m_ev_valid") == 1 }) {
			t.Errorf("no EV after a pause of %d ns", pause)
		}
		if !thaws {
			now += (2*half - beyond) + half/2
			set()
			if !ack(conn) {
				t.Errorf("a pause of %d ns, and then one up to half of the half beyond the exit time: still frozen", pause)
			}
		}
	}
}
