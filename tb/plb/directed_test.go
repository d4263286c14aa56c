// SPDX-License-Identifier: Apache-2.0

package plb_test

import (
	"fmt"
	"testing"

	"github.com/nicgen/nicgen/cosim"
)

// The choices of docs/units/plb.md where the paper leaves one, restated by hand: these
// tests know neither the model nor the RTL.

// Causes of a new label, as the page has them.
const (
	none = iota
	idle
	forced
	restart
)

// noConnection is the cause of an illegal SEND.
const noConnection = 7

// tick is the unit of times.
const tick = 1 << 20

// few are kinds of memory, with few connections; K = 0.5, M = 3, N = 12.
var few = []string{
	"connections=5 conn_bits=3 counter_bits=8 state_memory=lutram",
	"connections=5 conn_bits=3 counter_bits=8 state_memory=bram",
	"connections=5 conn_bits=3 counter_bits=8 state_memory=bram ram_latency=2",
}

// dut is the unit, driven event by event; connection 1 has them all.
type dut struct {
	*cosim.Sim
	t         *testing.T
	now       uint64
	una, nxt  uint32
	set       map[string]uint64
	lastLabel uint64
}

// onEach runs a test in each of the kinds of memory, with the connection opened, its first label
// given and its first round begun at sequence number seq.
func onEach(t *testing.T, seq uint32, test func(d *dut)) {
	for _, conf := range few {
		t.Run(conf, func(t *testing.T) { test(begin(t, conf, seq)) })
	}
}

// begin is a unit as onEach gives it.
func begin(t *testing.T, conf string, seq uint32) *dut {
	d := &dut{Sim: suite.Open(t, suite.Configure(t, conf)), t: t, una: seq, nxt: seq + 1000, set: map[string]uint64{
		"cfg_mode": 0, "cfg_fraction": 1 << 14, "cfg_idle_rounds": 3, "cfg_forced_rounds": 12, "cfg_pause_ns": 100 * tick,
		"cfg_target_ns": 1000, "cfg_rtt_detector": 0,
	}}
	d.cycle(map[string]uint64{"rst": 1})
	for range 8 {
		d.cycle(nil)
	}
	d.send(false, restart)
	d.ack(0, false, d.una)
	return d
}

// cycle is one cycle with these inputs, the settings and the time; all others are 0.
func (d *dut) cycle(in map[string]uint64) {
	for _, port := range []string{
		"rst", "s_ack_valid", "s_ack_conn", "s_ack_pkts", "s_ack_ece", "s_ack_rtt_ns", "s_ack_una", "s_ack_nxt",
		"s_rto_valid", "s_rto_conn", "s_rto_open", "s_send_valid", "s_send_conn", "s_send_idle", "s_seed_valid", "s_seed_word",
	} {
		d.Set(port, in[port])
	}
	for port, v := range d.set {
		d.Set(port, v)
	}
	d.Set("now_ns", d.now)
	d.Step(1)
}

// ack acknowledges up to una.
func (d *dut) ack(pkts uint64, ece bool, una uint32) {
	v := map[string]uint64{"s_ack_valid": 1, "s_ack_conn": 1, "s_ack_pkts": pkts, "s_ack_una": uint64(una), "s_ack_nxt": uint64(d.nxt)}
	if ece {
		v["s_ack_ece"] = 1
	}
	d.cycle(v)
	d.una = una
}

// round acknowledges packets, of which some are marked, and with the last of them what had been sent
// when the round began.
func (d *dut) round(clean, marked uint64) {
	end := d.nxt
	if clean > 0 {
		d.ack(clean, false, d.una)
	}
	d.nxt += 1000
	d.ack(marked, marked > 0, end)
}

func (d *dut) rounds(n int) {
	for range n {
		d.round(0, 10)
	}
}

// rto is a timeout, or an opening.
func (d *dut) rto(open uint64) {
	d.cycle(map[string]uint64{"s_rto_valid": 1, "s_rto_conn": 1, "s_rto_open": open})
}

