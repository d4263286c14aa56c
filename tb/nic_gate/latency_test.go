// SPDX-License-Identifier: Apache-2.0

package nicgate_test

import (
	"testing"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/nic_gate"
)

// gate is the RTL with the inputs of a test.
type gate struct {
	*cosim.Sim
	t *testing.T
	p *params.Params
}

// open resets the unit.
func open(t *testing.T, p *params.Params) *gate {
	g := &gate{Sim: suite.Open(t, p), t: t, p: p}
	g.Set("cfg_init_window", uint64(p.InitWindow))
	g.Set("cfg_quantum", uint64(p.Quantum))
	g.Set("cfg_stall_ns", uint64(p.StallNS))
	g.Set("cfg_go_back_n", 1)
	g.Set("m_push_ready", 1)
	g.Set("m_pop_ready", 1)
	g.Set("rst", 1)
	g.Step(1)
	g.Set("rst", 0)
	if n, want := g.until("sts_ready", 1<<22), int(p.Sweep())+1; n != want {
		t.Errorf("ready %d cycles after rst has fallen, want %d", n, want)
	}
	return g
}

// until is the number of cycles to a port that is not 0.
func (g *gate) until(port string, most int) int {
	g.t.Helper()
	for n := range most {
		if g.Get(port) != 0 {
			return n
		}
		g.Step(1)
	}
	g.t.Fatalf("no %s within %d cycles", port, most)
	return 0
}

// event drives inputs for a cycle, the first of which is a valid.
func (g *gate) event(in map[string]uint64) {
	for name, v := range in {
		g.Set(name, v)
	}
	g.Step(1)
	for name := range in {
		g.Set(name, 0)
	}
}

// TestLatency measures the times of the page on the RTL.
func TestLatency(t *testing.T) {
	p := params.Default()
	p.EVLatency = 12
	g := open(t, p)
	lat := p.Latency()
	is := func(what, port string, want int) {
		t.Helper()
		if n := g.until(port, 200) + 1; n != want {
			t.Errorf("%s in %d cycles, want %d", what, n, want)
		}
	}
	g.event(map[string]uint64{"s_enter_valid": 1, "s_enter_conn": 5, "s_enter_psn": 100, "s_enter_counts": 1})
	is("ENTER to PUSH", "m_push_valid", lat["ENTER to PUSH"])
	g.event(map[string]uint64{"s_due_valid": 1, "s_due_conn": 5})
	is("DUE to POP", "m_pop_valid", lat["DUE to POP"])
	if got := g.Get("m_pop_budget"); got != uint64(p.Quantum) {
		t.Errorf("budget %d, want %d", got, p.Quantum)
	}
	g.Step(1)
	g.Set("now_ns", 1000)
	g.event(map[string]uint64{"s_release_valid": 1, "s_release_conn": 5, "s_release_psn": 100, "s_release_counts": 1, "s_release_bytes": 1500})
	is("RELEASE to SEND", "m_send_valid", lat["RELEASE to SEND"])
	if g.Get("m_send_idle") != 1 {
		t.Error("the first packet does not find its connection idle")
	}
	g.Step(int(p.EVLatency) - lat["RELEASE to SEND"])
	g.event(map[string]uint64{"s_ev": 0xabc}) // its entropy value
	g.event(map[string]uint64{"s_done_valid": 1, "s_done_conn": 5, "s_done_wire": 1538})
	is("DONE to DONE", "m_done_valid", lat["DONE to DONE"])
	if g.Get("m_done_again") != 0 || g.Get("m_done_bytes") != 1538 {
		t.Errorf("done with %d bytes, again %d", g.Get("m_done_bytes"), g.Get("m_done_again"))
	}
	g.Step(20)
	g.Set("now_ns", 9000)
	g.event(map[string]uint64{"s_ack_valid": 1, "s_ack_conn": 5, "s_ack_psn": 100, "s_ack_tag": 77})
	is("ACK to sample", "m_sample_valid", lat["ACK to sample"])
	for port, want := range map[string]uint64{"hit": 1, "ev": 0xabc, "measured": 1, "rtt": 8000, "acked": 1500, "psns": 1, "una": 1500, "nxt": 1500, "moved": 1, "tag": 77} {
		if got := g.Get("m_sample_" + port); got != want {
			t.Errorf("m_sample_%s is %d, want %d", port, got, want)
		}
	}
	g.event(map[string]uint64{"s_enter_valid": 1, "s_enter_conn": 5, "s_enter_psn": 100, "s_enter_counts": 1})
	is("ENTER to TIMEOUT", "m_timeout_valid", lat["ENTER to TIMEOUT"])

	// A window that opens: from WINDOW or ACK to PUSH, with nothing else to do.
	for _, by := range []string{"window", "ack"} {
		g := open(t, p)
		g.event(map[string]uint64{"s_window_valid": 1, "s_window_conn": 5, "s_window_bytes": 1})
		for psn := range uint64(2) {
			g.event(map[string]uint64{"s_enter_valid": 1, "s_enter_conn": 5, "s_enter_psn": psn, "s_enter_counts": 1})
		}
		g.until("m_push_valid", 20)
		g.event(map[string]uint64{"s_due_valid": 1, "s_due_conn": 5})
		g.until("m_pop_valid", 20)
		g.event(map[string]uint64{"s_release_valid": 1, "s_release_conn": 5, "s_release_counts": 1, "s_release_bytes": 1500})
		g.event(map[string]uint64{"s_done_valid": 1, "s_done_conn": 5})
		g.until("m_done_valid", 20)
		g.event(map[string]uint64{"s_due_valid": 1, "s_due_conn": 5})
		g.Step(100)
		if g.Get("sts_shut_cnt") != 1 {
			t.Fatal("the window is not shut")
		}
		want := 9
		if by == "window" {
			g.event(map[string]uint64{"s_window_valid": 1, "s_window_conn": 5, "s_window_bytes": 3000})
		} else {
			want = int(p.RingLatency) + 12
			g.event(map[string]uint64{"s_ack_valid": 1, "s_ack_conn": 5})
		}
		// One of two cycles of 64 may have it wait.
		if n := g.until("m_push_valid", 100) + 1; n < want || n > want+2 {
			t.Errorf("%s to PUSH in %d cycles, want %d", by, n, want)
		}
	}
}

