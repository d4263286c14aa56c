// SPDX-License-Identifier: Apache-2.0

// Package recycle is a packet-level model of the micro benchmarks of REPS: a few hosts on
// one switch send a message each to hosts of another one, over uplinks that the switch
// chooses by a hash of flow and entropy value (EV). Uplinks may be slow, or lose all
// packets for a while. Queues mark by RED; windows are those of DCTCP, acknowledgement by
// acknowledgement. What gives each packet its EV is an Assigner, one a host: the package
// knows no unit.
//
// A run depends only on its scenario, its seed and its assigners.
package recycle

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"strings"

	"github.com/nicgen/nicgen/sim/agenda"
)

// Assigner is what gives the packets of one host their EVs. Times are in ns; port is the
// port of the host's NIC that a packet leaves by.
type Assigner interface {
	// Send is the EV of the next packet of the host's connection.
	Send(now uint64, port int) uint32
	// Ack is told the EV of an acknowledged packet, and whether that was marked.
	Ack(now uint64, port int, ev uint32, marked bool)
	// Fail is told that a packet was not acknowledged in time.
	Fail(now uint64, port int)
}

// Figures of the authors' micro benchmarks: 400 Gb/s, packets of 4 KiB, 1 µs a link.
const (
	MTU       = 4150 // bytes of a packet on the wire
	Payload   = 4096
	lineRate  = 50.0 // bytes per ns
	linkDelay = 1000 // ns
	queueMax  = 100  // packets that a queue holds
	markMin   = 20   // packets in a queue from which on some are marked
	markMax   = 80   // and all of them
)

// Outage is a time in which an uplink loses every packet.
type Outage struct {
	Uplink   int
	From, To uint64 // ns
}

// Scenario is a micro benchmark.
type Scenario struct {
	Hosts    int
	Ports    int       // of each host's NIC, each to a switch of its own; packets leave by them in turn; 0 is 1
	Uplinks  []float64 // rate of each, as a fraction of the line rate; those of the first port's switch first
	Links    int       // of a path, one way
	Bytes    uint64    // of a message
	Messages int       // messages that each host sends, one after the other; 0 is 1
	Pause    uint64    // ns from the last acknowledgement of a message to the next one
	Outages  []Outage
	Recover  uint64 // ns from which on windows grow by a packet for each unmarked acknowledgement; 0: never
	RTO      uint64 // ns after which a packet that is not acknowledged is sent again
	Linear   bool   // the switch's hash is linear over bits, as a CRC is
	Seed     uint64 // of marks, of the hash and of when each host begins
}

// Check returns every error in a scenario.
func (sc *Scenario) Check() error {
	var bad []string
	rule := func(ok bool, what string, found any, allowed string) {
		if !ok {
			bad = append(bad, fmt.Sprintf("%s: found %v, allowed: %s", what, found, allowed))
		}
	}
	rule(sc.Hosts > 0 && sc.Hosts <= 1024, "hosts", sc.Hosts, "1 to 1024")
	rule(len(sc.Uplinks) > 0, "uplinks", len(sc.Uplinks), "1 or more")
	rule(sc.Ports >= 0 && len(sc.Uplinks)%max(1, sc.Ports) == 0, "NIC ports", sc.Ports, fmt.Sprintf("a divisor of the %d uplinks", len(sc.Uplinks)))
	for i, u := range sc.Uplinks {
		rule(u > 0 && u <= 1, fmt.Sprintf("uplink %d", i), u, "above 0, at most 1")
	}
	rule(sc.Links >= 3, "links", sc.Links, "3 or more: host, uplink, host")
	rule(sc.Bytes > 0 && sc.Bytes < 1<<40, "message", sc.Bytes, "1 byte to 2^40")
	rule(sc.Messages >= 0, "messages", sc.Messages, "0 or more")
	rule(sc.RTO > sc.roundTrip(), "RTO", sc.RTO, fmt.Sprintf("above the round trip of %d ns", sc.roundTrip()))
	for i, o := range sc.Outages {
		rule(o.Uplink >= 0 && o.Uplink < len(sc.Uplinks), fmt.Sprintf("outage %d: uplink", i), o.Uplink, fmt.Sprintf("0 to %d", len(sc.Uplinks)-1))
		rule(o.From <= o.To, fmt.Sprintf("outage %d: from, to", i), []uint64{o.From, o.To}, "from at most to")
	}
	if bad != nil {
		return fmt.Errorf("scenario: %s", strings.Join(bad, "; "))
	}
	return nil
}

// roundTrip is that of a packet through empty queues.
func (sc *Scenario) roundTrip() uint64 {
	return uint64(2*sc.Links*linkDelay) + uint64(math.Ceil(float64(sc.Links*MTU)/lineRate))
}

