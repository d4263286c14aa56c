// SPDX-License-Identifier: Apache-2.0

package dcsimsource_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/dcsim_source"
	model "github.com/nicgen/nicgen/model/dcsim_source"
)

// host is the RTL alone, with a line and a network that a test plays.
type host struct {
	*cosim.Sim
	t   *testing.T
	p   *params.Params
	now int // cycles since it was ready
}

// start powers up a configuration and waits until it is ready, with the settings of the
// configuration at its ports.
func start(t *testing.T, set string) *host {
	t.Helper()
	p := suite.Configure(t, set)
	h := &host{Sim: suite.Open(t, p), t: t, p: p}
	for port, v := range p.PortValues() {
		h.Set(port, v)
	}
	h.Set("rst", 1)
	h.Step(3)
	h.Set("rst", 0)
	for range p.ReadyDelay() + 3 {
		h.Step(1)
	}
	if h.Get("sts_ready") != 1 {
		t.Fatal("not ready")
	}
	return h
}

// data gives a flow new DATAs, before what follows.
func (h *host) data(flow, count uint64) {
	h.Set("s_data_valid", 1)
	h.Set("s_data_flow", flow)
	h.Set("s_data_count", count)
	for h.Get("s_data_ready") == 0 {
		h.Step(1)
	}
	h.Step(1)
	h.Set("s_data_valid", 0)
}

// packet is one that was sent.
type packet struct {
	at               int
	flow, port, data uint64 // data: the number of a DATA
}

// cycle runs a clock in which the line may take a SIM or a DATA. It returns the packets
// taken, or nil.
func (h *host) cycle(takeSIM, takeData bool) (sim, data *packet) {
	if takeSIM && h.Get("m_sim_valid") == 1 {
		sim = &packet{h.now, h.Get("m_sim_flow"), h.Get("m_sim_port"), 0}
	}
	if takeData && h.Get("m_data_valid") == 1 {
		data = &packet{h.now, h.Get("m_data_flow"), h.Get("m_data_port"), h.Get("m_data_seq")}
		h.dataAck()
	}
	for port, on := range map[string]bool{"m_sim_ready": takeSIM, "m_data_ready": takeData} {
		v := uint64(0)
		if on {
			v = 1
		}
		h.Set(port, v)
	}
	h.Step(1)
	h.now++
	h.Set("s_sim_ack_valid", 0)
	return sim, data
}

// dataAck acknowledges the offered DATA some cycles after it was sent: soon enough for there to be
// no timeout. One that comes too soon does nothing, so the one before is acknowledged.
func (h *host) dataAck() {
	h.Set("s_data_ack_valid", 1)
	h.Set("s_data_ack_tag", (h.Get("m_data_tag")-1)&(1<<h.p.TagBits-1))
}

// simAck acknowledges a SIM in the next cycle.
func (h *host) simAck(port uint64) {
	h.Set("s_sim_ack_valid", 1)
	h.Set("s_sim_ack_port", port)
}

// DV1 to DV3: SIMs leave at the rate of Eq. 2, and a DATA is offered RTTmax of Eq. 5 after its SIM
// and what the unit takes.
func TestVectorRates(t *testing.T) {
	for _, v := range []struct {
		name   string
		bytes  int64
		clocks float64 // between two tokens, of 322.265625 MHz
		rtt    int
	}{
		{"DV1", 1500, 16.344 * 0.322265625, 3333},
		{"DV2", 4096, 42.304 * 0.322265625, 4638},
		{"DV3", 9000, 91.344 * 0.322265625, 7104},
	} {
		t.Run(v.name, func(t *testing.T) {
			h := start(t, "flows=1024 outstanding=1024 copies=4096 rate_gbps=800 gap_bytes=0")
			h.p.PacketBytes = v.bytes
			for port, x := range h.p.PortValues() {
				h.Set(port, x)
			}
			for flow := range uint64(8) {
				h.data(flow, 255)
			}
			var sims []packet
			var first *packet
			for first == nil && h.now < 2*v.rtt {
				sim, data := h.cycle(true, true)
				if sim != nil {
					sims = append(sims, *sim)
					if len(sims) == 1 {
						h.simAck(sim.port)
					}
				}
				first = data
			}
			if first == nil || first.at-sims[0].at != v.rtt+params.Release || first.port != sims[0].port {
				t.Fatalf("DATA %+v of SIM %+v, want it %d cycles later", first, sims[0], v.rtt+params.Release)
			}
			// Two tokens at first; from then on one in each period, wherever its fraction falls.
			for k, sim := range sims[2:min(len(sims), 500)] {
				if got, want := float64(sim.at-sims[2].at), float64(k)*v.clocks; math.Abs(got-want) > 2 {
					t.Fatalf("SIM %d leaves after %.0f cycles, want %.2f", k, got, want)
				}
			}
		})
	}
}

// DV4: without a token 12 SIMs are queued and no 13th: a new state of the random generator shows
// in the ports of those that are queued later.
func TestVectorQueue(t *testing.T) {
	h := start(t, "flows=2 flow_bits=1 sim_queue=12")
	h.data(0, 40)
	for range 200 {
		h.cycle(false, false)
	}
	seeded := model.New(h.p)
	h.Set("s_seed_valid", 1)
	for word := range uint64(8) {
		h.Set("s_seed_word", word)
		seeded.Seed(word)
		h.Step(1)
	}
	h.Set("s_seed_valid", 0)
	plain := model.New(h.p)
	for n := 0; n < 30; {
		sim, _ := h.cycle(true, false)
		if sim == nil {
			continue
		}
		old, _ := plain.Queue(0)
		plain.Number(old)
		plain.Step()
		want := plain.Port(old)
		fresh, _ := seeded.Queue(0)
		if n >= 12 {
			seeded.Number(fresh)
			seeded.Step()
			want = seeded.Port(fresh)
		}
		if sim.port != want {
			t.Fatalf("SIM %d has port %x, want %x", n, sim.port, want)
		}
		n++
	}
}