// TestRate demands a turn in each cycle but one of 64, and with each an ENTER, a RELEASE, a DONE, an ACK and a
// WINDOW: of each of 64 connections one in 64 cycles. Nothing is illegal, and each ACK acknowledges.
func TestRate(t *testing.T) {
	p := params.Default()
	g := open(t, p)
	const conns, rounds = 64, 40
	type event struct {
		conn, psn uint64
	}
	var due, pops []uint64
	var released, acks []event
	var psn, left [conns]uint64
	turns, cycles := 0, 0
	set := g.Set
	quiet := func() {
		for _, v := range []string{"s_enter_valid", "s_release_valid", "s_done_valid", "s_ack_valid", "s_window_valid", "s_due_valid"} {
			set(v, 0)
		}
	}
	for cycles = 0; cycles < conns*rounds*2; cycles++ {
		quiet()
		set("now_ns", uint64(4*cycles))
		c := uint64(cycles % conns)
		if psn[c]-left[c] < 3 { // a queue of three packets
			set("s_enter_valid", 1)
			set("s_enter_conn", c)
			set("s_enter_psn", psn[c])
			set("s_enter_counts", 1)
			psn[c]++
		}
		set("s_window_valid", 1)
		set("s_window_conn", c)
		set("s_window_bytes", 100_000)
		if len(due) > 0 {
			set("s_due_valid", 1)
			set("s_due_conn", due[0])
		}
		if len(pops) > 0 {
			set("s_release_valid", 1)
			set("s_release_conn", pops[0])
			set("s_release_psn", left[pops[0]])
			set("s_release_counts", 1)
			set("s_release_bytes", 64)
			set("s_done_valid", 1)
			set("s_done_conn", pops[0])
			set("s_done_wire", 84)
			released = append(released, event{pops[0], left[pops[0]]})
			left[pops[0]]++
			pops = pops[1:]
		}
		if len(released) > 40 {
			set("s_ack_valid", 1)
			set("s_ack_conn", released[0].conn)
			set("s_ack_psn", released[0].psn)
			acks = append(acks, released[0])
			released = released[1:]
		}
		if len(due) > 0 && g.Get("s_due_ready") != 0 {
			due = due[1:]
			turns++
		}
		if g.Get("m_push_valid") != 0 {
			due = append(due, g.Get("m_push_conn"))
		}
		if g.Get("m_done_valid") != 0 && g.Get("m_done_again") != 0 {
			due = append(due, g.Get("m_done_conn"))
		}
		if g.Get("m_pop_valid") != 0 {
			pops = append(pops, g.Get("m_pop_conn"))
		}
		g.Step(1)
	}
	quiet()
	g.Step(100)
	if least := cycles * 95 / 100; turns < least {
		t.Errorf("%d turns in %d cycles, want %d", turns, cycles, least)
	}
	if got := g.Get("sts_ack_cnt"); got != uint64(len(acks)) || len(acks) == 0 {
		t.Errorf("%d of %d ACKs acknowledge", got, len(acks))
	}
	if n := g.Get("sts_illegal_cnt"); n != 0 {
		t.Errorf("%d illegal events", n)
	}
}

// TestForce flushes a connection whose turn never comes, and then one whose discarded packets are never told of.
func TestForce(t *testing.T) {
	p := params.Default()
	g := open(t, p)
	pops := func(what string) {
		t.Helper()
		g.until("m_pop_valid", 400)
		if g.Get("m_pop_conn") != 5 || g.Get("m_pop_discard") != 1 {
			t.Fatalf("%s: POP of connection %d, discard %d; want 5, 1", what, g.Get("m_pop_conn"), g.Get("m_pop_discard"))
		}
		g.Step(1)
	}
	store := map[string]uint64{"s_enter_valid": 1, "s_enter_conn": 5, "s_enter_psn": 100, "s_enter_counts": 1}
	g.event(store)
	g.until("m_push_valid", 20)
	g.Set("s_flush_valid", 1)
	g.Set("s_flush_conn", 5)
	for range 10_000 {
		if g.Step(1); g.Get("m_pop_valid") != 0 || g.Get("s_flush_ready") != 0 {
			t.Fatal("a flush did not wait for the connection's turn")
		}
	}
	g.Set("cfg_flush_force", 1)
	pops("the turn is not waited for")
	for range 10_000 {
		if g.Step(1); g.Get("m_pop_valid") != 0 || g.Get("s_flush_ready") != 0 {
			t.Fatal("a flush did not wait for its DONE")
		}
	}
	g.Set("cfg_flush_force", 0)
	g.Step(100)
	g.Set("cfg_flush_force", 1)
	pops("it begins again")
	g.event(map[string]uint64{"s_done_valid": 1, "s_done_conn": 5, "s_done_discard": 1})
	g.until("s_flush_ready", 1000)
	g.Step(1)
	g.Set("s_flush_valid", 0)
	g.Set("cfg_flush_force", 0)
	g.event(store)
	g.until("m_push_valid", 20)
	if n := g.Get("sts_illegal_cnt"); n != 0 {
		t.Errorf("%d illegal events, want 0", n)
	}
}
