// SPDX-License-Identifier: Apache-2.0

package live

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/gopacket/gopacket/layers"

	"github.com/nicgen/nicgen/packet/roce"
	"github.com/nicgen/nicgen/packet/shim"
	"github.com/nicgen/nicgen/packet/transit"
	"github.com/nicgen/nicgen/sim/agenda"
	"github.com/nicgen/nicgen/sim/fabric"
)

// Choices of paths.
const (
	ByFlow  = "flow"   // by a hash of addresses, ports and flow label, as ECMP does
	ByPort  = "port"   // by source port and flow label modulo the number of paths
	ByFrame = "random" // a random path for each frame, as a switch that sprays
)

// Network is the paths between the two blocks, in each direction. Its times are of the wall clock. A frame whose LAPS
// shim names a path takes that path.
type Network struct {
	Paths  int           // from 1
	Choose string        // ByFlow, ByPort or ByFrame
	Delay  time.Duration // of the first path
	Spread time.Duration // more delay of the last path; those between are in equal steps
	Jitter time.Duration // more delay, random, of each frame: frames of a path may overtake each other
	Dead   int           // path that delivers nothing; -1: none

	Rate   float64 // of each path in bytes per ns; 0: any
	Buffer int     // bytes that may wait for a path; 0: any
	MarkAt int     // bytes that wait from which on frames are marked; 0: none are

	Drop    float64       // probability that a request or a READ response is lost
	DropACK float64       // probability that an ACK or NAK is lost
	Mark    float64       // probability that a request or a READ response is marked
	CNP     time.Duration // answer marks with CNPs, at most one in this time for each connection; 0: no CNPs
}

// Check returns every error in a network.
func (n *Network) Check() error {
	var bad []error
	rule := func(ok bool, what string, found any, allowed string) {
		if !ok {
			bad = append(bad, fmt.Errorf("%s: found %v, allowed: %s", what, found, allowed))
		}
	}
	rule(n.Paths >= 1 && n.Paths <= 256, "paths", n.Paths, "1 to 256")
	rule(n.Choose == ByFlow || n.Choose == ByPort || n.Choose == ByFrame, "choose", n.Choose, "flow, port, random")
	for _, d := range []struct {
		name string
		d    time.Duration
	}{{"delay", n.Delay}, {"spread", n.Spread}, {"jitter", n.Jitter}, {"cnp", n.CNP}} {
		rule(d.d >= 0 && d.d <= time.Minute, d.name, d.d, "0s to 1m")
	}
	rule(n.Dead >= -1 && n.Dead < n.Paths, "dead path", n.Dead, "one of the paths, or -1")
	rule(n.Rate >= 0 && n.Rate <= 1000, "rate", n.Rate, "0 to 1000 bytes/ns")
	rule(n.Buffer >= 0 && n.MarkAt >= 0, "buffer, mark-at", []int{n.Buffer, n.MarkAt}, "0 or more bytes")
	rule(n.Rate > 0 || n.Buffer == 0 && n.MarkAt == 0, "buffer, mark-at", []int{n.Buffer, n.MarkAt}, "0 without a rate: no frame waits")
	for _, p := range []struct {
		name string
		p    float64
	}{{"drop", n.Drop}, {"drop-acks", n.DropACK}, {"mark", n.Mark}} {
		rule(p.p >= 0 && p.p <= 1, p.name, p.p, "0 to 1")
	}
	return errors.Join(bad...)
}

// WireCounts holds the numbers of frames in the network.
type WireCounts struct {
	Paths     [2][]uint64 `json:"paths"`      // frames by the side that sent and the path
	Ports     int         `json:"ports"`      // different source ports, or flow labels, of RoCEv2 frames
	Again     [2]uint64   `json:"sent_again"` // requests and READ responses whose PSN was not ahead of the previous one
	Lost      uint64      `json:"lost"`       // by Drop and DropACK
	Full      uint64      `json:"full"`       // by a full buffer
	Failed    uint64      `json:"failed"`     // on the dead path
	NoPath    uint64      `json:"no_path"`    // whose shim names a path that does not exist
	Marked    uint64      `json:"marked"`
	NotECT    uint64      `json:"not_ect"`   // that should be marked, and whose sender does not know ECN
	CNPs      uint64      `json:"cnps"`      // made
	NoSender  uint64      `json:"no_sender"` // marks of connections whose sender is not known
	Told      uint64      `json:"telemetry"` // shims that a hop was written into
	LongestMS float64     `json:"longest_queue_ms"`
}

