// SPDX-License-Identifier: Apache-2.0

package nicgate_test

import (
	"math/rand/v2"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/nic_gate"
	pace "github.com/nicgen/nicgen/gen/nic_pace"
	"github.com/nicgen/nicgen/tb/benchtest"
	nicpace "github.com/nicgen/nicgen/tb/nic_pace"
)

// frame is a packet of the loop.
type frame struct{ psn, bytes, at uint64 } // at: the cycle of its ENTER

// flow is a connection of the loop: its host, its queue, and its receiver.
type flow struct {
	queue    []frame
	next     uint64   // PSN of the host's next packet
	left     int      // packets that the host still has
	want     uint64   // PSN that the receiver waits for
	sizes    []uint64 // of the packets, by PSN
	inflight []frame  // not acknowledged, as the host knows
	acked    uint64   // PSN
	since    uint64   // cycle of the host's last progress
	high     uint64   // PSN of the first packet that was never stored
	back     bool     // a NAK came
	naked    bool     // the receiver has sent one, for this PSN
	window   uint64
	flying   uint64 // bytes released minus bytes of samples
}

// TestLoop closes the loop of two units' SystemVerilog, gate and pacer, with queues, a wire on which packets and ACKs
// get lost, and hosts that go back when their timer runs out. The windows hold, the pacer gets no illegal event,
// every packet arrives, and without losses small packets fill the wire.
func TestLoop(t *testing.T) {
	for _, lossy := range []bool{false, true} {
		p, q := params.Default(), pace.Default()
		p.Connections, q.Connections = 64, 64
		p.StallNS = 20_000
		g := open(t, p)
		pacer := benchtest.Suite[*pace.Params]{Unit: nicpace.Unit}.Open(t, q)
		r := rand.New(rand.NewPCG(7, 7))
		cycle := uint64(0)
		both := func() {
			for _, sim := range []*cosim.Sim{g.Sim, pacer} {
				sim.Set("now_ns", 4*cycle)
				sim.Step(1)
			}
			cycle++
		}
		pacer.Set("rst", 1)
		pacer.Set("cfg_allowance_ns", uint64(q.AllowanceNS))
		pacer.Set("cfg_idle_ns", uint64(q.IdleNS))
		both()
		pacer.Set("rst", 0)
		for pacer.Get("sts_ready") == 0 {
			both()
		}
		flows := make([]flow, p.Connections)
		const each = 150
		for c := range flows {
			flows[c].left, flows[c].next, flows[c].want, flows[c].acked = each, 50, 50, 50
			flows[c].window = 1<<24 - 1
			if lossy {
				flows[c].window = uint64(4_000 + r.IntN(20_000))
			}
			g.event(map[string]uint64{"s_window_valid": 1, "s_window_conn": uint64(c), "s_window_bytes": flows[c].window})
		}
		type ack struct {
			at, conn, psn uint64
			nak           bool
		}
		type turn struct {
			conn   uint64
			budget int64
			begun  bool
			wire   uint64
		}
		var acks []ack
		var turns []turn
		var dones []turn
		free, busy, last, first := uint64(0), uint64(0), uint64(0), uint64(0)
		open, most := len(flows), uint64(2_000_000)
		pick := 0
		// A packet leaves some cycles after it was stored.
		stored := func(c uint64) bool {
			queue := flows[c].queue
			return len(queue) == 0 || cycle >= queue[0].at+6
		}
		for end := cycle + most; open > 0; {
			if cycle > end {
				t.Fatalf("lossy %t: %d connections have not finished", lossy, open)
			}
			for _, v := range []string{"s_enter_valid", "s_release_valid", "s_done_valid", "s_ack_valid"} {
				g.Set(v, 0)
			}
			// A host stores a packet, or goes back.
			pick = (pick + 1) % len(flows)
			h := &flows[pick]
			again := len(h.inflight) > 0 && (h.back || cycle-h.since > 8_000)
			if again {
				h.next, h.since, h.back = h.acked, cycle, false
				h.flying = 0 // all is taken as lost
			}
			if len(h.queue) < 8 || h.next < h.high && len(h.queue) < 200 {
				if h.next < 50+each && h.next < h.acked+100 {
					i := int(h.next - 50)
					if i == len(h.sizes) {
						size := uint64(64 - 18)
						if lossy {
							size = 44 + uint64(r.IntN(3000))
						}
						h.sizes = append(h.sizes, size)
					}
					h.queue = append(h.queue, frame{h.next, h.sizes[i], cycle})
					if h.next >= h.acked+uint64(len(h.inflight)) {
						h.inflight = append(h.inflight, frame{h.next, h.sizes[i], cycle})
					}
					g.Set("s_enter_valid", 1)
					g.Set("s_enter_conn", uint64(pick))
					g.Set("s_enter_psn", h.next)
					g.Set("s_enter_counts", 1)
					h.next++
					h.high = max(h.high, h.next)
				}
			}
			// Queues, and the wire: 50 bytes a cycle.
			if len(turns) > 0 && cycle >= free && stored(turns[0].conn) {
				v := &turns[0]
				f := &flows[v.conn]
				if len(f.queue) > 0 && (!v.begun || v.budget > 0) {
					head := f.queue[0]
					f.queue = f.queue[1:]
					wire := max(head.bytes+18, 64) + 20
					v.begun, v.budget, v.wire = true, v.budget-int64(head.bytes), v.wire+wire
					if first == 0 {
						first = cycle
					}
					free = cycle + (wire+49)/50
					busy += free - cycle
					last = free
					g.Set("s_release_valid", 1)
					g.Set("s_release_conn", v.conn)
					g.Set("s_release_psn", head.psn)
					g.Set("s_release_bytes", head.bytes)
					g.Set("s_release_counts", 1)
					if f.flying >= f.window && f.flying > 0 && g.Get("sts_stall_cnt") == 0 {
						t.Fatalf("lossy %t: %d bytes are in flight, of a window of %d", lossy, f.flying, f.window)
					}
					f.flying += head.bytes
					if !lossy || r.IntN(100) > 0 {
						if head.psn == f.want {
							f.want++
							f.naked = false
						}
						nak := head.psn > f.want && !f.naked
						f.naked = f.naked || nak
						if !lossy || r.IntN(20) > 0 {
							acks = append(acks, ack{cycle + 500, v.conn, f.want - 1, nak})
						}
					}
				}
				if len(f.queue) == 0 || v.budget <= 0 {
					dones = append(dones, *v)
					turns = turns[1:]
				}
			}
			if len(dones) > 0 {
				g.Set("s_done_valid", 1)
				g.Set("s_done_conn", dones[0].conn)
				g.Set("s_done_wire", dones[0].wire)
				dones = dones[1:]
			}
			if len(acks) > 0 && acks[0].at <= cycle {
				a := acks[0]
				acks = acks[1:]
				g.Set("s_ack_valid", 1)
				g.Set("s_ack_conn", a.conn)
				g.Set("s_ack_psn", a.psn)
				g.Set("s_ack_nak", 0)
				if a.nak {
					g.Set("s_ack_psn", a.psn+1)
					g.Set("s_ack_nak", 1)
					flows[a.conn].back = true
				}
				if f := &flows[a.conn]; a.psn >= f.acked {
					n := int(a.psn + 1 - f.acked)
					f.inflight = f.inflight[min(n, len(f.inflight)):]
					f.acked, f.since = a.psn+1, cycle
					f.next = max(f.next, f.acked)
					if f.acked == 50+each {
						open--
					}
				}
			}
			if g.Get("m_sample_valid") != 0 {
				f := &flows[g.Get("m_sample_conn")]
				f.flying -= min(f.flying, g.Get("m_sample_acked"))
			}
			// Between the units.
			pacer.Set("s_push_valid", g.Get("m_push_valid"))
			pacer.Set("s_push_conn", g.Get("m_push_conn"))
			g.Set("m_push_ready", pacer.Get("s_push_ready"))
			pacer.Set("s_done_valid", g.Get("m_done_valid"))
			pacer.Set("s_done_conn", g.Get("m_done_conn"))
			pacer.Set("s_done_bytes", g.Get("m_done_bytes"))
			pacer.Set("s_done_again", g.Get("m_done_again"))
			g.Set("s_due_valid", pacer.Get("m_due_valid"))
			g.Set("s_due_conn", pacer.Get("m_due_conn"))
			pacer.Set("m_due_ready", g.Get("s_due_ready"))
			room := uint64(0)
			if len(turns) < 4 {
				room = 1
				if g.Get("m_pop_valid") != 0 {
					turns = append(turns, turn{conn: g.Get("m_pop_conn"), budget: int64(g.Get("m_pop_budget"))})
				}
			}
			g.Set("m_pop_ready", room)
			both()
		}
		if n, m := g.Get("sts_illegal_cnt"), pacer.Get("sts_illegal_cnt"); n != 0 || m != 0 {
			t.Errorf("lossy %t: %d illegal events in the gate, %d in the pacer", lossy, n, m)
		}
		share := float64(busy) / float64(last-first)
		t.Logf("lossy %t: %d cycles, %.1f %% of the wire; shut %d, by the stall rule %d, timeouts %d, dropped looks %d", lossy, cycle, 100*share,
			g.Get("sts_shut_cnt"), g.Get("sts_stall_cnt"), g.Get("sts_timeout_cnt"), g.Get("sts_dropped_cnt"))
		if !lossy && share < 0.95 {
			t.Errorf("%.1f %% of the wire", 100*share)
		}
		if lossy && (g.Get("sts_shut_cnt") == 0 || g.Get("sts_timeout_cnt") == 0) {
			t.Error("no window was shut, or no timer ran out")
		}
	}
}
