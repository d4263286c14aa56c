// SPDX-License-Identifier: Apache-2.0

package dcsim

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	port "github.com/nicgen/nicgen/gen/dcsim_port"
	responder "github.com/nicgen/nicgen/gen/dcsim_responder"
	source "github.com/nicgen/nicgen/gen/dcsim_source"
	tbport "github.com/nicgen/nicgen/tb/dcsim_port"
	tbresponder "github.com/nicgen/nicgen/tb/dcsim_responder"
	tbsource "github.com/nicgen/nicgen/tb/dcsim_source"
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
	RTL         bool    `json:"rtl"`             // with the golden models beside it
	Gap         int64   `json:"gap,omitempty"`   // bytes between frames; 0 as in the paper
	Clock       int64   `json:"clock,omitempty"` // Hz; 0: 322,265,625
}

// What is the same in all runs: links of 100 Gb/s and 500 ns.
const (
	gbps       = 100
	linkNS     = 500
	probeBytes = 64
	ackBytes   = 14 + 20 + 8 + 4 // Ethernet, IPv4, UDP and checksum of a DATA-ACK
	tagBytes   = 2               // each of its tags

	hops       = 2      // the NIC and the switch
	processing = 64     // clocks there and back in units and between them, with some to spare
	mostNew    = 128    // DATAs that a source is told of at once
	mostAhead  = 16_384 // and beyond those sent: a source takes 2^(want_bits-1)
	seedWords  = 8
	nicDATAs   = 4 // DATAs in a NIC's queue with which the source waits: there they have no timeout
	// frames at a port of the switch, which takes a descriptor a cycle: more are not a burst
	mostWaiting = 256
	patience    = 200_000 // clocks without a DATA that arrives for the first time; a DATA timeout is 13,000
)

// Result is what a run comes to.
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

// clock is that of all units, in Hz.
func (sc Scenario) clock() int64 { return cmp.Or(sc.Clock, 322_265_625) }

// flight is the delay of a link, in clocks, rounded up.
func (sc Scenario) flight() uint64 {
	return uint64((linkNS*sc.clock() + 999_999_999) / 1_000_000_000)
}

// frame is a packet in the network.
type frame struct {
	class    uint64
	src, dst int
	bytes    uint64
	port     uint64 // of a SIM or SIM-ACK
	seq, tag uint64 // of a DATA
	tags     []uint64
}

// flight is a frame on a link.
type flight struct {
	at uint64 // the cycle in which its end arrives
	f  *frame
}

// link is a line: frames arrive in the order in which they left.
type link []flight

func (l *link) arrived(now uint64) *frame {
	if len(*l) == 0 || (*l)[0].at > now {
		return nil
	}
	f := (*l)[0].f
	*l = (*l)[1:]
	return f
}

// egress is a dcsim_port with the frames whose descriptors it has.
type egress struct {
	*device
	x      *portPins
	frames []*frame // by tag
	next   uint64
	wait   []*frame // for a cycle in which the port takes their descriptor
}

// host is a source, a responder and a port.
type host struct {
	id        int
	source    *device
	sx        *sourcePins
	responder *device
	rx        *responderPins
	nic       *egress

	bytes  uint64   // of a DATA
	left   []uint64 // DATAs by flow that the source has not been told of
	demand uint64   // DATAs of each flow
	flow   int      // that it is told of next
	told   uint64   // of how many, in this cycle
	seeds  []uint64
	slots  [classes]*frame // a register for each kind of frame that leaves
	ack    *frame          // a DATA-ACK whose tags come
	rxs    []*frame        // for the responder
	acks   []uint64        // tags for the source
	simAck []uint64        // ports for the source

	sent []numbers  // by flow
	got  []received // by source

	began map[uint64]uint64 // SIMs without SIM-ACK: the cycle in which the source gave them, by port

	simTimeouts, dataTimeouts counter
}

// numbers unwraps the numbers of a flow's DATAs.
type numbers struct{ last uint64 }

func (n *numbers) number(seq uint64) uint64 {
	full := n.last + uint64(int64(int16(seq-n.last)))
	n.last = max(n.last, full)
	return full
}

// received are the DATAs of a flow that arrived.
type received struct {
	next    uint64 // the first that did not
	later   map[uint64]bool
	highest uint64 // that did
}

func (r *received) has(seq uint64) bool { return seq < r.next || r.later[seq] }

func (r *received) add(seq uint64) {
	r.highest = max(r.highest, seq)
	if seq != r.next {
		if seq > r.next {
			r.later[seq] = true
		}
		return
	}
	for r.next++; r.later[r.next]; r.next++ {
		delete(r.later, r.next)
	}
}

// counter is one of a unit, of 32 bits.
type counter struct{ last uint64 }

func (c *counter) rise(now uint64) uint64 {
	n := (now - c.last) & (1<<32 - 1)
	c.last = now
	return n
}

// classes are those of dcsim_port.
const (
	simClass = iota
	simAckClass
	dataAckClass
	dataClass
	classes
)