// flight is a frame on its way to a side.
type flight struct {
	to    int
	frame []byte
	queue *queue    // in which it waits; nil: it has left it, or there was none
	gone  time.Time // when its last byte leaves the queue
	after time.Duration
}

// queue is the port of a switch before a path. What a frame waits for is known when it enters.
type queue struct {
	id      uint16
	free    time.Time // when the line has sent all that is in it
	waiting int       // bytes of frames that have not begun to leave
	sent    uint64    // bytes that began to leave
}

// network moves frames between the two sides.
type network struct {
	Network
	rng   *rand.Rand
	seed  uint64
	start time.Time
	due   agenda.Agenda[flight]
	queue [2][]queue
	code  int // of the rate in telemetry; -1: none
	high  map[stream]uint32
	ports map[uint32]bool
	cnps  map[End]time.Time // the last one to each queue pair

	senders map[End]uint32 // queue pair of the sender, by the end that its packets go to
	count   WireCounts
}

// stream is a sequence of PSNs.
type stream struct {
	from     int
	qp       uint32
	response bool
}

func newNetwork(c Network, seed uint64, start time.Time) *network {
	n := &network{Network: c, rng: rand.New(rand.NewPCG(seed, 0x11FE)), seed: seed, start: start, high: map[stream]uint32{}, ports: map[uint32]bool{},
		senders: map[End]uint32{}, cnps: map[End]time.Time{}}
	n.code = -1
	if c.Rate > 0 {
		n.code = slices.Index(fabric.LinkRates[:], c.Rate)
	}
	for s := range 2 {
		n.queue[s] = make([]queue, c.Paths)
		for p := range n.queue[s] {
			n.queue[s][p].id = uint16(0x100*(s+1) + p)
		}
		n.count.Paths[s] = make([]uint64, c.Paths)
	}
	return n
}

// delay returns the delay of a path.
func (n *network) delay(path int) time.Duration {
	d := n.Delay
	if n.Paths > 1 {
		d += n.Spread * time.Duration(path) / time.Duration(n.Paths-1)
	}
	return d
}

// path chooses the path of a frame. The second result is false if its shim names a nonexistent one.
func (n *network) path(frame []byte, l *look) (int, bool) {
	if named, p := transit.Follow(frame); named {
		return int(p), p < uint32(n.Paths)
	}
	switch n.Choose {
	case ByFrame:
		return n.rng.IntN(n.Paths), true
	case ByPort:
		return int(l.entropy) % n.Paths, true
	}
	return int(transit.Hash(frame, n.seed) % uint64(n.Paths)), true
}

// enter takes a frame that left a block.
func (n *network) enter(from int, frame []byte, l *look, now time.Time) {
	p, ok := n.path(frame, l)
	if !ok {
		n.count.NoPath++
		return
	}
	n.count.Paths[from][p]++
	if l.roce {
		n.ports[l.entropy] = true
	}
	if p == n.Dead && (l.roce || l.made) {
		n.count.Failed++
		return
	}
	data := l.kind == Request || l.kind == Response
	if data {
		s := stream{from, l.qp, l.kind == Response}
		if h, ok := n.high[s]; ok && int32((l.psn-h)<<8) <= 0 {
			n.count.Again[from]++
		} else {
			n.high[s] = l.psn
		}
	}
	loss := 0.0
	switch {
	case data:
		loss = n.Drop
	case l.kind == ACK, l.kind == NAK, l.kind == RNR:
		loss = n.DropACK
	}
	if loss > 0 && n.rng.Float64() < loss {
		n.count.Lost++
		return
	}
	mark := data && n.Mark > 0 && n.rng.Float64() < n.Mark
	q := &n.queue[from][p]
	if n.Rate > 0 {
		if n.Buffer > 0 && q.waiting+len(frame) > n.Buffer && (l.roce || l.made) {
			n.count.Full++
			return
		}
		mark = mark || data && n.MarkAt > 0 && q.waiting >= n.MarkAt
	}
	if mark {
		if transit.Mark(frame) {
			n.count.Marked++
			n.notify(from, l, now)
		} else {
			n.count.NotECT++
		}
	}
	f := flight{to: 1 - from, frame: frame, after: n.delay(p)}
	if n.Jitter > 0 {
		f.after += time.Duration(n.rng.Int64N(int64(n.Jitter)))
	}
	if n.Rate == 0 {
		n.send(now.Add(f.after), f)
		return
	}
	begins := now
	if q.free.After(now) {
		begins = q.free
	}
	n.count.LongestMS = max(n.count.LongestMS, float64(begins.Sub(now))/1e6)
	f.queue, f.gone = q, begins.Add(time.Duration(float64(len(frame)+fabricGap)/n.Rate))
	q.free = f.gone
	q.waiting += len(frame)
	n.send(begins, f)
}

