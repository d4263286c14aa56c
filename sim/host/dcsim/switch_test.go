// SPDX-License-Identifier: Apache-2.0

package dcsim

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/nicgen/nicgen/gen/dcsim"
	port "github.com/nicgen/nicgen/gen/dcsim_port"
	responder "github.com/nicgen/nicgen/gen/dcsim_responder"
	source "github.com/nicgen/nicgen/gen/dcsim_source"
	"github.com/nicgen/nicgen/sim/transport"
)

// Pattern is who sends to whom.
type Pattern string

// Patterns.
const (
	Incast   Pattern = "incast"     // all others to host 0
	AllToAll Pattern = "all-to-all" // each host to each other one
)

// Scenario is one run.
type Scenario struct {
	Hosts       int     `json:"hosts"`
	Pattern     Pattern `json:"pattern"`
	PacketBytes int64   `json:"packet_bytes"`    // L, of every DATA
	Queue       int64   `json:"queue"`           // B: packets in each small queue
	DataPackets int64   `json:"data_packets"`    // B_DATA: packets in each DATA queue of the switch
	Packets     uint64  `json:"packets"`         // DATAs of each flow
	Seed        uint64  `json:"seed"`            // of the hosts' random ports
	RTL         bool    `json:"rtl"`             // in lockstep with the golden models
	Gap         int64   `json:"gap,omitempty"`   // bytes between frames; 0 as in the paper
	Clock       int64   `json:"clock,omitempty"` // Hz; 0: 322,265,625
}

// Constants of all runs: links of 100 Gb/s and 500 ns.
const (
	gbps   = 100
	linkNS = 500

	hops       = 2  // the NIC and the switch
	processing = 64 // clocks there and back in units and between them, with some to spare
	// frames at a port of the switch, which takes a descriptor a cycle: more are not a burst
	mostWaiting = 256
	patience    = 200_000 // clocks without a DATA that arrives for the first time; a DATA timeout is 13,000
)

// Result is the result of a run.
type Result struct {
	Cycles       uint64 `json:"cycles"`
	Last         uint64 `json:"last"`         // cycle in which the last DATA arrived
	Quarter      uint64 `json:"quarter"`      // cycle in which a quarter of them had
	Quarters     uint64 `json:"quarters"`     // cycle in which three quarters had
	SIMs         uint64 `json:"sims"`         // sent
	SIMsDropped  uint64 `json:"sims_dropped"` // by ports
	SIMTimeouts  uint64 `json:"sim_timeouts"`
	DATAs        uint64 `json:"datas"`         // sent, repeated ones included
	DATAsDropped uint64 `json:"datas_dropped"` // by ports
	DATATimeouts uint64 `json:"data_timeouts"`
	Delivered    uint64 `json:"delivered"`    // DATAs that arrived for the first time
	Again        uint64 `json:"again"`        // DATAs that arrived once more
	Reordered    uint64 `json:"reordered"`    // DATAs that arrived after a later one of their flow
	AcksDropped  uint64 `json:"acks_dropped"` // SIM-ACKs and DATA-ACKs, by ports
	DataAcks     uint64 `json:"data_acks"`    // sent
	MostRTT      uint64 `json:"most_rtt"`     // clocks from a SIM that the source gives to its SIM-ACK that it gets
	MostDATAs    uint64 `json:"most_datas"`   // in a DATA queue of the switch
	MostEarly    uint64 `json:"most_early"`   // the same, until half of all DATAs have arrived
	MostNIC      uint64 `json:"most_nic"`     // in a DATA queue of a NIC
	MostWaiting  int    `json:"most_waiting"` // frames at the switch for one port in one cycle
	GivenBack    uint64 `json:"given_back"`   // DATAs that timed out and that the source did not keep
	Missed       uint64 `json:"missed"`       // SIMs and DATAs for whose answer the responder had no room
	Events       uint64 `json:"events"`       // packets that units took, offered or dropped
}

// Loss is the share of DATAs that were dropped.
func (r *Result) Loss() float64 {
	if r.DATAs == 0 {
		return 0
	}
	return float64(r.DATAsDropped) / float64(r.DATAs)
}

// Utilisation is the share of the rate of the links to receivers that DATAs took which arrived
// for the first time, from the first quarter of them to the third.
func (sc Scenario) Utilisation(r *Result) float64 {
	line := float64(r.Quarters-r.Quarter) / float64(sc.clock()) * gbps * 1e9 / 8 * float64(sc.receivers())
	return float64(sc.demand()*3/4-sc.demand()/4) * float64(sc.PacketBytes) / line
}

// Share is the utilisation that Eq. 2 leaves to DATAs.
func (sc Scenario) Share() float64 {
	s, _, _ := Settings(sc)
	period, _ := s.Network().Period().Float64()
	return float64(8*sc.PacketBytes) / (gbps * period)
}

// receivers is the number of hosts that DATAs go to.
func (sc Scenario) receivers() int {
	if sc.Pattern == Incast {
		return 1
	}
	return sc.Hosts
}

// demand is the number of DATAs of all flows.
func (sc Scenario) demand() uint64 {
	return uint64(sc.receivers()) * uint64(sc.Hosts-1) * sc.Packets
}

