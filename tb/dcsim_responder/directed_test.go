// SPDX-License-Identifier: Apache-2.0

package dcsimresponder_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen/dcsim"
	params "github.com/nicgen/nicgen/gen/dcsim_responder"
	"github.com/nicgen/nicgen/tb/benchtest"
)

// rig drives the RTL by hand. Every offered packet is taken.
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

// page is the unit's page: it has the numbers that tests measure.
func page(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../docs/units/dcsim_responder.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// micro is a number of clocks at the default clock in µs.
func micro(p *params.Params, clocks int64) string {
	return fmt.Sprintf("%.1f", float64(clocks)*1e6/float64(p.ClockHz))
}

// lonely are the times in clocks that DATAs of one flow have waited for their DATA-ACKs, the
// shortest and the longest, each with no other one of its flow. others gives the flow of what
// else arrives, a DATA every `period` clocks if that is not 0.
func lonely(t *testing.T, p *params.Params, n int, flow uint64, period *big.Rat, others func(i uint64) uint64) (least, most int64) {
	t.Helper()
	r := newRig(t, p)
	rng := rand.New(rand.NewPCG(uint64(p.Flows), 7))
	due, sent := new(big.Rat), uint64(0)
	next := func(class bool) { // a cycle, in which the flow's DATA comes or another one may
		switch {
		case class:
			r.send(params.Data, flow, 1<<15, 1500)
		case period != nil && due.Cmp(big.NewRat(r.cycle, 1)) <= 0:
			due.Add(due, period)
			r.send(params.Data, others(sent), sent&(1<<15-1), 1500)
			sent++
		default:
			r.idle(1)
		}
	}
	least = 1 << 40
	for range n {
		for range rng.Int64N(2 * p.Lap()) {
			next(false)
		}
		at, seen := r.cycle, len(r.tags)
		next(true)
		for done := false; !done; {
			next(false)
			for ; seen < len(r.tags); seen++ {
				if b := r.tags[seen]; b.flow == flow {
					least, most, done = min(least, b.cycle-at), max(most, b.cycle-at), true
				}
			}
			if r.cycle-at > 1<<17 {
				t.Fatal("a DATA has no DATA-ACK")
			}
		}
	}
	if missed := r.sim.Get("sts_data_missed_cnt"); missed != 0 {
		t.Errorf("%d DATAs are missed", missed)
	}
	return least, most
}

// The time that a lone DATA waits for its DATA-ACK, from packet to tag, is within data_ack_ns for
// any number of flows, and not below 7 ticks less a lap. While other flows are busy it is longer
// by what their bells and tags take of the scan's time, here at 800 Gb/s. The page has the
// numbers, and the DATA timeout of the source that follows: RTTp + H (3 B + 2) tokens, which is a
// DATA behind 2 B in each of H queues and a DATA-ACK behind B, and data_ack_ns.
func TestTime(t *testing.T) {
	text := page(t)
	for _, flows := range []int64{8, 256, 1024} {
		for _, latency := range []int64{1, 2} {
			p := params.Default()
			p.Flows, p.RAMLatency = flows, latency
			if problems := p.Check(); len(problems) > 0 {
				t.Fatal(problems)
			}
			tick, lap, bound := p.Tick()<<params.GrainBits, p.Lap(), p.DataAckNS*p.ClockHz/1_000_000_000
			least, most := lonely(t, p, 20, uint64(flows)-3, nil, nil)
			if early := (params.Ticks-1)*tick - lap; least < early || most > bound {
				t.Errorf("%d flows, ram_latency %d: a lone DATA waits for %d to %d clocks, want %d to %d", flows, latency, least, most, early, bound)
			}
			if latency == 2 {
				continue
			}
			token := clocks(dcsim.Network{RateGbps: 800, PacketBytes: 1500, ProbeBytes: 64, GapBytes: 20}, p)
			_, all := lonely(t, p, 12, uint64(flows)-3, token, func(i uint64) uint64 { return i % (uint64(flows) - 4) })
			_, few := lonely(t, p, 12, uint64(flows)-3, token, func(i uint64) uint64 { return i % 4 })
			busy := max(all, few)
			if busy > bound+lap {
				t.Errorf("%d flows: a DATA waits for %d clocks while others are busy, want at most %d", flows, busy, bound+lap)
			}
			row := fmt.Sprintf("| %d | %s | %s | %s to %s | %s |", flows, micro(p, lap), micro(p, tick), micro(p, least), micro(p, most), micro(p, busy))
			for _, gbps := range []int64{100, 800} {
				n := dcsim.Network{RateGbps: gbps, PacketBytes: 1500, ProbeBytes: 64, GapBytes: 20, Hops: 6, Queue: 12, RTTNS: 7800}
				ns := new(big.Rat).Mul(n.Period(), big.NewRat(n.Hops*(3*n.Queue+2), 1))
				us := ns.Add(ns, big.NewRat(n.RTTNS+p.DataAckNS+lap*1_000_000_000/p.ClockHz, 1)).Mul(ns, big.NewRat(1, 1000))
				row += fmt.Sprintf(" %s |", us.FloatString(1))
			}
			if !strings.Contains(text, row+"\n") {
				t.Errorf("not on the page:\n%s", row)
			}
		}
	}
}

// clocks is the time between two DATAs at full rate.
func clocks(n dcsim.Network, p *params.Params) *big.Rat {
	return n.Period().Mul(n.Period(), big.NewRat(p.ClockHz, 1_000_000_000))
}

// DATA-ACKs for each DATA, if DATAs of all flows come in turn at full rate: the more flows, the
// fewer of each come in its time. The page has the table.
func TestShare(t *testing.T) {
	text := page(t)
	for _, c := range []struct{ gbps, flows, time int64 }{ // time: 0, or in tokens of each flow
		{100, 8, 0}, {100, 64, 0}, {100, 256, 0}, {100, 1024, 0}, {100, 64, 12}, {100, 256, 12},
		{800, 8, 0}, {800, 64, 0}, {800, 256, 0}, {800, 1024, 0}, {800, 256, 12},
	} {
		t.Run(fmt.Sprintf("%+v", c), func(t *testing.T) {
			p := params.Default()
			p.Flows = c.flows
			n := dcsim.Network{RateGbps: c.gbps, PacketBytes: 1500, ProbeBytes: 64, GapBytes: 20}
			if c.time > 0 {
				ns, _ := n.Period().Float64()
				p.DataAckNS = int64(ns * float64(c.time*c.flows))
			}
			period, due := clocks(n, p), new(big.Rat)
			r := newRig(t, p)
			sent, warm, acks, bytes := int64(0), 2*p.DataAckNS*p.ClockHz/1_000_000_000, uint64(0), int64(0)
			for r.cycle < 2*warm+100_000 {
				if due.Cmp(big.NewRat(r.cycle, 1)) > 0 {
					r.idle(1)
					continue
				}
				due.Add(due, period)
				r.send(params.Data, uint64(sent%c.flows), uint64(sent), 1500)
				sent++
				if r.cycle < warm {
					acks, r.tags = r.sim.Get("sts_data_ack_cnt"), nil
				}
			}
			last := uint64(0)
			for _, b := range r.tags {
				if last == 0 {
					bytes += max(64, 46+2*int64(b.left+1)) + 20
				}
				last = b.left
			}
			share := float64(r.sim.Get("sts_data_ack_cnt")-acks) / float64(len(r.tags))
			if want := 1 / float64(params.MostTags); share < want-0.001 || share > 1 {
				t.Errorf("%g DATA-ACKs a DATA", share)
			}
			row := fmt.Sprintf("| %d | %d | %.1f | %.3f | %.1f |", c.gbps, c.flows, float64(p.DataAckNS)/1000, share, float64(bytes)/float64(len(r.tags)))
			if !strings.Contains(text, row+"\n") {
				t.Errorf("not on the page:\n%s", row)
			}
		})
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