// send sends a packet and wants to know why its label is new; one that is not is the old one.
func (d *dut) send(inFlightNone bool, cause uint64) {
	d.t.Helper()
	v := map[string]uint64{"s_send_valid": 1, "s_send_conn": 1}
	if inFlightNone {
		v["s_send_idle"] = 1
	}
	d.cycle(v)
	for range 11 {
		d.cycle(nil)
	}
	if d.Get("m_send_valid") != 1 || d.Get("m_send_conn") != 1 {
		d.t.Fatal("no answer 12 cycles after the SEND")
	}
	if got := d.Get("m_send_cause"); got != cause {
		d.t.Errorf("the label is new for %d, want %d", got, cause)
	}
	label := d.Get("m_send_label")
	if cause == none && label != d.lastLabel {
		d.t.Errorf("the label changed from %#x to %#x without a cause", d.lastLabel, label)
	}
	if port := d.Get("m_send_port"); port != 49152+label&(1<<14-1) {
		d.t.Errorf("label %#x has port %d", label, port)
	}
	d.lastLabel = label
}

// counted wants a counter, when all events are through.
func (d *dut) counted(name string, want uint64) {
	d.t.Helper()
	for range 12 {
		d.cycle(nil)
	}
	if got := d.Get("sts_" + name + "_cnt"); got != want {
		d.t.Errorf("%d %s, want %d", got, name, want)
	}
}

// The bound of a balance: a round that swings back decides as without one up to the bound, and not
// beyond. 20 bits have it at 8 packets' weight: 16 marked packets of K = 0.5 fill it.
func TestBalanceBound(t *testing.T) {
	for _, c := range []struct {
		marked, clean int
		want          string
		lost          uint64
	}{
		{15, 14, "congested", 0}, {15, 16, "clean", 0},
		{16, 16, "congested", 0}, {16, 17, "clean", 0},
		{17, 16, "congested", 1}, {17, 17, "clean", 1}, // exact: 17 of 34
		{40, 16, "congested", 24}, {40, 17, "clean", 24},
		{17, 17, "clean", 1},
	} {
		t.Run(fmt.Sprintf("%d marked, %d clean", c.marked, c.clean), func(t *testing.T) {
			d := begin(t, "connections=5 conn_bits=3 counter_bits=8 state_memory=lutram pkts_bits=1 balance_bits=20", 0)
			end := d.nxt
			for range c.marked {
				d.ack(1, true, d.una)
			}
			for range c.clean {
				d.ack(1, false, d.una)
			}
			d.ack(0, false, end)
			d.counted(c.want, 1)
			d.counted("saturated", c.lost)
		})
	}
	for _, c := range []struct {
		clean, marked int
		want          string
		lost          uint64
	}{
		{16, 16, "congested", 0}, {17, 16, "clean", 0}, {17, 17, "congested", 0},
		{18, 17, "congested", 1}, {40, 16, "clean", 23}, {40, 17, "congested", 23},
	} {
		t.Run(fmt.Sprintf("%d clean, %d marked", c.clean, c.marked), func(t *testing.T) {
			d := begin(t, "connections=5 conn_bits=3 counter_bits=8 state_memory=lutram pkts_bits=1 balance_bits=20", 0)
			end := d.nxt
			for range c.clean {
				d.ack(1, false, d.una)
			}
			for range c.marked {
				d.ack(1, true, d.una)
			}
			d.ack(0, false, end)
			d.counted(c.want, 1)
			d.counted("saturated", c.lost)
		})
	}
}