// clock returns the clock frequency of all units, in Hz.
func (sc Scenario) clock() int64 { return cmp.Or(sc.Clock, 322_265_625) }

// flight is the delay of a link, in clocks, rounded up.
func (sc Scenario) flight() uint64 {
	return uint64((linkNS*sc.clock() + 999_999_999) / 1_000_000_000)
}

// flight is a frame on a link.
type flight struct {
	at uint64 // the cycle in which its end arrives
	f  *transport.Frame
}

// link is a line: frames arrive in the order in which they left.
type link []flight

func (l *link) arrived(now uint64) *transport.Frame {
	if len(*l) == 0 || (*l)[0].at > now {
		return nil
	}
	f := (*l)[0].f
	*l = (*l)[1:]
	return f
}

// loop is a run: hosts around a switch whose ports are dcsim_ports, all clocked together. Its switch is the unit, as no switch of
// sim/fabric is; TestNetwork compares the two.
type loop struct {
	sc     Scenario
	rate   uint64 // bytes a clock, in the format of the port
	flight uint64 // clocks on a link
	hosts  []*host
	ports  []*egress // of the switch, by host
	up     []link    // to the switch, by host
	down   []link
	came   [][]transport.Arrivals // by host and source
	res    Result
	units  *units
}

// Run carries out a scenario, until all DATAs have arrived and been acknowledged. With RTL, the
// error is a *Difference if a unit's output differs from its golden model.
func Run(ctx context.Context, sc Scenario) (_ *Result, err error) {
	if sc.Hosts < 2 || sc.Hosts > 256 {
		return nil, fmt.Errorf("hosts: found %d, allowed: 2 to 256", sc.Hosts)
	}
	if sc.Pattern != Incast && sc.Pattern != AllToAll {
		return nil, fmt.Errorf("pattern: found %q, allowed: %s or %s", sc.Pattern, Incast, AllToAll)
	}
	l := &loop{sc: sc, flight: sc.flight()}
	defer func() { err = errors.Join(err, l.close()) }()
	if err := l.build(ctx); err != nil {
		return nil, err
	}
	for quiet := 0; quiet < 2; {
		if l.res.Cycles%4096 == 0 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if l.done() {
				quiet++
			} else {
				quiet = 0
			}
		}
		if err := l.cycle(); err != nil {
			return nil, err
		}
		if l.res.Cycles > l.res.Last+patience {
			return nil, fmt.Errorf("%d DATAs of %d have arrived, none for the first time in the last %d clocks", l.res.Delivered, l.sc.demand(), patience)
		}
	}
	for _, h := range l.hosts {
		l.res.add(h.Counts())
	}
	return &l.res, nil
}

// add takes what happened in a host.
func (r *Result) add(c transport.EndpointCounts) {
	r.SIMs += c.Probes
	r.SIMsDropped += c.Dropped[simClass]
	r.SIMTimeouts += c.ProbeTimeouts
	r.DATAs += c.Packets
	r.DATAsDropped += c.Dropped[dataClass]
	r.DATATimeouts += c.Timeouts
	r.AcksDropped += c.Dropped[simAckClass] + c.Dropped[dataAckClass]
	r.DataAcks += c.Acks
	r.MostRTT = max(r.MostRTT, c.MostRTT)
	r.MostNIC = max(r.MostNIC, c.MostWaiting)
	r.GivenBack += c.GivenBack
	r.Missed += c.Missed
	r.Events += c.Events
}

// sends reports whether a host has DATAs for another one.
func (l *loop) sends(src, dst int) bool {
	return src != dst && (l.sc.Pattern == AllToAll || dst == 0)
}

// Settings are the configurations of a scenario's units.
func Settings(sc Scenario) (*source.Params, *responder.Params, *port.Params) {
	x := sc.settings()
	s, r, p := configure(x)
	s.Outstanding, s.Copies = 512, 2048
	p.DataPackets = sc.DataPackets
	p.DataBytes = 1<<p.ByteBits - 1
	return s, r, p
}

func (sc Scenario) settings() *transport.EndpointSettings {
	x := &transport.EndpointSettings{ClockHz: sc.clock(), Gbps: gbps, PacketBytes: sc.PacketBytes, ProbeBytes: probeBytes, GapBytes: sc.Gap,
		Queue: sc.Queue, Hops: hops, RTTNS: 4*linkNS + processing*1_000_000_000/sc.clock() + 1, Hosts: sc.Hosts, Flows: sc.Hosts}
	// A DATA-ACK for twelve DATAs at full rate: with fewer, all of them would take more of the
	// line than Eq. 2 leaves them.
	token, _ := network(x).Period().Float64()
	x.AckNS = max(8_000, int64(12*float64(sc.Hosts-1)*token))
	return x
}