// DV5: two DATAs, exactly two SIMs. The first SIM-ACK, of the second SIM, takes DATA 0, which is
// sent RTTmax after its own SIM, and there is no new SIM. The other SIM times out, and a third goes.
func TestVectorTwoDatas(t *testing.T) {
	h := start(t, "flows=2 flow_bits=1 hops=2 rtt_ns=0 rate_gbps=400 copies=2048")
	rtt := int(h.p.PortValues()["cfg_rtt_max"])
	h.data(1, 2)
	var sims []packet
	var datas []packet
	for h.now < rtt+100 {
		sim, data := h.cycle(true, true)
		if sim != nil {
			if sims = append(sims, *sim); len(sims) == 2 {
				h.simAck(sim.port)
			}
		}
		if data != nil {
			datas = append(datas, *data)
		}
	}
	if len(sims) != 3 || len(datas) != 1 {
		t.Fatalf("%d SIMs and %d DATAs, want 3 and 1", len(sims), len(datas))
	}
	if d := datas[0]; d.data != 0 || d.flow != 1 || d.port != sims[1].port || d.at != sims[1].at+rtt+params.Release {
		t.Errorf("%+v, want DATA 0 of flow 1, %d cycles after %+v", d, rtt+params.Release, sims[1])
	}
	if sims[2].at <= sims[0].at+rtt {
		t.Errorf("the third SIM leaves in cycle %d, before the first timed out in cycle %d", sims[2].at, sims[0].at+rtt)
	}
}

// Theorems 1 and 3: a line that takes a SIM before a DATA, and is never interrupted. A SIM takes 2
// clocks and a DATA 46. A SIM-ACK comes back after 300 clocks.
func TestLine(t *testing.T) {
	const sim, frame, back = 2, 46, 300
	run := func(bucket int, cost, hold int) (order string, starts []int, idle int) {
		h := start(t, fmt.Sprintf("flows=4 flow_bits=2 outstanding=64 bucket=%d full_rate=false", bucket))
		for port, v := range map[string]uint64{"cfg_token_gain": 10, "cfg_token_cost": uint64(cost), "cfg_rtt_max": 400, "cfg_data_timeout": 1 << 15} {
			h.Set(port, v)
		}
		for flow := range uint64(4) {
			h.data(flow, 255)
			h.data(flow, 255)
		}
		busy := 0
		var acks []packet
		for h.now < 12_000 {
			if len(acks) > 0 && acks[0].at+back <= h.now {
				h.simAck(acks[0].port)
				acks = acks[1:]
			}
			free := h.now >= busy
			first := free && h.Get("m_sim_valid") == 1
			s, d := h.cycle(first, free && !first && h.now >= hold)
			switch {
			case s != nil:
				acks = append(acks, *s)
				busy, order, starts = h.now-1+sim, order+"S", append(starts, s.at)
			case d != nil:
				busy, order, starts = h.now-1+frame, order+"D", append(starts, d.at)
			case free && h.now > 4_000:
				idle++
			}
		}
		return order, starts, idle
	}
	spacing := func(order string, starts []int, from, to int) (mean float64) {
		var at []int
		for i, x := range starts {
			if order[i] == 'S' && x >= from && x < to {
				at = append(at, x)
			}
		}
		return float64(at[len(at)-1]-at[0]) / float64(len(at)-1)
	}
	alternates := func(order string, starts []int, from int) bool {
		last := byte(0)
		for i := range order {
			if starts[i] < from {
				continue
			}
			if order[i] == last {
				return false
			}
			last = order[i]
		}
		return true
	}
	t.Run("full line", func(t *testing.T) { // the rate C / (α + 1) of Theorem 1
		order, starts, idle := run(2, 480, 0)
		if !alternates(order, starts, 4_000) || idle > 0 {
			t.Errorf("SIMs and DATAs do not alternate, or the line is idle for %d clocks: %.200s", idle, order)
		}
	})
	t.Run("with the margin of Eq. 2", func(t *testing.T) { // C / (α + 2.1): now and then the line is idle, and two go in a row
		order, starts, _ := run(2, 502, 0)
		if mean := spacing(order, starts, 4_000, 12_000); math.Abs(mean-50.2) > 0.5 || strings.Contains(order[100:], "SSS") || strings.Contains(order[100:], "DDD") {
			t.Errorf("a SIM every %.2f clocks, want 50.2, and never three of a kind: %.200s", mean, order)
		}
	})
	// DV6: DATAs wait, so that one begins whenever the line is free and there is no token.
	for bucket, most := range map[int][2]float64{1: {85, 98}, 2: {49, 53}} {
		t.Run(fmt.Sprintf("bucket of %d, DATAs wait", bucket), func(t *testing.T) {
			order, starts, _ := run(bucket, 502, 3_000)
			if mean := spacing(order, starts, 3_300, 5_000); mean < most[0] || mean > most[1] {
				t.Errorf("a SIM every %.2f clocks, want %v: %.200s", mean, most, order)
			}
		})
	}
}
