// SPDX-License-Identifier: Apache-2.0

package dcsimresponder_test

import (
	"fmt"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/dcsim_responder"
	"github.com/nicgen/nicgen/tb/benchtest"
)

// rig drives the RTL by hand. What is to be sent is always taken.
type rig struct {
	sim   *cosim.Sim
	cycle int64
	tags  []beat // that left
}

// beat is a tag that left.
type beat struct {
	cycle           int64
	flow, tag, left uint64
}

// newRig is the RTL of a configuration, ready.
func newRig(t testing.TB, p *params.Params) *rig {
	r := &rig{sim: suite.Open(t, p)}
	for port, v := range p.PortValues() {
		r.sim.Set(port, v)
	}
	r.sim.Set("m_sim_ack_ready", 1)
	r.sim.Set("m_data_ack_ready", 1)
	r.sim.Set("rst", 1)
	r.tick()
	r.sim.Set("rst", 0)
	for range p.ReadyDelay() - 1 {
		if r.sim.Get("sts_ready") == 1 {
			t.Error("the unit is ready too early")
		}
		r.tick()
	}
	if r.sim.Get("sts_ready") == 0 {
		t.Error("the unit is not ready in time")
	}
	r.cycle = 0
	return r
}

func (r *rig) tick() {
	if r.sim.Get("m_data_ack_valid") == 1 {
		r.tags = append(r.tags, beat{r.cycle, r.sim.Get("m_data_ack_flow"), r.sim.Get("m_data_ack_tag"), r.sim.Get("m_data_ack_left")})
	}
	r.sim.Step(1)
	r.cycle++
}

// idle lets cycles pass.
func (r *rig) idle(cycles int64) {
	r.sim.Set("s_rx_valid", 0)
	for range cycles {
		r.tick()
	}
}

// send is a packet, which takes a cycle.
func (r *rig) send(class, flow, name, bytes uint64) {
	r.sim.Set("s_rx_valid", 1)
	r.sim.Set("s_rx_class", class)
	r.sim.Set("s_rx_flow", flow)
	r.sim.Set("s_rx_port", name&(1<<14-1))
	r.sim.Set("s_rx_tag", name&(1<<16-1))
	r.sim.Set("s_rx_bytes", bytes)
	r.tick()
}

// A SIM in every cycle: each has its SIM-ACK four cycles later, with its flow and port.
func TestSIMs(t *testing.T) {
	p := params.Default()
	r := newRig(t, p)
	for c := range uint64(1000) {
		valid, flow, port := r.sim.Get("m_sim_ack_valid"), r.sim.Get("m_sim_ack_flow"), r.sim.Get("m_sim_ack_port")
		if valid != benchtest.Bit(c >= 4) || c >= 4 && (flow != (c-4)%256 || port != (c-4)*7&(1<<14-1)) {
			t.Fatalf("cycle %d: valid %d, flow %d, port %d", c, valid, flow, port)
		}
		r.send(params.SIM, c%256, c*7, 64)
	}
}

// Sixteen DATAs have one DATA-ACK with all tags in order, within the latency of the page, wherever
// the scan is.
func TestSixteen(t *testing.T) {
	for _, latency := range []int64{1, 2} {
		p := params.Default()
		p.RAMLatency = latency
		least, most := p.DataAckLatency()
		seen := map[int64]bool{}
		for offset := range int64(6) {
			r := newRig(t, p)
			r.idle(offset)
			for i := range uint64(16) {
				r.send(params.Data, 7, 1000+i, 1500)
			}
			at := r.cycle - 1
			r.idle(100)
			if len(r.tags) != 16 {
				t.Fatalf("ram_latency %d: %d tags", latency, len(r.tags))
			}
			for i, b := range r.tags {
				if want := (beat{r.tags[0].cycle + int64(i), 7, 1000 + uint64(i), 15 - uint64(i)}); b != want {
					t.Errorf("ram_latency %d: tag %d is %+v, want %+v", latency, i, b, want)
				}
			}
			seen[r.tags[0].cycle-at] = true
		}
		for n := range seen {
			if n < least || n > most {
				t.Errorf("ram_latency %d: a DATA-ACK %d cycles after its last DATA, want %d to %d", latency, n, least, most)
			}
		}
		if !seen[least] || !seen[most] {
			t.Errorf("ram_latency %d: latencies %v, want both %d and %d among them", latency, seen, least, most)
		}
	}
}

