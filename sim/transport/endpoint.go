// SPDX-License-Identifier: Apache-2.0

package transport

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/bits"

	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/workload"
)

// Endpoint is a host whose transport makes, times and orders its packets itself, clock by clock. Packets of the last class carry
// the payload of flows; packets of the other classes are small and have priority over it. Calls are in the order of time. An
// Endpoint that is an io.Closer is closed after the run.
type Endpoint interface {
	// Offer gives a flow of the host more packets to send.
	Offer(flow int, packets uint64)
	// Receive takes a frame that has come.
	Receive(f *Frame)
	// Clock is a clock of the host: the frame that begins on the line in it, nil if none does.
	Clock() (*Frame, error)
	// Counts returns the events counted so far.
	Counts() EndpointCounts
}

// Phased is an Endpoint with its own clock, whose edges lag a clock that starts with the run by less than a period. All other
// endpoints share the latter clock.
type Phased interface {
	Endpoint
	Phase() fabric.Instant
}

// Payload is the class of a Frame with payload. The classes below it are the Endpoint's.
const Payload = fabric.Classes - 1

// Frame is a packet of an Endpoint.
type Frame struct {
	Class    int
	Src, Dst int // hosts
	Bytes    int64
	Port     uint64   // source port: with the hosts, it is what switches choose by
	Flow     int      // of the sender, with payload
	Seq      uint64   // number in its flow, with payload
	Tag      uint64   // of a packet with payload
	Tags     []uint64 // that it acknowledges
}

// EndpointCounts counts the events in an Endpoint.
type EndpointCounts struct {
	Probes        uint64 // that were sent ahead of packets with payload
	ProbeTimeouts uint64
	LateAnswers   uint64 // to probes that had timed out
	Answers       uint64 // to probes
	MostRTT       uint64 // clocks from a probe to its answer
	SumRTT        uint64 // of all of these
	Packets       uint64 // with payload, again included
	Timeouts      uint64 // of these
	Acks          uint64 // sent
	GivenBack     uint64 // packets that timed out and were to be offered again
	Missed        uint64 // packets for whose answer there was no room
	Dropped       [fabric.Classes]uint64
	MostWaiting   uint64 // packets with payload at the host's line
	Events        uint64
}

// Add adds another host's counts.
func (c *EndpointCounts) Add(x EndpointCounts) {
	c.Probes += x.Probes
	c.ProbeTimeouts += x.ProbeTimeouts
	c.LateAnswers += x.LateAnswers
	c.Answers += x.Answers
	c.MostRTT = max(c.MostRTT, x.MostRTT)
	c.SumRTT += x.SumRTT
	c.Packets += x.Packets
	c.Timeouts += x.Timeouts
	c.Acks += x.Acks
	c.GivenBack += x.GivenBack
	c.Missed += x.Missed
	for i, n := range x.Dropped {
		c.Dropped[i] += n
	}
	c.MostWaiting = max(c.MostWaiting, x.MostWaiting)
	c.Events += x.Events
}

// EndpointSettings holds the settings common to all hosts of a network with Endpoints.
type EndpointSettings struct {
	ClockHz     int64
	Gbps        int64 // of all links
	PacketBytes int64 // of a packet with payload
	ProbeBytes  int64
	ProbeRate   int64  // times its share of the line at which a host may send small packets ahead; 0: 1
	GapBytes    int64  // between packets
	Queue       int64  // small packets of a class that wait at a port
	Hops        int64  // the most lines from a host to another
	RTTNS       int64  // there and back through empty queues, without the time of packets
	AckNS       int64  // for which an acknowledgement may wait for others
	TimeoutNS   int64  // after which a packet without one is sent again
	Hosts       int    // of the network
	Flows       int    // the most that a host sends
	RTL         []int  // hosts that are RTL by that model, the others golden; nil, and with Cycles: all
	Seed        uint64 // of all chances
	Deadline    uint64 // ns; a run with a flow that is longer has failed
}

// Endpoints makes the hosts of a network.
type Endpoints interface {
	// New makes a host, whose flows go to these others.
	New(number int, to []int) (Endpoint, error)
	io.Closer
}

