// SPDX-License-Identifier: Apache-2.0

package nicpace_test

import (
	"testing"

	params "github.com/nicgen/nicgen/gen/nic_pace"
)

// TestLatency measures the times of the page on the RTL.
func TestLatency(t *testing.T) {
	p := params.Default()
	sim := suite.Open(t, p)
	now := uint64(0)
	step := func() {
		sim.Set("now_ns", now)
		sim.Step(1)
	}
	until := func(port string, most int) int {
		for n := range most {
			if sim.Get(port) != 0 {
				return n
			}
			step()
		}
		t.Fatalf("no %s within %d cycles", port, most)
		return 0
	}
	sim.Set("rst", 1)
	step()
	sim.Set("rst", 0)
	if n, want := until("sts_ready", 1<<20), int(p.Sweep())+1; n != want {
		t.Errorf("ready %d cycles after rst has fallen, want %d", n, want)
	}

	// PUSH to DUE.
	sim.Set("m_due_ready", 1)
	sim.Set("s_push_valid", 1)
	sim.Set("s_push_conn", 5)
	step()
	sim.Set("s_push_valid", 0)
	if n := until("m_due_valid", 100) + 1; n != p.Latency()["PUSH to DUE"] || sim.Get("m_due_conn") != 5 {
		t.Errorf("PUSH to DUE in %d cycles, connection %d; want %d, 5", n, sim.Get("m_due_conn"), p.Latency()["PUSH to DUE"])
	}

	// DONE to DUE, in the cycle in which the turn is taken.
	sim.Set("s_done_valid", 1)
	sim.Set("s_done_conn", 5)
	sim.Set("s_done_again", 1)
	step()
	sim.Set("s_done_valid", 0)
	if n := until("m_due_valid", 100) + 1; n != p.Latency()["DONE to DUE"] {
		t.Errorf("DONE to DUE in %d cycles, want %d", n, p.Latency()["DONE to DUE"])
	}

	// From the beginning of a slot to its connection's turn: ndt is now + 8 * 100.
	now = 100_000
	sim.Set("s_rate_valid", 1)
	sim.Set("s_rate_conn", 5)
	sim.Set("s_rate_inv", 8<<p.FracBits)
	step()
	sim.Set("s_rate_valid", 0)
	for range 100 * 1000 { // the wheel follows the time
		step()
	}
	sim.Set("s_done_valid", 1)
	sim.Set("s_done_bytes", 100)
	step() // also takes the turn
	sim.Set("s_done_valid", 0)
	now = 100_800&^(uint64(p.SlotNS)-1) - 1 // just before the slot of its departure time
	for range 100 {
		step()
	}
	if sim.Get("m_due_valid") != 0 {
		t.Fatal("due before its time")
	}
	now++
	if n, want := until("m_due_valid", 1000), 22; n != want {
		t.Errorf("%d cycles from the beginning of a slot to DUE, want %d", n, want)
	}

	// A flush of a connection that has its turn, and what comes after it.
	step()
	sim.Set("s_flush_valid", 1)
	sim.Set("s_flush_conn", 5)
	if n := until("s_flush_ready", 1000); n > 135 {
		t.Errorf("a flush takes %d cycles", n)
	}
	step()
	sim.Set("s_flush_valid", 0)
	illegal := sim.Get("sts_illegal_cnt")
	sim.Set("s_done_valid", 1)
	step()
	sim.Set("s_done_valid", 0)
	for range 6 {
		step()
	}
	if got := sim.Get("sts_illegal_cnt"); got != illegal+1 {
		t.Errorf("a DONE after a flush: %d illegal events, want %d", got, illegal+1)
	}
}

// TestForce flushes a connection that is not seen again for long, as one that an upset took out of its list.
func TestForce(t *testing.T) {
	p := params.Default()
	sim := suite.Open(t, p)
	ready := func(cycles int) bool {
		for range cycles {
			if sim.Get("s_flush_ready") != 0 {
				return true
			}
			sim.Step(1)
		}
		return false
	}
	event := func(in map[string]uint64) {
		for name, v := range in {
			sim.Set(name, v)
		}
		sim.Step(1)
		for name := range in {
			sim.Set(name, 0)
		}
		sim.Step(20)
	}
	sim.Set("rst", 1)
	sim.Step(1)
	sim.Set("rst", 0)
	sim.Step(int(p.Sweep()) + 2)
	sim.Set("m_due_ready", 1)
	event(map[string]uint64{"s_rate_valid": 1, "s_rate_conn": 7, "s_rate_inv": 1 << 20})
	event(map[string]uint64{"s_push_valid": 1, "s_push_conn": 7})
	event(map[string]uint64{"s_done_valid": 1, "s_done_conn": 7, "s_done_bytes": 60_000, "s_done_again": 1})
	event(map[string]uint64{"s_push_valid": 1, "s_push_conn": 7})
	illegal := sim.Get("sts_illegal_cnt")
	if illegal != 1 {
		t.Fatalf("%d illegal events, want 1: a PUSH of a connection that is in the wheel", illegal)
	}
	sim.Set("s_flush_valid", 1)
	sim.Set("s_flush_conn", 7)
	if ready(10_000) {
		t.Fatal("a flush did not wait for the connection's turn")
	}
	sim.Set("cfg_flush_force", 1)
	if !ready(150) {
		t.Fatal("a flush still waits for the connection's turn, with cfg_flush_force")
	}
	sim.Step(1)
	sim.Set("s_flush_valid", 0)
	sim.Set("cfg_flush_force", 0)
	sim.Step(2)
	due := sim.Get("sts_due_cnt")
	event(map[string]uint64{"s_push_valid": 1, "s_push_conn": 7})
	if got := sim.Get("sts_illegal_cnt"); got != illegal || sim.Get("sts_due_cnt") != due+1 || sim.Get("sts_flush_cnt") != 1 {
		t.Errorf("after the flush: %d illegal events, want %d; %d turns, want %d; %d flushes, want 1", got, illegal, sim.Get("sts_due_cnt"), due+1, sim.Get("sts_flush_cnt"))
	}
}