// build makes the units and starts them.
func (l *loop) build(ctx context.Context) error {
	s, r, p := Settings(l.sc)
	var err error
	if l.units, err = newUnits(ctx, s, r, p, l.sc.RTL); err != nil {
		return err
	}
	l.rate = p.PortValues()["cfg_line_rate"]
	rng := rand.New(rand.NewPCG(l.sc.Seed, 0x6463_7369_6d))
	n := l.sc.Hosts
	l.up, l.down, l.came = make([]link, n), make([]link, n), make([][]transport.Arrivals, n)
	to := make([]int, n)
	for i := range to {
		to[i] = i
	}
	for i := range n {
		h, err := l.units.newHost(i, to, rng)
		l.hosts = append(l.hosts, h)
		if err != nil {
			return err
		}
		for dst := range n {
			if l.sends(i, dst) {
				h.Offer(dst, l.sc.Packets)
			}
		}
		l.came[i] = make([]transport.Arrivals, n)
		out, err := l.units.newEgress(fmt.Sprintf("switch, to host %d", i), rng.Uint64())
		if err != nil {
			return err
		}
		l.ports = append(l.ports, out)
	}
	list := l.ports
	for _, h := range l.hosts {
		list = append(list, h.nic)
	}
	return reset(l.hosts, list)
}

// done reports whether nothing is in flight.
func (l *loop) done() bool {
	if l.res.Delivered < l.sc.demand() {
		return false
	}
	for i, h := range l.hosts {
		if len(l.up[i])+len(l.down[i]) > 0 || !h.idle() {
			return false
		}
	}
	return true
}

// cycle is one clock of everything.
func (l *loop) cycle() error {
	now := l.res.Cycles
	if err := l.arrive(now); err != nil {
		return err
	}
	for i, h := range l.hosts {
		f, err := h.Clock()
		if err != nil {
			return err
		}
		l.put(f, &l.up[i], now)
		if err := l.send(l.ports[i], &l.down[i], now); err != nil {
			return err
		}
		l.res.MostDATAs = max(l.res.MostDATAs, l.ports[i].x.packets.Get(l.ports[i].out))
	}
	l.res.Cycles++
	return nil
}

// arrive takes the frames that have reached the end of a link.
func (l *loop) arrive(now uint64) error {
	n := l.sc.Hosts
	for k := range n {
		i := (int(now) + k) % n // no input of the switch is the first one always
		if f := l.up[i].arrived(now); f != nil {
			out := l.ports[f.Dst]
			out.wait = append(out.wait, f)
			l.res.MostWaiting = max(l.res.MostWaiting, len(out.wait))
			if len(out.wait) > mostWaiting {
				return fmt.Errorf("%s: %d frames have come to it for which it had no cycle: a port takes one a cycle, and these %d hosts send more", out.name, len(out.wait), n)
			}
		}
	}
	for i, h := range l.hosts {
		if f := l.down[i].arrived(now); f != nil {
			if f.Class == dataClass {
				l.take(f, now)
			}
			h.Receive(f)
		}
	}
	return nil
}

// take notes a DATA that has arrived.
func (l *loop) take(f *transport.Frame, now uint64) {
	again, behind := l.came[f.Dst][f.Src].Take(f.Seq)
	if again {
		l.res.Again++
		return
	}
	l.res.Delivered++
	if behind {
		l.res.Reordered++
	}
	l.mark(now)
}

// mark notes that a DATA has arrived for the first time.
func (l *loop) mark(now uint64) {
	r, all := &l.res, l.sc.demand()
	r.Last = now
	switch r.Delivered {
	case all / 4:
		r.Quarter = now
	case all / 2:
		r.MostEarly = r.MostDATAs
	case all * 3 / 4:
		r.Quarters = now
	}
}

// send clocks a port of the switch.
func (l *loop) send(p *egress, to *link, now uint64) error {
	out, dropped, err := p.clock()
	if err != nil {
		return err
	}
	if out != nil {
		l.res.Events++
	}
	if dropped != nil {
		l.res.Events++
		switch dropped.Class {
		case simClass:
			l.res.SIMsDropped++
		case dataClass:
			l.res.DATAsDropped++
		default:
			l.res.AcksDropped++
		}
	}
	l.put(out, to, now)
	return nil
}

// put lets a frame begin on a link.
func (l *loop) put(f *transport.Frame, to *link, now uint64) {
	if f != nil {
		time := (uint64(f.Bytes+l.sc.Gap)<<port.FractionBits + l.rate - 1) / l.rate
		*to = append(*to, flight{now + time + l.flight, f})
	}
}

func (l *loop) close() error {
	var err error
	for _, h := range l.hosts {
		if h != nil {
			err = errors.Join(err, h.Close())
		}
	}
	for _, p := range l.ports {
		err = errors.Join(err, p.close())
	}
	return errors.Join(err, l.units.Close())
}

// network returns the network that Eq. 2 and 5 describe.
func network(x *transport.EndpointSettings) dcsim.Network {
	return dcsim.Network{RateGbps: x.Gbps, PacketBytes: x.PacketBytes, ProbeBytes: x.ProbeBytes, GapBytes: x.GapBytes, Hops: x.Hops, Queue: x.Queue, RTTNS: x.RTTNS}
}

// idle reports whether nothing waits to be taken in.
func (h *host) idle() bool { return len(h.rxs)+len(h.acks)+len(h.simAck) == 0 }
