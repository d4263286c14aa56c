// SPDX-License-Identifier: Apache-2.0

package nicgate_test

import (
	"testing"

	"github.com/nicgen/nicgen/tb/benchtest"
)

// A connection whose window is shut, and which hears of nothing, sends one packet between one and three times stall_ns after a
// pause of any length in which its time jumped, as after none; never sooner than stall_ns after it began to wait.
func TestPauses(t *testing.T) {
	const (
		conn  = 3
		stall = 2048
		cycle = 4 // ns
	)
	p := suite.Configure(t, few)
	x := suite.Ready(t, p)
	x.Set("cfg_stall_ns", stall)
	x.Set("cfg_init_window", 1000)
	x.Set("m_push_ready", 1)
	x.Set("m_pop_ready", 1)
	now := uint64(1000)
	pass := func(in benchtest.Ports) {
		t.Helper()
		now += cycle
		x.Set("now_ns", now&(1<<p.TimerBits-1))
		x.Cycle(in)
	}
	// comes lets cycles pass until a stream has something for the connection.
	comes := func(stream string, most int) bool {
		t.Helper()
		for range most {
			if pass(nil); x.Get(stream+"_valid") == 1 {
				if got := x.Get(stream + "_conn"); got != conn {
					t.Fatalf("%s is for connection %d, want %d", stream, got, conn)
				}
				return true
			}
		}
		return false
	}
	due := func() {
		t.Helper()
		for taken := false; !taken; taken = x.Get("s_due_ready") == 1 {
			pass(benchtest.Ports{"s_due_valid": 1, "s_due_conn": conn})
		}
	}
	leave := func(psn uint64) {
		t.Helper()
		if !comes("m_pop", 20) {
			t.Fatalf("packet %d may not leave", psn)
		}
		pass(benchtest.Ports{"s_release_valid": 1, "s_release_conn": conn, "s_release_psn": psn, "s_release_bytes": 1500, "s_release_counts": 1})
		pass(benchtest.Ports{"s_done_valid": 1, "s_done_conn": conn, "s_done_wire": 1524})
		for range 10 { // until then an entering packet gets its turn with this one
			pass(nil)
		}
	}
	flush := func() {
		for taken := false; !taken; taken = x.Get("s_flush_ready") == 1 {
			pass(benchtest.Ports{"s_flush_valid": 1, "s_flush_conn": conn})
		}
	}
	flush()
	psn := uint64(0)
	list := append([]uint64{0, stall - 300, stall, 2 * stall, 7 * stall, 8 * stall, 9 * stall}, benchtest.Pauses(int(p.TimerBits), 10_000)...)
	for i, pause := range list {
		for range 2 {
			psn++
			pass(benchtest.Ports{"s_enter_valid": 1, "s_enter_conn": conn, "s_enter_psn": psn, "s_enter_counts": 1})
			if !comes("m_push", 20) {
				t.Fatalf("packet %d does not want a turn", psn)
			}
			if due(); psn%2 == 1 {
				leave(psn)
			}
		}
		if comes("m_pop", 20) {
			t.Fatalf("packet %d leaves with 1,500 bytes in flight and a window of 1,000", psn)
		}
		shut := now
		if i%2 == 1 { // some wait for a while, in which nothing may happen
			if comes("m_push", (stall-512)/cycle) {
				t.Fatalf("packet %d has its turn after %d ns", psn, now-shut)
			}
		}
		now += pause
		from := now
		if !comes("m_push", 3*stall/cycle+200) {
			t.Fatalf("after a pause of %d ns packet %d has no turn in %d ns", pause, psn, now-from)
		}
		if now-shut < stall-256 {
			t.Errorf("packet %d has its turn after %d ns, want %d at least", psn, now-shut, stall-256)
		}
		due()
		leave(psn)
		pass(benchtest.Ports{"s_ack_valid": 1, "s_ack_conn": conn, "s_ack_psn": psn})
		for range 40 {
			pass(nil)
		}
		if n := x.Get("sts_stall_cnt"); n != uint64(i)+1 {
			t.Errorf("%d packets were sent by the stall rule, want %d", n, i+1)
		}
	}
}