// EndpointsMaker makes Endpoints by a model. The context can cancel the compilation of RTL.
type EndpointsMaker func(ctx context.Context, m Model, s *EndpointSettings) (Endpoints, error)

// Arrivals are the packets of a flow that have come. The zero Arrivals are none.
type Arrivals struct {
	next    uint64 // the first that did not
	later   map[uint64]bool
	highest uint64 // that did
}

// Take takes a packet: whether it had come before, and whether it comes behind a later one.
func (a *Arrivals) Take(seq uint64) (again, behind bool) {
	if seq < a.next || a.later[seq] {
		return true, seq < a.highest
	}
	behind = seq < a.highest
	a.highest = max(a.highest, seq)
	if seq != a.next {
		if a.later == nil {
			a.later = map[uint64]bool{}
		}
		a.later[seq] = true
		return false, behind
	}
	for a.next++; a.later[a.next]; a.next++ {
		delete(a.later, a.next)
	}
	return false, behind
}

// EndpointResult is the outcome of a run with Endpoints.
type EndpointResult struct {
	Flows     []Done // without Acked
	Delivered uint64 // packets with payload that came for the first time
	Again     uint64 // and once more
	Behind    uint64 // for the first time, behind a later one of their flow
	Delay     fabric.Instant
	Clocks    uint64
	Hosts     EndpointCounts
	Counts    fabric.Counts
}

// RunEndpoints sends flows through a network of hosts that are Endpoints, until all packets have come. Bytes of a flow are rounded
// up to whole packets.
func RunEndpoints(ctx context.Context, t Network, flows []workload.Flow, s *EndpointSettings, make Endpoints) (res *EndpointResult, err error) {
	if s.ClockHz < 1 || s.PacketBytes < 1 || s.Deadline < 1 || s.Deadline > 1e12 {
		return nil, fmt.Errorf("endpoints: found a clock of %d Hz, packets of %d bytes, a deadline of %d ns, allowed: 1 and more, at most 10^12 ns", s.ClockHz, s.PacketBytes, s.Deadline)
	}
	net, ports := t.Edge()
	r := &endpoints{net: net, set: s, acks: map[uint32][]uint64{}, clocks: map[fabric.Instant]*clock{}}
	defer func() {
		for _, h := range r.hosts {
			err = errors.Join(err, Close(h.by))
		}
	}()
	if err := r.open(ports, flows, make); err != nil {
		return nil, err
	}
	if r.left > 0 {
		if err := net.Run(ctx); err != nil {
			return nil, err
		}
	}
	for _, h := range r.hosts {
		r.res.Hosts.Add(h.by.Counts())
	}
	r.res.Counts = net.Count
	for i := range r.flows {
		r.res.Flows = append(r.res.Flows, r.flows[i].done)
	}
	return &r.res, nil
}

type endpoints struct {
	net    *fabric.Network
	set    *EndpointSettings
	hosts  []*endpoint
	clocks map[fabric.Instant]*clock // by phase
	flows  []endpointFlow
	left   uint64              // packets that have not come
	acks   map[uint32][]uint64 // tags of acknowledgements under way, by number
	ack    uint32
	res    EndpointResult
}

// clock drives the hosts with a phase. It starts with the first host that has something to do, and drives each host from its
// first event on.
type clock struct {
	*endpoints
	phase fabric.Instant
	awake []*endpoint
	timer uint32
	next  uint64 // edge
}

type endpointFlow struct {
	done    Done
	missing uint64
	came    Arrivals
}

type endpoint struct {
	*endpoints
	number int
	port   *fabric.Port
	by     Endpoint
	own    []int // numbers of its flows
	clock  *clock
	awoken bool
}