// fabricGap is the number of bytes that a frame takes of a path in addition to its own: FCS, preamble, gap.
const fabricGap = 24

func (n *network) send(at time.Time, f flight) { n.due.Add(agenda.Instant(at.Sub(n.start)), f) }

// arrived returns the next frame whose time has come.
func (n *network) arrived(now time.Time) (f flight, ok bool) {
	for {
		at, some := n.next()
		if !some || at.After(now) {
			return f, false
		}
		if _, f = n.due.Next(); f.queue == nil {
			return f, true
		}
		n.begin(f, at)
	}
}

// begin lets a frame begin to leave its queue, and writes telemetry into it.
func (n *network) begin(f flight, at time.Time) {
	q := f.queue
	q.waiting -= len(f.frame)
	if n.code >= 0 {
		w := shim.MakeWord(uint8(n.code), uint32(at.Sub(n.start)), uint32(q.sent/128), uint32(min(q.waiting/80, 1<<17-1)))
		if transit.Telemetry(f.frame, q.id, w) {
			n.count.Told++
		}
	}
	q.sent += uint64(len(f.frame))
	f.queue = nil
	n.send(f.gone.Add(f.after), f)
}

// next returns when the next frame arrives, if one is on its way.
func (n *network) next() (time.Time, bool) {
	if n.due.Len() == 0 {
		return time.Time{}, false
	}
	return n.start.Add(time.Duration(n.due.First())), true
}

// notify answers a mark with a CNP, as a notification point at the receiver does: to the queue pair that sent the frame.
func (n *network) notify(from int, l *look, now time.Time) {
	if n.CNP == 0 {
		return
	}
	qp, known := n.senders[End{l.dst, l.qp}]
	sender := End{l.src, qp}
	switch {
	case !known:
		n.count.NoSender++
		return
	case now.Sub(n.cnps[sender]) < n.CNP:
		return
	}
	n.cnps[sender] = now
	if f, err := notification(l.packet, qp); err == nil {
		n.count.CNPs++
		n.send(now.Add(2*n.delay(0)), flight{to: from, frame: f})
	}
}

// notification returns the CNP that answers a packet.
func notification(p *roce.Packet, qp uint32) ([]byte, error) {
	c := &roce.Packet{Ethernet: p.Ethernet, UDP: layers.UDP{SrcPort: p.UDP.SrcPort, DstPort: roce.Port},
		BTH:     roce.BTH{Opcode: roce.CNP, PKey: p.BTH.PKey, DestQP: qp},
		Headers: []roce.Header{&roce.CNPBody{}}}
	c.Ethernet.SrcMAC, c.Ethernet.DstMAC = p.Ethernet.DstMAC, p.Ethernet.SrcMAC
	c.Tags = p.Tags
	const dscp = 48
	if ip := p.IPv4; ip != nil {
		c.IPv4 = &layers.IPv4{Version: 4, TOS: dscp << 2, TTL: 64, Protocol: layers.IPProtocolUDP, SrcIP: ip.DstIP, DstIP: ip.SrcIP}
	} else {
		ip := p.IPv6
		c.IPv6 = &layers.IPv6{Version: 6, TrafficClass: dscp << 2, HopLimit: 64, NextHeader: layers.IPProtocolUDP, SrcIP: ip.DstIP, DstIP: ip.SrcIP}
	}
	return c.Append(nil)
}
