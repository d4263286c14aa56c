// SPDX-License-Identifier: Apache-2.0

package transport

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/workload"
)

// PHost are the settings of pHost (Gao et al., "pHost: Distributed Near-Optimal Datacenter Transport Over Commodity Network Fabric", CoNEXT
// 2015): a source tells the destination of a flow by an RTS, and the destination gives tokens, one in each time of a packet, to one of the
// flows that it knows. A token names a packet, and is good for a short time.
//
// Source and destination choose the flow with the fewest packets left, of equals the first. Control packets are of class Control. Data of flows of at
// most Free packets are of class Bulk, others of class Payload, which is served last.
type PHost struct {
	PacketBytes  int64
	ControlBytes int64
	Free         int     // packets of a flow that have a token when it begins
	Expiry       float64 // packet times for which a source keeps a token; for Free tokens they begin when all could have been sent
	Window       int     // tokens without an answer: then the destination gives none to the flow
	Pause        uint64  // ns for which it does so, after the last one, unless a packet comes; then it gives one more
	Again        uint64  // ns from the last packet's token until packets that have not come get tokens again
	Seed         uint64
	Deadline     uint64 // ns; a run with a flow that is longer has failed
}

// RunPHost sends flows through a network of hosts with pHost, until all packets have come. Bytes of a flow are rounded up to whole packets. Of
// the result's Hosts, Probes are RTSs and tokens, Acks the ends of flows, ProbeTimeouts the tokens that expired, and Timeouts the times that a
// flow's missing packets were to get tokens again.
func RunPHost(ctx context.Context, t Network, flows []workload.Flow, s *PHost) (*EndpointResult, error) {
	if s.Window < 1 || s.Free < 0 || !(s.Expiry > 0) {
		return nil, fmt.Errorf("pHost: found %d tokens without an answer, %d free ones, %v packet times, allowed: 1 and more, 0 and more, above 0", s.Window, s.Free, s.Expiry)
	}
	net, ports := t.Edge()
	r := &phost{bare: bare{size: int32(s.PacketBytes), small: int32(s.ControlBytes)}, set: s}
	for _, p := range ports {
		h := &phostHost{phost: r, port: p}
		h.timer = net.Register(h)
		p.Attach(h, h)
		r.hosts = append(r.hosts, h)
	}
	if err := r.open(net, ports, flows, s.Seed, s.Deadline, r.begin); err != nil {
		return nil, fmt.Errorf("pHost: %w", err)
	}
	for i := range r.flows {
		n := int(r.flows[i].missing)
		r.state = append(r.state, &phostFlow{number: i, packets: n, left: n, remain: n, got: make([]bool, n)})
	}
	return r.run(ctx)
}

type phost struct {
	bare
	set   *PHost
	hosts []*phostHost
	state []*phostFlow
}

// phostFlow is a flow: what its source knows, and what its destination does.
type phostFlow struct {
	number, packets int

	// The source.
	tokens []phostToken
	remain int // packets that the destination lacked, by its last token

	// The destination.
	left     int    // packets that have not come
	got      []bool // by number
	next     int    // the first packet that has not had a token in this turn
	given    int    // tokens
	answered int    // tokens up to the last one whose packet has come
	last     fabric.Instant
	again    fabric.Instant // if there is no such packet: when the next turn begins
}

type phostToken struct {
	seq     int
	number  int
	expires fabric.Instant
}

type phostHost struct {
	*phost
	port  *fabric.Port
	timer uint32
	out   []*phostFlow // flows that it sends
	in    []*phostFlow // flows that it receives, in the order of their RTSs

	ready fabric.Instant // when it may give a token
	wakes fabric.Instant // the next time that the timer is to fire; 0: none
}

// slot is the time of a packet.
func (h *phostHost) slot() fabric.Instant { return h.port.Time(h.size) }

// again returns how long a receiver waits for a turn's packets after the turn's last token.
func (r *phost) again() fabric.Instant { return fabric.Instant(r.set.Again) * 1000 }

// begin is called when a flow begins at its source.
func (r *phost) begin(flow int) {
	f := r.state[flow]
	h := r.hosts[r.flows[flow].done.Flow.Src]
	h.out = append(h.out, f)
	r.res.Hosts.Probes++
	h.port.Put(r.net, r.packet(flow, fabric.Probe, fabric.Control, 0))
	free := f.free(r.set)
	until := r.net.Now() + fabric.Instant((float64(free)+r.set.Expiry)*float64(h.slot()))
	for i := range free {
		f.tokens = append(f.tokens, phostToken{i, i, until})
	}
	h.port.Kick(r.net)
}

// free is the number of its free tokens.
func (f *phostFlow) free(s *PHost) int { return min(s.Free, f.packets) }

