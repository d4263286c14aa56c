// SPDX-License-Identifier: Apache-2.0

package nicpace_test

import (
	"flag"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/nic_pace"
)

// cycles is the length of TestRates.
var cycles = flag.Int("cycles", 1_200_000, "measure rates for so many cycles")

// frame is the overhead of a packet on the wire: Ethernet's header and CRC, preamble, gap.
const frame = 38

// link is a NIC around the pacer, at the RTL's ports: connections that always have packets, and a wire that
// sends one packet after the other.
type link struct {
	t       *testing.T
	sim     *cosim.Sim
	p       *params.Params
	clock   float64 // ns a cycle
	nsByte  float64 // of the wire
	bytes   func(conn int) uint64
	trip    int     // cycles from the end of a packet to DONE
	free    float64 // when the wire is
	pending []turn
	busy    float64 // ns that the wire sent
	first   []float64
	last    []float64
	sent    []uint64 // bytes of a connection, before the last packet
	lately  []uint64 // the last packet's
	turns   int
	early   float64 // the most ns that a packet left before its departure time
	ndt     []float64
	rate    []float64 // ns a byte; 0: not paced
}

// turn is a packet on its way.
type turn struct {
	at    uint64 // the cycle of its DONE
	conn  int
	bytes uint64
}

// newLink resets the unit, sets the rates, and wants a turn for each connection.
func newLink(t *testing.T, p *params.Params, clock float64, rate func(conn int) uint64, bytes func(conn int) uint64) *link {
	n := int(p.Connections)
	l := &link{t: t, sim: suite.Open(t, p), p: p, clock: clock, nsByte: 0.08, bytes: bytes, trip: 6,
		first: make([]float64, n), last: make([]float64, n), sent: make([]uint64, n), lately: make([]uint64, n), ndt: make([]float64, n), rate: make([]float64, n)}
	for c := range l.ndt {
		l.ndt[c] = math.Inf(-1)
	}
	set := l.sim.Set
	set("cfg_allowance_ns", uint64(p.AllowanceNS))
	set("cfg_idle_ns", uint64(p.IdleNS))
	set("rst", 1)
	l.cycle()
	set("rst", 0)
	for l.sim.Get("sts_ready") == 0 {
		l.cycle()
	}
	for c := range n {
		inv := rate(c)
		l.rate[c] = float64(inv) / math.Exp2(float64(p.FracBits))
		set("s_rate_valid", 1)
		set("s_rate_conn", uint64(c))
		set("s_rate_inv", inv)
		l.cycle()
	}
	set("s_rate_valid", 0)
	for c := 0; c < n; l.cycle() {
		set("s_push_valid", 1)
		set("s_push_conn", uint64(c))
		if l.sim.Get("s_push_ready") != 0 {
			c++
		}
	}
	set("s_push_valid", 0)
	return l
}

// now is the time.
func (l *link) now() float64 { return float64(l.sim.Cycle()) * l.clock }

// cycle is a cycle with nothing on the wire.
func (l *link) cycle() {
	l.sim.Set("now_ns", uint64(l.now()))
	l.sim.Step(1)
}

// run sends for some cycles.
func (l *link) run(cycles int) {
	set, get := l.sim.Set, l.sim.Get
	for range cycles {
		now := l.now()
		whole := math.Floor(now)
		set("now_ns", uint64(now))
		// A turn is taken when the packet may follow the one that is on the wire.
		ready := uint64(0)
		if l.free < now+4*l.clock {
			ready = 1
		}
		set("m_due_ready", ready)
		set("s_done_valid", 0)
		if len(l.pending) > 0 && l.pending[0].at <= l.sim.Cycle() {
			d := l.pending[0]
			l.pending = l.pending[1:]
			set("s_done_valid", 1)
			set("s_done_conn", uint64(d.conn))
			set("s_done_bytes", d.bytes)
			set("s_done_again", 1)
			l.ndt[d.conn] = max(l.ndt[d.conn], whole-float64(l.p.AllowanceNS)) + float64(d.bytes)*l.rate[d.conn]
		}
		if ready != 0 && get("m_due_valid") != 0 {
			c := int(get("m_due_conn"))
			b := l.bytes(c)
			begin := max(l.free, now)
			l.free = begin + float64(b)*l.nsByte
			l.busy += float64(b) * l.nsByte
			l.turns++
			l.early = max(l.early, l.ndt[c]-begin)
			if l.first[c] == 0 {
				l.first[c] = begin
			} else {
				l.sent[c] += l.lately[c]
			}
			l.last[c], l.lately[c] = begin, b
			l.pending = append(l.pending, turn{l.sim.Cycle() + uint64(l.trip), c, b})
		}
		l.sim.Step(1)
	}
}

// mixed are lengths of packets on the wire, a jumbo frame among them in one of eight.
func mixed(seed uint64) func(int) uint64 {
	r := rand.New(rand.NewPCG(seed, 0))
	return func(int) uint64 {
		switch r.IntN(8) {
		case 0:
			return 9214 + frame
		case 1, 2, 3:
			return 64 + 20
		}
		return 1500 + frame
	}
}