// One DATA has its DATA-ACK within the time of the setting and two laps of the scan, and not a
// tick and two laps earlier.
func TestTime(t *testing.T) {
	p := params.Default()
	span, lap := params.Ticks*p.Tick()*16, p.Flows*p.Slot()
	for _, c := range []struct {
		offset int64
		flow   uint64
	}{{0, 0}, {0, 255}, {311, 100}, {927, 3}, {5000, 254}} {
		r := newRig(t, p)
		r.idle(c.offset)
		at := r.cycle
		r.send(params.Data, c.flow, 5, 1500)
		r.idle(span + 3*lap)
		if len(r.tags) != 1 || r.tags[0].tag != 5 || r.tags[0].left != 0 {
			t.Fatalf("%+v: %+v", c, r.tags)
		}
		if n := r.tags[0].cycle - at; n > span+2*lap || n < span*7/8-2*lap {
			t.Errorf("%+v: a DATA-ACK after %d cycles, want %d to %d", c, n, span*7/8-2*lap, span+2*lap)
		}
	}
}

// No DATA is missed, and each tag leaves once, in order, at a DATA in every cycle of one flow, and
// at a packet every other cycle, more than 100 Gb/s of 64 bytes bring, of all flows in turn.
func TestLineRate(t *testing.T) {
	for _, c := range []struct {
		latency, flows, every, gap int64
	}{{1, 1, 16, 0}, {2, 1, 16, 0}, {1, 1, 1, 0}, {1, 256, 16, 1}, {2, 256, 16, 1}, {1, 256, 1, 1}} {
		t.Run(fmt.Sprintf("%+v", c), func(t *testing.T) {
			p := params.Default()
			p.RAMLatency, p.DataAckEvery = c.latency, c.every
			r := newRig(t, p)
			const n = 20_000
			sent := make([][]uint64, 256)
			for i := range uint64(n) {
				flow := i % uint64(c.flows)
				sent[flow] = append(sent[flow], i)
				r.send(params.Data, flow, i, 64)
				if c.gap > 0 {
					r.idle(c.gap)
				}
			}
			r.idle(12_000)
			if missed := r.sim.Get("sts_data_missed_cnt"); missed != 0 {
				t.Errorf("%d of %d DATAs are missed", missed, n)
			}
			for _, b := range r.tags {
				if len(sent[b.flow]) == 0 || sent[b.flow][0] != b.tag {
					t.Fatalf("flow %d: tag %d is not the next one", b.flow, b.tag)
				}
				sent[b.flow] = sent[b.flow][1:]
			}
			if len(r.tags) != n || r.sim.Get("sts_acked_cnt") != n {
				t.Errorf("%d tags left, %d are counted, want %d", len(r.tags), r.sim.Get("sts_acked_cnt"), n)
			}
			t.Logf("%d DATA-ACKs for %d DATAs", r.sim.Get("sts_data_ack_cnt"), n)
		})
	}
}

// lone is one DATA with a tick.
func lone(tick uint64) func(d benchtest.Drive, c int) {
	return func(d benchtest.Drive, c int) {
		d.Set("cfg_tick", tick)
		d.Set("cfg_every", 15)
		d.Set("cfg_data_bytes", 1500)
		d.Set("m_data_ack_ready", 1)
		if c == 10 {
			d.Set("s_rx_valid", 1)
			d.Set("s_rx_class", params.Data)
			d.Set("s_rx_bytes", 1500)
		}
	}
}

// rare are situations that random traffic does not come to: ticks that are longer than it waits.
var rare = []benchtest.Rare{
	{Play: lone(57), Cycles: 9000, Bug: benchtest.Bug{Name: "a tick of five bits", File: fileVisit, Set: small, Edits: []string{
		"grains_q >= tick;", "grains_q >= (tick & TICK_W'(31));"}}},
	{Play: lone(512 + 64 + 2), Cycles: 80_000, Bug: benchtest.Bug{Name: "another bit of a long tick", File: fileVisit, Set: small, Edits: []string{
		"grains_q >= tick;", "grains_q >= (tick ^ (tick[9] ? TICK_W'(64) : '0));"}}},
	{Play: lone(4500), Cycles: 600_000, Bug: benchtest.Bug{Name: "a tick of twelve bits", File: fileVisit, Set: small, Edits: []string{
		"grains_q >= tick;", "grains_q >= (tick & TICK_W'(4095));"}}},
}

func TestRare(t *testing.T) {
	suite.Rare(t, func(p *params.Params) int { return int(p.ReadyDelay()) + 10 }, rare)
}
