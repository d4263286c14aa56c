// SPDX-License-Identifier: Apache-2.0

package nicecho_test

import (
	"testing"

	params "github.com/nicgen/nicgen/gen/nic_echo"
)

// TestLatency measures the times of the page on the RTL: readiness, echo, feedback, flush.
func TestLatency(t *testing.T) {
	p := params.Default()
	sim := suite.Open(t, p)
	until := func(port string, most int) int {
		for n := range most {
			if sim.Get(port) != 0 {
				return n
			}
			sim.Step(1)
		}
		t.Fatalf("no %s within %d cycles", port, most)
		return 0
	}
	sim.Set("cfg_feedback_packets", 3)
	sim.Set("cfg_feedback_ns", 1<<31-1)
	sim.Set("rst", 1)
	sim.Step(1)
	sim.Set("rst", 0)
	if n, want := until("sts_ready", 1<<20), int(p.Ring*p.Connections)+1; n != want {
		t.Errorf("ready %d cycles after rst has fallen, want %d", n, want)
	}
	packet := func(psn, ev uint64) {
		for name, v := range map[string]uint64{"valid": 1, "conn": 5, "psn": psn, "ev": ev, "ce": psn & 1, "feedback": 1} {
			sim.Set("s_data_"+name, v)
		}
	}

	// Three packets, and an ACK in the cycle of the last one.
	for psn := range uint64(3) {
		packet(psn, 100+psn)
		if psn == 2 {
			sim.Set("s_ack_valid", 1)
			sim.Set("s_ack_conn", 5)
			sim.Set("s_ack_psn", 2)
		} else {
			sim.Step(1)
		}
	}
	last := sim.Cycle()
	sim.Step(1)
	sim.Set("s_data_valid", 0)
	sim.Set("s_ack_valid", 0)
	until("m_echo_valid", 100)
	if n := int(sim.Cycle() - last); n != p.EchoLatency() || sim.Get("m_echo_hit") != 1 || sim.Get("m_echo_ev") != 102 {
		t.Errorf("echo after %d cycles, hit %d, EV %d; want %d, 1, 102", n, sim.Get("m_echo_hit"), sim.Get("m_echo_ev"), p.EchoLatency())
	}
	until("m_fb_valid", 100)
	if n := int(sim.Cycle() - last); n != 3+12 || sim.Get("m_fb_count") != 3 || sim.Get("m_fb_conn") != 5 || sim.Get("m_fb_psn") != 2 {
		t.Errorf("feedback after %d cycles, %d packets of connection %d, PSN %d; want %d, 3, 5, 2",
			n, sim.Get("m_fb_count"), sim.Get("m_fb_conn"), sim.Get("m_fb_psn"), 3+12)
	}

	// A flush, and the ACK of a packet that is forgotten.
	sim.Set("m_fb_ready", 1)
	sim.Set("s_flush_valid", 1)
	sim.Set("s_flush_conn", 5)
	sim.Step(1)
	if n, want := until("s_flush_ready", 1000)+1, int(p.Ring); n != want {
		t.Errorf("a flush takes %d cycles before the one that it ends in, want %d", n, want)
	}
	sim.Step(1)
	sim.Set("s_flush_valid", 0)
	sim.Set("s_ack_valid", 1)
	sim.Step(1)
	sim.Set("s_ack_valid", 0)
	if until("m_echo_valid", 100); sim.Get("m_echo_hit") != 0 {
		t.Error("a packet is known after a flush of its connection")
	}
}