// TestLineRate demands that small packets fill the wire: 64-byte frames at 100 Gb/s with 8 to 4,096
// connections, at both clocks, paced to all of it and not paced. Of few connections a turn has to be over
// soon, or to be of several packets. Those that are paced begin late, as connections that waited for others: they
// need not go through the wheel; see TestWheelRate.
func TestLineRate(t *testing.T) {
	for _, clock := range []float64{1000 / 322.265625, 4} {
		for _, conns := range []int64{8, 256, 4096} {
			for _, paced := range []bool{false, true} {
				p := params.Default()
				p.Connections, p.IdleNS = conns, p.AllowanceNS
				// Each has its share of 100.5 % of the wire.
				inv := uint64(0)
				if paced {
					inv = min(uint64(float64(conns)*0.08/1.005*math.Exp2(float64(p.FracBits))), 1<<p.RateBits()-1)
				}
				l := newLink(t, p, clock, func(int) uint64 { return inv }, func(int) uint64 { return 84 })
				if conns == 8 {
					l.trip = 2
				}
				l.run(20_000)
				busy, begin := l.busy, l.now()
				l.run(40_000)
				if share := (l.busy - busy) / (l.now() - begin); share < 0.9995 {
					t.Errorf("%d connections, paced %t, %.1f MHz: %.2f %% of the wire", conns, paced, 1000/clock, 100*share)
				}
			}
		}
	}
}

// TestWheelRate measures how much of the wire 64-byte frames fill if each connection goes through the wheel at each packet:
// their rates are 98 % of the wire, and the time that they make up for at first is over. Late slots have to make connections so late
// that they pass the wheel by.
func TestWheelRate(t *testing.T) {
	for _, v := range []struct{ clock, least float64 }{{1000 / 322.265625, 0.97}, {4, 0.89}} {
		for _, conns := range []int64{256, 4096} {
			p := params.Default()
			p.Connections = conns
			inv := uint64(float64(conns) * 0.08 / 0.98 * math.Exp2(float64(p.FracBits)))
			l := newLink(t, p, v.clock, func(int) uint64 { return inv }, func(int) uint64 { return 84 })
			l.run(500_000)
			busy, begin := l.busy, l.now()
			l.run(500_000)
			share := (l.busy - busy) / (l.now() - begin)
			t.Logf("%d connections, %.1f MHz: %.2f %% of the wire", conns, 1000/v.clock, 100*share)
			if share < v.least || share > 0.981 {
				t.Errorf("%d connections, %.1f MHz: %.2f %% of the wire, want %.0f to 98 %%", conns, 1000/v.clock, 100*share, 100*v.least)
			}
		}
	}
}

// TestOneConnection measures the turns of one connection that answers at once: one in 9 cycles.
func TestOneConnection(t *testing.T) {
	p := params.Default()
	p.Connections = 1
	l := newLink(t, p, 3.1, func(int) uint64 { return 0 }, nil)
	l.sim.Set("m_due_ready", 1)
	l.sim.Set("s_done_bytes", 84)
	l.sim.Set("s_done_again", 1)
	var first, last, turns uint64
	for range 1000 {
		due := l.sim.Get("m_due_valid")
		l.sim.Set("s_done_valid", due) // in the cycle in which the turn begins
		if due != 0 {
			if last = l.sim.Cycle(); turns == 0 {
				first = last
			}
			turns++
		}
		l.cycle()
	}
	if turns < 100 || last-first != 9*(turns-1) {
		t.Errorf("%d turns of one connection in %d cycles, want one each 9", turns, last-first)
	}
}

// TestRates compares the rates of connections, and their first to last packet, with what was set: 90 % of the
// wire, jumbo frames among them, and with an allowance that is too short. No packet leaves more than a slot before its departure time.
func TestRates(t *testing.T) {
	for _, v := range []struct{ conns, allowance int64 }{{16, 32_000}, {256, 32_000}, {256, 2_000}} {
		conns := v.conns
		p := params.Default()
		p.Connections, p.AllowanceNS = conns, v.allowance
		inv := uint64(math.Round(float64(conns) * 0.08 / 0.9 * math.Exp2(float64(p.FracBits))))
		l := newLink(t, p, 1000/322.265625, func(int) uint64 { return inv }, mixed(uint64(conns)))
		l.run(300_000)
		clear(l.first)
		clear(l.sent)
		l.run(*cycles)
		sum, worst := 0.0, 0.0
		for c := range l.sent {
			got := (l.last[c] - l.first[c]) / float64(l.sent[c]) // ns a byte
			off := got/l.rate[c] - 1
			sum += off
			worst = max(worst, math.Abs(off))
		}
		mean := sum / float64(conns)
		t.Logf("%d connections, allowance %d ns: rate %.3f %% off in the mean, %.3f %% at most; at most %.0f ns early", conns, v.allowance, 100*mean, 100*worst, l.early)
		// A packet waits for others: the first and the last one, at most some µs; in the mean of all connections for less.
		length := float64(*cycles) * l.clock
		jitter, common := 15_000/length, 2_000/length
		if v.allowance < 32_000 {
			if mean < 0.002 {
				t.Errorf("%d connections with an allowance of %d ns: rates %.3f %% off, want more: lateness is lost", conns, v.allowance, 100*mean)
			}
		} else if worst > 0.0002+jitter || math.Abs(mean) > 0.0002+common || l.early > float64(p.SlotNS)+2*l.clock {
			t.Errorf("%d connections: rates %.3f %% off, %.3f %% at most, %.0f ns early", conns, 100*mean, 100*worst, l.early)
		}
	}
}
