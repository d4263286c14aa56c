// SPDX-License-Identifier: Apache-2.0

// Package fabric is a packet-level model of a network: nodes with ports, cables between
// ports, and packets. A port has a queue for each class, served in strict order, of finite
// length; a packet that does not fit is dropped, or trimmed to its header. Queues mark
// packets. Cables fail, slow down, lose packets and are repaired at a time.
//
// A packet takes two events a hop: it has left a port, and it has reached the next node.
// Packets come from a free list, so a run in its steady state allocates nothing. What a
// node does with a packet is the node's: Switch asks a Router, hosts are in sim/transport.
//
// A packet may carry a Route, the way that its source chose. A port that packets come in by may pause
// the other end of its cable (Pause, IEEE 802.1Qbb).
//
// Packets may collect telemetry (Collect). Ports of a switch may share a Memory.
package fabric

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/nicgen/nicgen/sim/agenda"
)

// Instant is a time in ps.
type Instant = agenda.Instant

// Kind is the kind of a packet.
type Kind uint8

// Kinds of packets.
const (
	Data   Kind = iota
	Header      // data whose payload a full queue cut off
	Ack         // acknowledges Data
	Nack        // answers Header
	Probe       // measures the delay of a path
	Reply       // answers Probe
)

// Classes of packets: a port serves the lowest first.
const (
	Control = 0 // headers and acknowledgements
	Bulk    = 1 // data
	Classes = 4
)

// HeaderSize is the bytes of a packet without payload.
const HeaderSize = 64

// Packet is a packet. Where a host keeps what it needs to know of one is up to the host.
type Packet struct {
	next  *Packet
	port  *Port  // that it left last
	fails uint32 // failures of that port's cable before
	in    *Port  // that it came in by, if that port counts what it holds

	telemetry *Telemetry

	Flow     int32 // of the host's
	Src, Dst int32 // hosts
	Seq      uint32
	Label    uint32 // flow label
	Port     uint16 // UDP source port
	Kind     Kind
	Class    uint8
	Marked   bool // by a queue on the way
	Echo     bool // an answer: the packet that it answers was marked
	Try      uint16
	Size     int32   // bytes on the wire
	Sent     Instant // time at the sender; an answer has the time of the packet that it answers
	Delay    Instant // of an answer: what it answers took that long one way
	Rank     uint32  // priority in Ranked queues: the lowest is served first
	Route    *Route  // that its source chose; nil: switches decide
	Hop      uint8   // switches on it that were passed, or for an answer: that are still to pass
}

// EV is the packet's entropy value: its source port, and the flow label above it.
func (p *Packet) EV() uint32 { return p.Label<<16 | uint32(p.Port) }

// SetEV sets the entropy value.
func (p *Packet) SetEV(ev uint32) { p.Port, p.Label = uint16(ev), ev>>16 }

// Node is the device at the end of a cable.
type Node interface {
	// Receive takes a packet that came in at a port of the node: the node passes it on, or
	// ends it by Network.Received or Network.Drop.
	Receive(n *Network, in *Port, p *Packet)
}

// Source is a host that gives its port a packet whenever the port has nothing to send. A port
// that got none asks again after Port.Kick.
type Source interface {
	Next(n *Network, out *Port) *Packet
}

// Sealer is a Source that completes its packets later: it is asked to when one reaches the node at the other end of its cable.
type Sealer interface {
	Source
	Seal(n *Network, p *Packet) error
}

// Timer is called at a time.
type Timer interface {
	Fire(n *Network, arg uint32)
}

// Reason is the reason for dropping a packet.
type Reason uint8

// Reasons.
const (
	Full    Reason = iota // a queue had no room
	Down                  // a cable had failed
	Lossy                 // by chance, on a lossy cable
	NoRoute               // a switch knows no way to the destination
	Reasons
)

// String names the reason.
func (r Reason) String() string {
	return [...]string{"full queue", "failed cable", "lossy cable", "no route"}[r]
}

// Counts are the packets of a network.
type Counts struct {
	Sent     uint64 // by hosts, answers included
	Received uint64 // by hosts
	Trimmed  uint64 // data packets that were cut to headers
	Marked   uint64
	Hops     uint64 // packets that left a port
	Pauses   uint64 // frames that made a port pause a class
	Drops    [Reasons]uint64
}

// Dropped is the number of all drops.
func (c *Counts) Dropped() (sum uint64) {
	for _, d := range c.Drops {
		sum += d
	}
	return sum
}

type kind uint8

const (
	leave  kind = iota // the packet has left the port
	arrive             // it reaches the port
	fire               // a timer
	call               // a function
	token              // the port has a token again
	pause              // a frame lets the port pause a class, or go on with it
)

type event struct {
	port   *Port
	packet *Packet
	arg    uint32
	who    uint32 // number of the timer or the function
	kind   kind
}

// Network is a network. Nodes are what its ports say.
type Network struct {
	Count Counts
	Rand  *rand.Rand // of marks and losses

	events agenda.Forward[event]
	now    Instant
	ports  []*Port
	timers []Timer
	calls  []func()
	slots  []uint32 // of calls, that are free
	free   *Packet

	telemetry *Telemetry // free ones
	err       error
	stop      bool
}

// New returns an empty network whose chances a seed decides.
func New(seed uint64) *Network {
	return &Network{Rand: rand.New(rand.NewPCG(seed, 0x666162726963))}
}

// Now is the time.
func (n *Network) Now() Instant { return n.now }