// loop is a run.
type loop struct {
	sc     Scenario
	rate   uint64 // bytes a clock, in the format of the port
	flight uint64 // clocks on a link
	hosts  []*host
	ports  []*egress // of the switch, by host
	up     []link    // to the switch, by host
	down   []link
	res    Result
	kinds  []*kind
}

// Run carries out a scenario, until all DATAs have arrived and been acknowledged. With RTL, the
// error is a *Difference if a unit's output is not that of its golden model.
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
	return &l.res, nil
}

// sends tells whether a host has DATAs for another one.
func (l *loop) sends(src, dst int) bool {
	return src != dst && (l.sc.Pattern == AllToAll || dst == 0)
}

// Settings are the configurations of a scenario's units.
func Settings(sc Scenario) (*source.Params, *responder.Params, *port.Params) {
	s, r, p := source.Default(), responder.Default(), port.Default()
	s.Flows, r.Flows = int64(sc.Hosts), int64(sc.Hosts)
	s.ClockHz, r.ClockHz, p.ClockHz = sc.clock(), sc.clock(), sc.clock()
	s.RateGbps, p.RateGbps = gbps, gbps
	s.PacketBytes, r.PacketBytes, p.PacketBytes = sc.PacketBytes, sc.PacketBytes, sc.PacketBytes
	s.ProbeBytes, r.ProbeBytes, p.ProbeBytes = probeBytes, probeBytes, probeBytes
	s.SIMQueue, p.Queue = sc.Queue, sc.Queue
	s.Hops = hops
	s.RTTNS = 4*linkNS + processing*1_000_000_000/sc.clock() + 1
	s.Outstanding, s.Copies = 512, 2048
	s.GapBytes, p.GapBytes = sc.Gap, sc.Gap
	// A DATA-ACK for twelve DATAs at full rate: with fewer, all of them would take more of the
	// line than Eq. 2 leaves them. The DATA timeout is the sum that the responder's page has.
	token, _ := s.Network().Period().Float64()
	r.DataAckNS = max(8_000, int64(12*float64(sc.Hosts-1)*token))
	s.DataTimeoutNS = s.RTTNS + int64(hops*float64(3*sc.Queue+2)*token) + r.DataAckNS + 1_000
	p.DataPackets = sc.DataPackets
	p.DataBytes = 1<<p.ByteBits - 1
	return s, r, p
}

// build makes the units and starts them.
func (l *loop) build(ctx context.Context) error {
	s, r, p := Settings(l.sc)
	ks, err := newKind(ctx, tbsource.Unit, s, l.sc.RTL)
	if err != nil {
		return err
	}
	l.kinds = append(l.kinds, ks)
	kr, err := newKind(ctx, tbresponder.Unit, r, l.sc.RTL)
	if err != nil {
		return err
	}
	l.kinds = append(l.kinds, kr)
	kp, err := newKind(ctx, tbport.Unit, p, l.sc.RTL)
	if err != nil {
		return err
	}
	l.kinds = append(l.kinds, kp)
	l.rate = p.PortValues()["cfg_line_rate"]
	sx, err := newSourcePins(ks)
	if err != nil {
		return err
	}
	rx, err := newResponderPins(kr)
	if err != nil {
		return err
	}
	px, err := newPortPins(kp)
	if err != nil {
		return err
	}
	rng := rand.New(rand.NewPCG(l.sc.Seed, 0x6463_7369_6d))
	newEgress := func(name string) (*egress, error) {
		d, err := kp.new(name, rng.Uint64())
		return &egress{device: d, x: px, frames: make([]*frame, 1<<p.TagBits)}, err
	}
	n := l.sc.Hosts
	l.up, l.down = make([]link, n), make([]link, n)
	for i := range n {
		h := &host{id: i, sx: sx, rx: rx, bytes: uint64(l.sc.PacketBytes), left: make([]uint64, n), demand: l.sc.Packets, sent: make([]numbers, n), got: make([]received, n), began: map[uint64]uint64{}}
		l.hosts = append(l.hosts, h)
		for dst := range n {
			if l.sends(i, dst) {
				h.left[dst] = l.sc.Packets
			}
			h.got[dst].later = map[uint64]bool{}
		}
		for range seedWords {
			h.seeds = append(h.seeds, rng.Uint64())
		}
		if h.source, err = ks.new(fmt.Sprintf("host %d", i), rng.Uint64()); err != nil {
			return err
		}
		if h.responder, err = kr.new(fmt.Sprintf("host %d", i), rng.Uint64()); err != nil {
			return err
		}
		if h.nic, err = newEgress(fmt.Sprintf("host %d", i)); err != nil {
			return err
		}
		out, err := newEgress(fmt.Sprintf("switch, to host %d", i))
		if err != nil {
			return err
		}
		// B_DATA is that of the switch: a NIC takes DATAs as they come due.
		h.nic.set(&px.limit, uint64(p.DataRows()))
		l.ports = append(l.ports, out)
	}
	return l.reset()
}