func TestDecisions(t *testing.T) {
	for _, c := range []struct {
		name string
		seq  uint32
		test func(d *dut)
	}{
		{"B1, a round without packets is none", 0, func(d *dut) {
			d.rounds(2)
			d.round(0, 0)
			d.counted("congested", 2)
			d.counted("clean", 0)
			d.send(true, none)
			d.rounds(1) // the third
			d.send(true, idle)
		}},
		{"B2, exactly K is congested", 0, func(d *dut) {
			d.rounds(2)
			d.round(5, 5)
			d.counted("congested", 3)
			d.round(6, 4)
			d.counted("clean", 1)
			d.send(true, none)
		}},
		{"B3, rounds stay at the most", 0, func(d *dut) {
			d.set["cfg_forced_rounds"], d.set["cfg_idle_rounds"] = 0, 0
			d.rounds(20) // 4 bits
			d.send(true, none)
			d.set["cfg_forced_rounds"] = 15
			d.send(false, forced)
		}},
		{"B3, a larger N finds the true number", 0, func(d *dut) {
			d.rounds(13)
			d.set["cfg_forced_rounds"] = 14
			d.send(false, none)
			d.rounds(1)
			d.send(false, forced)
		}},
		{"B4, a round is over with what had been sent at its begin", 4_294_966_000, func(d *dut) { // its end is 4,294,967,000
			d.nxt += 10_000
			d.ack(10, true, 4_294_966_999)
			d.counted("congested", 0)
			d.ack(10, true, 200) // 496 past the end
			d.counted("congested", 1)
			d.ack(10, true, d.una) // its end is that nxt
			d.counted("congested", 1)
		}},
		{"B5, a label changes before a SEND", 0, func(d *dut) {
			d.rounds(12)
			d.counted("forced", 0)
			d.round(10, 0) // a clean round in time
			d.send(false, none)
			d.rounds(12)
			d.send(false, forced)
			d.send(false, none)
		}},
		{"B6, detection pauses", 0, func(d *dut) {
			d.rounds(12)
			d.now = 5 * tick
			d.rto(0)
			d.send(false, restart)
			d.rounds(20)
			d.now = 104 * tick // T is 100: in any pause
			d.rounds(20)
			d.counted("congested", 12)
			d.send(true, none)
			d.now = 205 * tick // after 2T, in none
			d.rounds(3)
			d.counted("congested", 15)
			d.send(true, idle)
		}},
		{"B6, the first verdict is about packets after the pause", 0, func(d *dut) {
			d.rto(0)
			d.send(false, restart)
			d.ack(0, false, d.una) // begins a round
			d.ack(200, true, d.una)
			d.now = 200 * tick
			d.round(10, 0)
			d.counted("clean", 1)
		}},
		{"B7, an RTO during a pause", 0, func(d *dut) {
			d.rto(0)
			d.send(false, restart)
			d.now = 99 * tick
			d.rto(0)
			d.send(false, restart)
			d.now = 198 * tick // in the second pause
			d.rounds(4)
			d.counted("congested", 0)
			d.now = 299 * tick
			d.rounds(4)
			d.counted("congested", 4)
		}},
		{"B8, the new label may be the old one", 0, func(d *dut) {
			for range 2 { // the same seed, the same cycles, the same label
				for range 7 {
					d.cycle(map[string]uint64{"s_seed_valid": 1, "s_seed_word": 12345})
				}
				d.rto(1)
				old := d.lastLabel
				d.send(false, restart)
				d.t.Logf("label %#x after %#x", d.lastLabel, old)
			}
			label := d.lastLabel
			for range 7 {
				d.cycle(map[string]uint64{"s_seed_valid": 1, "s_seed_word": 12345})
			}
			d.rto(1)
			d.send(false, restart)
			if d.lastLabel != label {
				d.t.Errorf("the same seed gives label %#x after %#x", d.lastLabel, label)
			}
		}},
		{"B9, FlowBender", 0, func(d *dut) {
			d.set["cfg_idle_rounds"], d.set["cfg_forced_rounds"], d.set["cfg_fraction"], d.set["cfg_pause_ns"] = 1, 1, 1638, 0
			d.send(false, none)
			d.round(19, 1) // 5 %
			d.send(false, forced)
			d.round(20, 1)
			d.send(true, none)
			d.rto(0)
			d.send(false, restart)
			d.ack(0, false, d.una) // begins a round
			d.rounds(1)
			d.send(false, forced)
		}},
		{"B9, the artifact's baseline", 0, func(d *dut) {
			d.set["cfg_idle_rounds"], d.set["cfg_forced_rounds"], d.set["cfg_fraction"], d.set["cfg_pause_ns"] = 2, 2, 8193, 0
			d.round(30, 10) // a quarter is clean
			d.counted("clean", 1)
			d.round(29, 10)
			d.send(false, none)
			d.round(29, 10)
			d.send(false, forced)
			d.rto(0)
			d.send(false, restart)
			d.ack(0, false, d.una)
			d.round(29, 10)
			d.send(false, none)
			d.round(29, 10)
			d.send(false, forced)
		}},
		{"B17, a window of 2^30", 0, func(d *dut) {
			d.nxt = d.una + 1<<30 - 1
			d.ack(1, false, d.una)
			d.counted("illegal", 0)
			nxt := d.nxt
			d.nxt = d.una + 1<<30
			d.ack(1, false, d.una)
			d.nxt = d.una + 1<<31 - 1
			d.ack(1, false, d.una)
			d.nxt = d.una - 1
			d.ack(1, false, d.una)
			d.counted("illegal", 3)
			d.nxt = nxt
			d.rounds(1)
			d.counted("congested", 1)
		}},
		{"B19, a clock that jumps", 0, func(d *dut) {
			d.set["cfg_pause_ns"] = 1 << 35
			d.now = 300_000_000_000
			d.counted("jump", 1)
			d.rto(0)
			d.send(false, restart)
			d.ack(0, false, d.una)
			d.now = 250_000_000_000 // the pause is longer
			d.counted("jump", 2)
			d.now = 300_000_000_000 + 1<<35 - 1<<20
			d.rounds(1)
			d.counted("congested", 0)
			d.now -= 137_438_953_472 // twice the longest T: the pause is over
			d.rounds(1)
			d.counted("congested", 1)
			d.counted("jump", 4)
			for range 100 {
				d.now += 1 << 30 // as far as no jump is
				d.cycle(nil)
			}
			d.counted("jump", 4)
			d.now += 1 << 31
			d.counted("jump", 5)
			d.now -= 1 << 30
			d.counted("jump", 6)
		}},
		{"B20, an illegal SEND", 0, func(d *dut) {
			d.cycle(map[string]uint64{"s_send_valid": 1, "s_send_conn": 6})
			for range 11 {
				d.cycle(nil)
			}
			if d.Get("m_send_valid") != 1 || d.Get("m_send_new") != 0 || d.Get("m_send_cause") != noConnection {
				d.t.Errorf("answer %d, new %d, cause %d", d.Get("m_send_valid"), d.Get("m_send_new"), d.Get("m_send_cause"))
			}
			d.counted("illegal", 1)
			d.counted("send", 1)
		}},
		{"an idle connection in the next turn of the clock", 0, func(d *dut) {
			d.set["cfg_pause_ns"] = 1 << 35
			for i, c := range []struct {
				after, congested uint64
			}{{1 << 36, 1}, {1 << 40, 2}, {1<<44 + 1<<35 - 1<<37 - 1<<20, 3}, {1<<44 + 1<<35 - 1, 3}, {1<<44 + 1<<36, 4}} {
				d.rto(0)
				d.now = (d.now + c.after) & (1<<44 - 1)
				d.ack(0, false, d.una)
				d.rounds(1)
				d.t.Logf("%d", i)
				d.counted("congested", c.congested)
			}
		}},
		{"B14, openings are counted", 0, func(d *dut) {
			d.rto(1)
			d.rto(0)
			d.rto(1)
			d.counted("open", 2)
			d.counted("rto", 1)
		}},
		{"B10, all packets of an ACK that echoes CE", 0, func(d *dut) {
			d.round(101, 100) // 201 packets, 100 are congested
			d.counted("clean", 1)
			d.round(100, 100)
			d.counted("congested", 1)
		}},
		{"B10, or whose RTT is above the target", 0, func(d *dut) {
			d.set["cfg_rtt_detector"] = 1
			for i, rtt := range []uint64{1000, 1001} {
				end := d.nxt
				d.nxt += 1000
				d.cycle(map[string]uint64{"s_ack_valid": 1, "s_ack_conn": 1, "s_ack_pkts": 10, "s_ack_rtt_ns": rtt, "s_ack_una": uint64(end), "s_ack_nxt": uint64(d.nxt)})
				d.una = end
				d.counted("congested", uint64(i))
			}
			d.counted("clean", 1)
		}},
	} {
		t.Run(c.name, func(t *testing.T) { onEach(t, c.seq, c.test) })
	}
}