// Next implements fabric.Source: the packet of a token of the flow with the fewest packets left.
func (h *phostHost) Next(n *fabric.Network, _ *fabric.Port) *fabric.Packet {
	var best *phostFlow
	for _, f := range h.out {
		for len(f.tokens) > 0 && f.tokens[0].expires < n.Now() {
			f.tokens = f.tokens[1:]
			h.res.Hosts.ProbeTimeouts++
		}
		if len(f.tokens) > 0 && (best == nil || f.remain < best.remain) {
			best = f
		}
	}
	if best == nil {
		return nil
	}
	t := best.tokens[0]
	best.tokens = best.tokens[1:]
	class := uint8(Payload)
	if best.packets <= h.set.Free {
		class = fabric.Bulk
	}
	p := h.packet(best.number, fabric.Data, class, t.seq)
	p.Try = uint16(t.number)
	return p
}

// Receive implements fabric.Node.
func (h *phostHost) Receive(n *fabric.Network, _ *fabric.Port, p *fabric.Packet) {
	f := h.state[p.Flow]
	switch p.Kind {
	case fabric.Probe: // RTS
		if f.left == 0 { // free tokens were enough, and their packets faster
			break
		}
		h.in = append(h.in, f)
		f.given = f.free(h.set)
		f.next, f.last = f.given, n.Now()
		if f.next == f.packets {
			f.again = f.last + h.again()
		}
		// Packets of free tokens come in these packet times.
		h.ready = max(h.ready, n.Now()+fabric.Instant(f.given)*h.slot())
		h.give(n)
	case fabric.Reply: // token
		f.remain = int(p.Rank)
		// It expires after those that are there: free ones do before the destination's first one can come.
		f.tokens = append(f.tokens, phostToken{int(p.Seq), int(p.Try), n.Now() + fabric.Instant(h.set.Expiry*float64(h.slot()))})
		h.port.Kick(n)
	case fabric.Data:
		f.answered = max(f.answered, int(p.Try)+1)
		if !f.got[p.Seq] {
			f.got[p.Seq] = true
			if f.left--; f.left == 0 {
				h.in = slices.DeleteFunc(h.in, func(x *phostFlow) bool { return x == f })
				h.res.Hosts.Acks++
				h.port.Put(n, h.packet(f.number, fabric.Ack, fabric.Control, 0))
			}
			f.skip(h)
		}
		h.came(p)
		h.give(n)
	case fabric.Ack:
		h.res.Hosts.ProbeTimeouts += uint64(len(f.tokens))
		f.tokens = nil
		h.out = slices.DeleteFunc(h.out, func(x *phostFlow) bool { return x == f })
	}
	n.Received(p)
}

// skip goes past packets that have come. When none is left in this turn, the next one begins later.
func (f *phostFlow) skip(h *phostHost) {
	if f.next == f.packets {
		return
	}
	for f.next < f.packets && f.got[f.next] {
		f.next++
	}
	if f.next == f.packets {
		f.again = f.last + h.again()
	}
}

// may is the time from which on the flow may have a token.
func (f *phostFlow) may(h *phostHost) (at fabric.Instant) {
	if f.next == f.packets {
		at = f.again
	}
	if f.given-f.answered >= h.set.Window {
		at = max(at, f.last+fabric.Instant(h.set.Pause)*1000)
	}
	return at
}

// Fire implements fabric.Timer.
func (h *phostHost) Fire(n *fabric.Network, _ uint32) {
	if n.Now() == h.wakes {
		h.wakes = 0
		h.give(n)
	}
}

// give gives a token, if it is time to, and wakes up when it is time for the next one.
func (h *phostHost) give(n *fabric.Network) {
	now := n.Now()
	if now >= h.ready {
		var best *phostFlow
		for _, f := range h.in {
			if f.may(h) <= now && (best == nil || f.left < best.left) {
				best = f
			}
		}
		if best != nil {
			best.give(h)
			h.ready = now + h.slot()
		}
	}
	first := fabric.Instant(math.MaxInt64)
	for _, f := range h.in {
		first = min(first, f.may(h))
	}
	if len(h.in) == 0 {
		return
	}
	if first = max(first, h.ready); h.wakes == 0 || first < h.wakes {
		h.wakes = first
		n.Wake(h.timer, first, 0)
	}
}

// give gives the flow a token.
func (f *phostFlow) give(h *phostHost) {
	n := h.net
	if f.next == f.packets {
		f.next = 0
		f.skip(h)
		h.res.Hosts.Timeouts++
	}
	if f.given > math.MaxUint16 {
		n.Fail(fmt.Errorf("flow %d: found %d tokens, allowed: %d", f.number, f.given+1, math.MaxUint16+1))
		return
	}
	p := h.packet(f.number, fabric.Reply, fabric.Control, f.next)
	p.Try, p.Rank = uint16(f.given), uint32(f.left)
	h.res.Hosts.Probes++
	f.given++
	f.last = n.Now()
	if f.next++; f.next == f.packets {
		f.again = f.last + h.again()
	} else {
		f.skip(h)
	}
	h.port.Put(n, p)
}