// Pending is the number of events that are to come.
func (n *Network) Pending() int { return n.events.Len() }

// Ports are all ports, in the order in which they were made.
func (n *Network) Ports() []*Port { return n.ports }

// Packet returns an empty packet.
func (n *Network) Packet() *Packet {
	n.Count.Sent++
	p := n.free
	if p == nil {
		return &Packet{}
	}
	n.free = p.next
	*p = Packet{}
	return p
}

// Received ends a packet that a host has read.
func (n *Network) Received(p *Packet) {
	n.Count.Received++
	n.release(p)
}

// Answered counts a packet that a host has read and sends back as another one.
func (n *Network) Answered() {
	n.Count.Received++
	n.Count.Sent++
}

// Drop ends a packet on its way.
func (n *Network) Drop(p *Packet, r Reason) {
	n.Count.Drops[r]++
	p.free(n)
	n.release(p)
}

func (n *Network) release(p *Packet) {
	n.forget(p)
	p.next = n.free
	n.free = p
}

// Register gives a timer its number.
func (n *Network) Register(t Timer) (number uint32) {
	n.timers = append(n.timers, t)
	return uint32(len(n.timers) - 1)
}

// Wake fires a timer at a time, which must not be in the past.
func (n *Network) Wake(number uint32, at Instant, arg uint32) {
	n.events.Add(at, event{kind: fire, who: number, arg: arg})
}

// Tell calls a function, which may be nil, now and then, two hundred times until a time: with the ns that have passed, and all of them.
func (n *Network) Tell(until Instant, progress func(done, total uint64)) {
	if progress == nil {
		return
	}
	var tell func()
	tell = func() {
		progress(n.now.NS(), until.NS())
		n.At(n.now+until/200+1, tell)
	}
	n.At(n.now, tell)
}

// At calls a function at a time, which must not be in the past.
func (n *Network) At(at Instant, f func()) {
	if len(n.slots) == 0 {
		n.slots = append(n.slots, uint32(len(n.calls)))
		n.calls = append(n.calls, nil)
	}
	slot := n.slots[len(n.slots)-1]
	n.slots = n.slots[:len(n.slots)-1]
	n.calls[slot] = f
	n.events.Add(at, event{kind: call, who: slot})
}

// Fail ends the run with an error.
func (n *Network) Fail(err error) { n.err = err }

// Stop ends the run after this event.
func (n *Network) Stop() { n.stop = true }

// Run takes events in order until none is left, Stop or Fail is called, or the context
// ends.
func (n *Network) Run(ctx context.Context) error {
	const checkEvery = 1 << 13 // events
	n.stop = false
	for k := 0; n.events.Len() > 0 && !n.stop && n.err == nil; k++ {
		if k%checkEvery == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		at, e := n.events.Next()
		n.now = at
		switch e.kind {
		case leave:
			e.port.left(n, e.packet)
		case arrive:
			e.port.arrived(n, e.packet)
		case fire:
			n.timers[e.who].Fire(n, e.arg)
		case call:
			f := n.calls[e.who]
			n.calls[e.who] = nil
			n.slots = append(n.slots, e.who)
			f()
		case token:
			e.port.awaits = false
			e.port.Kick(n)
		case pause:
			e.port.told(n, int(e.arg>>1), e.arg&1 == 1)
		}
	}
	return n.err
}

// Until takes the events before a time.
func (n *Network) Until(ctx context.Context, at Instant) error {
	n.At(at-1, n.Stop)
	return n.Run(ctx)
}

// Census counts the packets that are in queues, under transmission and on cables.
func (n *Network) Census() (packets uint64) {
	for _, p := range n.ports {
		packets += uint64(p.wire)
		if p.sending != nil {
			packets++
		}
		for c := range p.queue {
			for x := p.queue[c].first; x != nil; x = x.next {
				packets++
			}
		}
	}
	return packets
}

// Check returns an error unless every packet sent was received, was dropped, or is in
// flight.
func (n *Network) Check() error {
	c, way := &n.Count, n.Census()
	if c.Sent != c.Received+c.Dropped()+way {
		return fmt.Errorf("%d packets sent, but %d received, %d dropped, %d on their way", c.Sent, c.Received, c.Dropped(), way)
	}
	return nil
}

// Router chooses the port by which a packet leaves a switch; nil: there is no way.
type Router interface {
	Route(p *Packet) *Port
}

// Route is a way that a source chose: the port by which a packet leaves the source, and that by which it leaves
// each switch. An answer goes back by the other ends of the same cables.
type Route struct {
	ID    uint32
	Ports []*Port
}

// Back turns a packet that has reached the end of its route into one that goes back.
func (p *Packet) Back() {
	if p.Route != nil {
		p.Hop = uint8(len(p.Route.Ports) - 1)
	}
}

// next is the port by which a packet leaves the switch that it has reached.
func (r *Route) next(p *Packet) *Port {
	switch p.Kind {
	case Ack, Nack, Reply:
		p.Hop--
		return r.Ports[p.Hop].peer
	}
	p.Hop++
	return r.Ports[p.Hop]
}

// Switch is a node that passes packets on: by their route if they have one, else as the Router says.
type Switch struct{ Router Router }

// Receive implements Node.
func (s *Switch) Receive(n *Network, in *Port, p *Packet) {
	in.hold(n, p)
	var out *Port
	if p.Route != nil {
		out = p.Route.next(p)
	} else {
		out = s.Router.Route(p)
	}
	if out != nil {
		out.Put(n, p)
		return
	}
	n.Drop(p, NoRoute)
}