// Result is the outcome of a run.
type Result struct {
	Done     uint64   // ns: the last message was acknowledged
	Messages []uint64 // ns that each took, in the order in which they ended
	Packets  uint64   // sent, again included
	Drops    uint64   // packets that outages and full queues lost
	Longest  float64  // packets in the longest queue of an uplink
}

type kind uint8

const (
	send   kind = iota // a host may have something to send
	uplink             // a packet reaches the uplinks' switch
	last               // it reaches the queue before its destination
	acked              // its acknowledgement reaches the sender
	nacked             // the sender hears that a full queue dropped it
	timer              // its time is over
	begin              // a host begins a message
)

type event struct {
	kind    kind
	marked  bool
	host    int32
	port    int32
	seq     uint32
	try     uint32 // its number among those of its packet
	message uint32
	ev      uint32
}

// queue is an egress queue with its link.
type queue struct {
	free     agenda.Instant // when what is in it has left
	byteTime float64        // ps
}

// waiting is what is in the queue, in packets.
func (q *queue) waiting(now agenda.Instant) float64 {
	return max(0, float64(q.free-now)/q.byteTime/MTU)
}

// pass lets a packet through; it returns when it has left.
func (q *queue) pass(now agenda.Instant) agenda.Instant {
	q.free = max(q.free, now) + agenda.Instant(q.byteTime*MTU)
	return q.free
}

type host struct {
	by       Assigner
	nic      []queue  // by port
	turn     int      // the port that the next packet leaves by
	next     uint32   // of the message's packets
	again    []uint32 // to be sent again
	tries    []uint32 // by packet: numbers given to what was sent, two each: under way, and heard of
	message  uint32   // the number of the one that is sent
	got      []bool   // by packet: acknowledged
	left     uint32   // packets not acknowledged
	flying   int
	window   float64 // packets
	began    agenda.Instant
	pending  int // messages to send, the present one included
	wakes    bool
	delivery []queue // by port: the queue before the host that it sends to
}

type network struct {
	sc     *Scenario
	agenda agenda.Agenda[event]
	hosts  []host
	up     []queue
	rnd    *rand.Rand
	salt   uint64
	rows   [32]uint32 // of the linear hash
	res    Result
}

// Run simulates a scenario, with an assigner for each host.
func Run(sc *Scenario, by []Assigner) (*Result, error) {
	if err := sc.Check(); err != nil {
		return nil, err
	}
	if len(by) != sc.Hosts {
		return nil, fmt.Errorf("assigners: found %d, allowed: %d, one a host", len(by), sc.Hosts)
	}
	n := &network{sc: sc, hosts: make([]host, sc.Hosts), rnd: rand.New(rand.NewPCG(sc.Seed, 0x72657073))}
	n.salt = n.rnd.Uint64()
	for i := range n.rows {
		n.rows[i] = n.rnd.Uint32()
	}
	for _, rate := range sc.Uplinks {
		n.up = append(n.up, queue{byteTime: agenda.PS / (rate * lineRate)})
	}
	for i := range n.hosts {
		h := &n.hosts[i]
		h.by = by[i]
		for range n.ports() {
			h.nic = append(h.nic, queue{byteTime: agenda.PS / lineRate})
			h.delivery = append(h.delivery, queue{byteTime: agenda.PS / lineRate})
		}
		h.pending = max(1, sc.Messages)
		n.agenda.Add(agenda.Instant(n.rnd.Int64N(MTU/lineRate*agenda.PS)), event{kind: begin, host: int32(i)})
	}
	for n.agenda.Len() > 0 {
		now, e := n.agenda.Next()
		n.event(now, &e)
	}
	return &n.res, nil
}

// ports is the number of ports of a NIC.
func (n *network) ports() int { return max(1, n.sc.Ports) }

// packets is the number of packets of a message.
func (n *network) packets() uint32 { return uint32((n.sc.Bytes + Payload - 1) / Payload) }

// bdp is what is under way at the line rate, in packets.
func (n *network) bdp() float64 {
	return float64(n.ports()) * float64(n.sc.roundTrip()) * lineRate / MTU
}

func (n *network) event(now agenda.Instant, e *event) {
	h := &n.hosts[e.host]
	switch e.kind {
	case begin:
		h.message++
		h.began, h.next, h.left = now, 0, n.packets()
		h.tries, h.got = make([]uint32, h.left), make([]bool, h.left)
		h.again, h.flying, h.window = h.again[:0], 0, n.bdp()
		n.wake(now, e.host)
	case send:
		h.wakes = false
		n.send(now, e.host)
	case uplink:
		n.forward(now, e)
	case last:
		left := h.delivery[e.port].pass(now)
		e.kind = acked
		n.agenda.Add(left+agenda.At(linkDelay)+agenda.At(uint64(n.sc.Links*linkDelay)), *e)
	default:
		n.answer(now, e)
	}
}

