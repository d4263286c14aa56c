// SPDX-License-Identifier: Apache-2.0

package nicqueue_test

import (
	"testing"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/nic_queue"
	"github.com/nicgen/nicgen/tb/benchtest"
)

// device drives the RTL by hand, and notes what leaves it.
type device struct {
	t     *testing.T
	p     *params.Params
	sim   *cosim.Sim
	beats []uint64 // cycles
	firsts,
	enters,
	dones []uint64
	conns   []uint64 // of dones
	packets uint64   // of all dones
}

func open(t *testing.T, set string) *device {
	d := &device{t: t, p: suite.Configure(t, set)}
	d.sim = suite.Open(t, d.p)
	d.set(map[string]uint64{"rst": 1, "m_axis_ready": 1, "m_flow_ready": 1, "s_axis_store": 1, "s_axis_tkeep": ^uint64(0),
		"cfg_quota": uint64(d.p.Cells()), "cfg_xoff": uint64(d.p.Cells())})
	d.sim.Step(2)
	d.sim.Set("rst", 0)
	d.clock(int(d.p.ReadyDelay()) + 1)
	return d
}

// set drives inputs.
func (d *device) set(in map[string]uint64) {
	for name, v := range in {
		d.sim.Set(name, v)
	}
}

// clock lets cycles pass and takes what leaves in them.
func (d *device) clock(cycles int) {
	for range cycles {
		now := d.sim.Cycle()
		if d.sim.Get("m_axis_tvalid") != 0 {
			d.beats = append(d.beats, now)
			if d.sim.Get("m_axis_first") != 0 {
				d.firsts = append(d.firsts, now)
			}
		}
		if d.sim.Get("m_enter_valid") != 0 {
			d.enters = append(d.enters, now)
		}
		if d.sim.Get("m_done_valid") != 0 {
			d.dones = append(d.dones, now)
			d.conns = append(d.conns, d.sim.Get("m_done_conn"))
			d.packets += d.sim.Get("m_done_packets")
		}
		d.sim.Step(1)
	}
}

// send gives a packet of some beats without gaps, and returns the cycle of the last one.
func (d *device) send(conn uint64, beats int, bytes uint64) (last uint64) {
	d.set(map[string]uint64{"s_axis_conn": conn, "s_axis_bytes": bytes, "s_axis_tvalid": 1})
	for i := range beats {
		d.sim.Set("s_axis_tlast", benchtest.Bit(i == beats-1))
		last = d.sim.Cycle()
		d.clock(1)
	}
	d.sim.Set("s_axis_tvalid", 0)
	return last
}

// pop offers a pop until it is taken, and returns that cycle.
func (d *device) pop(conn, budget uint64) (cycle uint64) {
	d.set(map[string]uint64{"s_pop_valid": 1, "s_pop_conn": conn, "s_pop_budget": budget})
	for d.sim.Get("s_pop_ready") == 0 {
		d.clock(1)
	}
	cycle = d.sim.Cycle()
	d.clock(1)
	d.sim.Set("s_pop_valid", 0)
	return cycle
}

// The times that the page promises: entry, the earliest pop that sees a packet, the first beat,
// and the end of a visit.
func TestLatency(t *testing.T) {
	for _, set := range []string{small, "ram_latency=1 " + "kib=64", "kib=64 ram_latency=8 connections=200"} {
		d := open(t, set)
		last := d.send(1, 3, 100)
		d.clock(10)
		if len(d.enters) != 1 || d.enters[0] != last+params.ToStore+1 {
			t.Fatalf("%s: last beat in cycle %d, entered in %v", set, last, d.enters)
		}
		at := d.pop(1, 0)
		d.clock(40)
		first := at + params.ToWalk + uint64(d.p.ReadLatency())
		if len(d.beats) != 3 || d.beats[0] != first || d.beats[2] != first+2 {
			t.Errorf("%s: pop in cycle %d, beats in %v, want %d on", set, at, d.beats, first)
		}
		if len(d.dones) != 1 || d.dones[0] != at+params.ToWalk+3 {
			t.Errorf("%s: pop in cycle %d, done in %v", set, at, d.dones)
		}
		// The earliest pop that sees a packet comes one cycle before its m_enter.
		for _, c := range []struct {
			after uint64
			sees  bool
		}{{params.ToStore, true}, {params.ToStore - 1, false}} {
			before := d.packets
			last = d.send(2, 1, 100)
			d.clock(int(last + c.after - d.sim.Cycle()))
			d.pop(2, 0)
			d.clock(40)
			if (d.packets > before) != c.sees {
				t.Errorf("%s: a pop %d cycles after the last beat sees the packet: %t, want %t", set, c.after, d.packets > before, c.sees)
			}
			d.pop(2, 0)
			d.clock(40)
		}
	}
}