func (r *endpoints) open(ports []*fabric.Port, flows []workload.Flow, make Endpoints) error {
	to := map[int][]int{}
	own := map[int][]int{}
	var err error
	if r.flows, r.left, err = deliveries(flows, len(ports), r.set.PacketBytes); err != nil {
		return err
	}
	for i, f := range flows {
		to[f.Src], own[f.Src] = append(to[f.Src], f.Dst), append(own[f.Src], i)
	}
	for i, p := range ports {
		by, err := make.New(i, to[i])
		if err != nil {
			return fmt.Errorf("host %d: %w", i, err)
		}
		var phase fabric.Instant
		if x, ok := by.(Phased); ok {
			phase = x.Phase()
		}
		c := r.clocks[phase]
		if c == nil {
			c = &clock{endpoints: r, phase: phase}
			c.timer = r.net.Register(c)
			r.clocks[phase] = c
		}
		h := &endpoint{endpoints: r, number: i, port: p, by: by, own: own[i], clock: c}
		p.Attach(h, nil)
		r.hosts = append(r.hosts, h)
		for k, f := range h.own {
			r.net.At(fabric.Instant(flows[f].Start), func() {
				h.by.Offer(k, r.flows[f].missing)
				h.wake()
			})
		}
	}
	return nil
}

func (h *endpoint) wake() {
	if h.awoken {
		return
	}
	h.awoken = true
	c := h.clock
	if c.awake = append(c.awake, h); len(c.awake) > 1 {
		return
	}
	now := h.net.Now()
	if now > c.phase {
		hi, lo := bits.Mul64(uint64(now-c.phase), uint64(h.set.ClockHz))
		c.next, _ = bits.Div64(hi, lo, 1e12)
	}
	for c.at(c.next) < now {
		c.next++
	}
	h.net.Wake(c.timer, c.at(c.next), 0)
}

// at is the time of an edge.
func (c *clock) at(edge uint64) fabric.Instant {
	hi, lo := bits.Mul64(edge, 1e12)
	at, _ := bits.Div64(hi, lo, uint64(c.set.ClockHz))
	return c.phase + fabric.Instant(at)
}

// Fire implements fabric.Timer: an edge of the clock of its hosts.
func (c *clock) Fire(n *fabric.Network, _ uint32) {
	for _, h := range c.awake {
		f, err := h.by.Clock()
		if err != nil {
			n.Fail(fmt.Errorf("host %d, clock %d: %w", h.number, c.next, err))
			return
		}
		if f != nil {
			h.port.Put(n, c.packet(f))
		}
	}
	c.next++
	c.res.Clocks = max(c.res.Clocks, c.next)
	at := c.at(c.next)
	if uint64(at) > c.set.Deadline*1000 {
		n.Fail(fmt.Errorf("%d packets have not come after %d ns", c.left, c.set.Deadline))
		return
	}
	n.Wake(c.timer, at, 0)
}

// packet is a frame in the network.
func (r *endpoints) packet(f *Frame) *fabric.Packet {
	p := r.net.Packet()
	p.Class, p.Src, p.Dst, p.Size, p.Sent = uint8(f.Class), int32(f.Src), int32(f.Dst), int32(f.Bytes), r.net.Now()
	p.Kind = [fabric.Classes]fabric.Kind{fabric.Probe, fabric.Reply, fabric.Ack, fabric.Data}[f.Class]
	p.Port, p.Flow, p.Seq, p.Try = uint16(f.Port), int32(f.Flow), uint32(f.Seq), uint16(f.Tag)
	if f.Tags != nil {
		r.ack++
		p.Seq = r.ack
		r.acks[r.ack] = f.Tags
	}
	return p
}

// Receive implements fabric.Node.
func (h *endpoint) Receive(n *fabric.Network, _ *fabric.Port, p *fabric.Packet) {
	f := &Frame{Class: int(p.Class), Src: int(p.Src), Dst: int(p.Dst), Bytes: int64(p.Size), Port: uint64(p.Port), Flow: int(p.Flow), Seq: uint64(p.Seq), Tag: uint64(p.Try)}
	if p.Kind == fabric.Ack {
		f.Tags = h.acks[p.Seq]
		delete(h.acks, p.Seq)
	}
	if f.Class == Payload {
		h.came(n, p)
	}
	h.by.Receive(f)
	h.wake()
	n.Received(p)
}

// came notes a packet with payload.
func (h *endpoint) came(n *fabric.Network, p *fabric.Packet) {
	r := h.endpoints
	f := &r.flows[r.hosts[p.Src].own[p.Flow]]
	if r.res.take(n.Now(), f, p) {
		return
	}
	if r.left--; r.left == 0 {
		n.Stop()
	}
}