// wake makes a host look for something to send as soon as its link is free.
func (n *network) wake(now agenda.Instant, i int32) {
	if h := &n.hosts[i]; !h.wakes {
		h.wakes = true
		n.agenda.Add(max(now, h.nic[h.turn].free), event{kind: send, host: i})
	}
}

// send sends a packet if the window allows it.
func (n *network) send(now agenda.Instant, i int32) {
	h := &n.hosts[i]
	if float64(h.flying) >= h.window {
		return
	}
	var seq uint32
	switch {
	case len(h.again) > 0:
		seq = h.again[0]
		h.again = h.again[1:]
		if h.got[seq] {
			n.wake(now, i)
			return
		}
	case h.next < n.packets():
		seq = h.next
		h.next++
	default:
		return
	}
	h.flying++
	n.res.Packets++
	e := event{host: i, port: int32(h.turn), message: h.message, seq: seq, try: h.tries[seq], ev: h.by.Send(now.NS(), h.turn)}
	h.tries[seq]++
	h.turn = (h.turn + 1) % n.ports()
	e.kind = timer
	n.agenda.Add(now+agenda.At(n.sc.RTO), e)
	e.kind = uplink
	n.agenda.Add(h.nic[e.port].pass(now)+agenda.At(linkDelay), e)
	n.wake(now, i)
}

// hash is the uplink of a packet: one of those of its port's switch, which hashes by
// itself.
func (n *network) hash(e *event) int {
	uplinks := len(n.up) / n.ports()
	if n.sc.Linear {
		x := uint32(n.salt)
		for i, r := range n.rows {
			if (e.ev|uint32(e.host)<<20)>>i&1 != 0 {
				x ^= bits.RotateLeft32(r, int(e.port))
			}
		}
		return int(e.port)*uplinks + int(x>>8)%uplinks
	}
	z := n.salt ^ uint64(e.ev) ^ uint64(e.host)<<32 ^ uint64(e.port)<<48
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return int(e.port)*uplinks + int((z^z>>31)%uint64(uplinks))
}

// forward puts a packet into the queue of its uplink.
func (n *network) forward(now agenda.Instant, e *event) {
	i := n.hash(e)
	q := &n.up[i]
	w := q.waiting(now)
	n.res.Longest = max(n.res.Longest, w)
	if w >= queueMax {
		n.res.Drops++
		e.kind = nacked
		n.agenda.Add(now+agenda.At(uint64(2*(n.sc.Links-1)*linkDelay)), *e)
		return
	}
	e.marked = n.rnd.Float64() < (w-markMin)/(markMax-markMin)
	left := q.pass(now)
	for _, o := range n.sc.Outages {
		if o.Uplink == i && left >= agenda.At(o.From) && left < agenda.At(o.To) {
			n.res.Drops++
			return
		}
	}
	e.kind = last
	n.agenda.Add(left+agenda.At(uint64((n.sc.Links-2)*linkDelay)), *e)
}

// answer is what a sender hears of a packet, or that it heard nothing in time.
func (n *network) answer(now agenda.Instant, e *event) {
	h := &n.hosts[e.host]
	if e.kind == acked {
		h.by.Ack(now.NS(), int(e.port), e.ev, e.marked)
	}
	if e.message != h.message {
		return
	}
	if h.tries[e.seq] == e.try+1 { // the first that is heard of it
		h.tries[e.seq]++
		h.flying--
	} else if e.kind != acked {
		return
	}
	switch {
	case h.got[e.seq]:
	case e.kind == acked:
		h.got[e.seq] = true
		h.left--
		switch {
		case e.marked:
			h.window -= 0.5
		case n.sc.Recover > 0 && now >= agenda.At(n.sc.Recover):
			h.window++
		default:
			h.window += 1 / h.window
		}
		if h.window = min(max(1, h.window), 1.5*n.bdp()); h.left == 0 {
			n.finish(now, e.host)
			return
		}
	default:
		if e.kind == timer {
			h.by.Fail(now.NS(), int(e.port))
		}
		h.window = max(1, h.window-1)
		h.again = append(h.again, e.seq)
	}
	n.wake(now, e.host)
}

// finish ends a message, and begins the next.
func (n *network) finish(now agenda.Instant, i int32) {
	h := &n.hosts[i]
	n.res.Messages = append(n.res.Messages, (now - h.began).NS())
	n.res.Done = max(n.res.Done, now.NS())
	if h.pending--; h.pending > 0 {
		n.agenda.Add(now+agenda.At(n.sc.Pause), event{kind: begin, host: i})
	}
}