// Packets of one beat enter and leave in every cycle; next ones of a visit take three cycles;
// long ones have no gaps inside, and between them one if they have an odd number of beats.
func TestRate(t *testing.T) {
	gaps := func(d *device) (n int) {
		for i := 1; i < len(d.beats); i++ {
			n += int(d.beats[i]-d.beats[i-1]) - 1
		}
		return n
	}
	const conns = 64
	t.Run("many connections", func(t *testing.T) {
		d := open(t, "kib=128")
		for i := range uint64(4 * conns) {
			d.send(i%conns, 1, 46)
		}
		d.clock(10)
		if n := len(d.enters); n != 4*conns || d.enters[n-1]-d.enters[0] != uint64(n-1) {
			t.Fatalf("%d packets enter, in cycles %d to %d", n, d.enters[0], d.enters[n-1])
		}
		for i := range uint64(4 * conns) {
			d.pop(i%conns, 46)
		}
		d.clock(40)
		if n := len(d.beats); n != 4*conns || gaps(d) != 0 {
			t.Errorf("%d packets leave in %d cycles", n, d.beats[n-1]-d.beats[0]+1)
		}
	})
	for _, c := range []struct{ beats, cycles int }{{1, 3}, {2, 3}, {3, 4}, {4, 4}, {5, 6}, {24, 24}, {143, 144}, {144, 144}} {
		d := open(t, "kib=1024")
		for range 20 {
			d.send(3, c.beats, uint64(64*c.beats-14))
		}
		d.clock(10)
		d.pop(3, 1<<24-1)
		d.clock(20*c.cycles + 40)
		if len(d.firsts) != 20 {
			t.Fatalf("%d packets leave", len(d.firsts))
		}
		for i := 2; i < 20; i++ {
			if n := d.firsts[i] - d.firsts[i-1]; n != uint64(c.cycles) {
				t.Errorf("packets of %d beats of one visit: %d cycles each, want %d", c.beats, n, c.cycles)
				break
			}
		}
	}
	t.Run("one connection, a visit each", func(t *testing.T) {
		d := open(t, small)
		for range 20 {
			d.send(3, 1, 46)
		}
		d.clock(10)
		for range 20 {
			d.pop(3, 0)
		}
		d.clock(200)
		if n := d.beats[19] - d.beats[18]; n != params.ToWalk {
			t.Errorf("a visit of the same connection begins every %d cycles, want %d", n, params.ToWalk)
		}
	})
}

// After m_axis_ready fell, no more beats come than is promised: at most those on their way and a
// packet that has just begun.
func TestOverrun(t *testing.T) {
	for _, set := range []string{"kib=256 max_frame=1536 ram_latency=1", "kib=1024 max_frame=9216 ram_latency=4"} {
		d := open(t, set)
		most := int(d.p.MaxBeats())
		worst := 0
		for fall := range 2 * most {
			if fall > 5 && fall < most-5 || fall > most+12 {
				continue
			}
			for range 3 {
				d.send(1, most, 1000)
			}
			d.clock(10)
			d.pop(1, 1<<24-1)
			d.clock(fall)
			d.sim.Set("m_axis_ready", 0)
			d.clock(1)
			before := len(d.beats)
			d.clock(3 * most)
			worst = max(worst, len(d.beats)-before)
			d.sim.Set("m_axis_ready", 1)
			d.clock(3*most + 20)
		}
		promised := int(d.p.Overrun())
		if worst > promised || worst < most {
			t.Errorf("%s: %d beats follow, at most %d are promised and %d are a packet", set, worst, promised, most)
		}
		t.Logf("%s: %d beats follow at most, %d are promised", set, worst, promised)
	}
}