// reset resets all units, and waits until their memories are cleared.
func (l *loop) reset() error {
	for cycle, ready := 0, false; cycle < 4 || !ready; cycle++ {
		if cycle > 100_000 {
			return errors.New("the units are not ready 100,000 cycles after their reset")
		}
		ready = true
		for _, h := range l.hosts {
			for _, d := range []*device{h.source, h.responder, h.nic.device, l.ports[h.id].device} {
				if cycle < 2 {
					d.k.rst.Raise(d.in)
				}
			}
			if err := errors.Join(h.source.step(), h.responder.step(), h.nic.step(), l.ports[h.id].step()); err != nil {
				return err
			}
			ready = ready && h.sx.ready.On(h.source.out) && h.rx.ready.On(h.responder.out)
		}
	}
	return nil
}

// done tells whether nothing is under way.
func (l *loop) done() bool {
	if l.res.Delivered < l.sc.demand() {
		return false
	}
	for i, h := range l.hosts {
		if len(l.up[i])+len(l.down[i])+len(h.rxs)+len(h.acks)+len(h.simAck) > 0 {
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
	for _, h := range l.hosts {
		h.drive(now, &l.res)
	}
	for i, h := range l.hosts {
		if err := errors.Join(h.source.step(), h.responder.step()); err != nil {
			return err
		}
		if err := l.send(h.nic, &l.up[i], now); err != nil {
			return err
		}
		if err := l.send(l.ports[i], &l.down[i], now); err != nil {
			return err
		}
		l.res.MostDATAs = max(l.res.MostDATAs, l.ports[i].x.packets.Get(l.ports[i].out))
		l.res.MostNIC = max(l.res.MostNIC, h.nic.x.packets.Get(h.nic.out))
		h.observe(now, &l.res)
	}
	l.res.Cycles++
	return nil
}

// arrive takes the frames that have come to the end of a link.
func (l *loop) arrive(now uint64) error {
	n := l.sc.Hosts
	for k := range n {
		i := (int(now) + k) % n // no input of the switch is the first one always
		if f := l.up[i].arrived(now); f != nil {
			out := l.ports[f.dst]
			out.wait = append(out.wait, f)
			l.res.MostWaiting = max(l.res.MostWaiting, len(out.wait))
			if len(out.wait) > mostWaiting {
				return fmt.Errorf("%s: %d frames have come to it for which it had no cycle: a port takes one a cycle, and these %d hosts send more", out.name, len(out.wait), n)
			}
		}
	}
	for i, h := range l.hosts {
		if f := l.down[i].arrived(now); f != nil {
			before := l.res.Delivered
			if h.take(f, &l.res); l.res.Delivered > before {
				l.mark(now)
			}
		}
	}
	return nil
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

// send clocks a port: it gets the descriptor of a frame that waits, and what begins goes on the
// link.
func (l *loop) send(p *egress, to *link, now uint64) error {
	x := p.x
	if len(p.wait) > 0 {
		f := p.wait[0]
		p.wait = p.wait[1:]
		if p.frames[p.next] != nil {
			return fmt.Errorf("%s: 65,536 descriptors later, the port still has a frame", p.name)
		}
		p.frames[p.next] = f
		x.valid.Raise(p.in)
		x.class.Put(p.in, f.class)
		x.len.Put(p.in, f.bytes)
		x.tag.Put(p.in, p.next)
		p.next = (p.next + 1) % uint64(len(p.frames))
	}
	x.ready.Raise(p.in)
	if err := p.step(); err != nil {
		return err
	}
	take := func(tag uint64) *frame {
		f := p.frames[tag]
		p.frames[tag] = nil
		l.res.Events++
		return f
	}
	if x.drop.On(p.out) {
		f := take(x.dropTag.Get(p.out))
		switch {
		case f == nil:
			return fmt.Errorf("%s: drops a frame that it does not have", p.name)
		case f.class == simClass:
			l.res.SIMsDropped++
		case f.class == dataClass:
			l.res.DATAsDropped++
		default:
			l.res.AcksDropped++
		}
	}
	if x.illegal.On(p.out) {
		return fmt.Errorf("%s: an illegal frame", p.name)
	}
	if x.mValid.On(p.out) {
		f := take(x.mTag.Get(p.out))
		if f == nil {
			return fmt.Errorf("%s: sends a frame that it does not have", p.name)
		}
		time := ((f.bytes+uint64(l.sc.Gap))<<port.FractionBits + l.rate - 1) / l.rate
		*to = append(*to, flight{now + time + l.flight, f})
	}
	return nil
}

func (l *loop) close() error {
	var err error
	for _, h := range l.hosts {
		err = errors.Join(err, h.source.close(), h.responder.close())
		if h.nic != nil {
			err = errors.Join(err, h.nic.close())
		}
	}
	for _, p := range l.ports {
		err = errors.Join(err, p.close())
	}
	for _, k := range l.kinds {
		err = errors.Join(err, k.close())
	}
	return err
}
