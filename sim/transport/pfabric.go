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

// PFabric holds the settings of pFabric (Alizadeh et al., "pFabric: Minimal Near-Optimal Datacenter Transport", SIGCOMM 2013): flows begin at
// full rate, packets carry the remaining bytes of their flow, and Ranked queues serve the smallest remainder first and drop the largest. Lost
// packets are retransmitted after a timeout, based on selective acknowledgements: one for each packet, with the number up to which all packets
// have arrived.
//
// A host's line takes the next packet of the flow with the fewest packets left, of equals the first. Acknowledgements are of class Control, all others of class Payload.
type PFabric struct {
	PacketBytes  int64
	ControlBytes int64
	Window       int    // packets of a flow, the first and the most
	RTO          uint64 // ns
	Timeouts     int    // in a row: then a flow sends a small probe in each RTO, until one is acknowledged
	Seed         uint64
	Deadline     uint64 // ns; a run with a flow that is longer has failed
}

// RunPFabric sends flows through a network of hosts with pFabric, until all packets have arrived. Bytes of a flow are rounded up to whole packets.
// Of the result's Hosts, Probes counts the probes of flows that timed out too often.
func RunPFabric(ctx context.Context, t Network, flows []workload.Flow, s *PFabric) (*EndpointResult, error) {
	if s.Window < 1 || s.RTO < 1 || s.Timeouts < 1 {
		return nil, fmt.Errorf("pFabric: found a window of %d packets, an RTO of %d ns, %d timeouts, allowed: 1 and more", s.Window, s.RTO, s.Timeouts)
	}
	net, ports := t.Edge()
	r := &pfabric{bare: bare{size: int32(s.PacketBytes), small: int32(s.ControlBytes)}, set: s}
	for _, p := range ports {
		h := &pfabricHost{pfabric: r, port: p}
		p.Attach(h, h)
		r.hosts = append(r.hosts, h)
	}
	r.timer = net.Register(r)
	if err := r.open(net, ports, flows, s.Seed, s.Deadline, r.begin); err != nil {
		return nil, fmt.Errorf("pFabric: %w", err)
	}
	for i := range r.flows {
		n := int(r.flows[i].missing)
		if n > math.MaxUint16 {
			return nil, fmt.Errorf("pFabric: flow %d: found %d packets, allowed: %d", i, n, math.MaxUint16)
		}
		r.state = append(r.state, &pfabricFlow{number: i, packets: n, left: n, acked: make([]bool, n), window: float64(s.Window), threshold: math.Inf(1)})
	}
	return r.run(ctx)
}

type pfabric struct {
	bare
	set   *PFabric
	timer uint32
	hosts []*pfabricHost
	state []*pfabricFlow
}

// pfabricFlow is a flow as its source has it.
type pfabricFlow struct {
	number, packets int

	left      int    // packets that are not acknowledged
	acked     []bool // by number
	first     int    // that is not
	next      int    // to send
	flight    int    // of those from first to next, the ones that are not acknowledged
	window    float64
	threshold float64 // of slow start
	due       fabric.Instant
	wakes     bool // the timer is set, to due or before it
	row       int  // timeouts
	probe     bool // is to be sent
}

type pfabricHost struct {
	*pfabric
	port *fabric.Port
	out  []*pfabricFlow // flows that it sends
}

func (r *pfabric) begin(flow int) {
	h := r.hosts[r.flows[flow].done.Flow.Src]
	h.out = append(h.out, r.state[flow])
	h.port.Kick(r.net)
}

// ready reports whether the flow has a packet to send.
func (f *pfabricFlow) ready(s *PFabric) bool {
	if f.row >= s.Timeouts {
		return f.probe
	}
	for f.next < f.packets && f.acked[f.next] {
		f.next++
	}
	return f.next < f.packets && f.flight < int(f.window)
}

// Next implements fabric.Source: a packet of the flow with the fewest packets left.
func (h *pfabricHost) Next(n *fabric.Network, _ *fabric.Port) *fabric.Packet {
	var best *pfabricFlow
	for _, f := range h.out {
		if (best == nil || f.left < best.left) && f.ready(h.set) {
			best = f
		}
	}
	if best == nil {
		return nil
	}
	if best.due == 0 {
		h.start(best)
	}
	var p *fabric.Packet
	if best.probe {
		best.probe = false
		h.res.Hosts.Probes++
		p = h.packet(best.number, fabric.Probe, Payload, 0)
	} else {
		p = h.packet(best.number, fabric.Data, Payload, best.next)
		best.next++
		best.flight++
	}
	p.Rank = uint32(best.left)
	return p
}

// start starts the timer of a flow anew.
func (r *pfabric) start(f *pfabricFlow) {
	f.due = r.net.Now() + fabric.Instant(r.set.RTO)*1000
	if !f.wakes {
		f.wakes = true
		r.net.Wake(r.timer, f.due, uint32(f.number))
	}
}

// Fire implements fabric.Timer for a flow.
func (r *pfabric) Fire(n *fabric.Network, flow uint32) {
	f := r.state[flow]
	f.wakes = false
	switch {
	case f.left == 0 || f.due == 0:
		return
	case n.Now() < f.due:
		f.wakes = true
		n.Wake(r.timer, f.due, flow)
		return
	}
	r.res.Hosts.Timeouts++
	// The timer starts again with the first packet that the line takes.
	f.due, f.next, f.flight = 0, f.first, 0
	f.threshold, f.window = max(math.Floor(f.window/2), 2), 1
	f.row++
	f.probe = f.row >= r.set.Timeouts
	r.hosts[r.flows[flow].done.Flow.Src].port.Kick(n)
}

// Receive implements fabric.Node.
func (h *pfabricHost) Receive(n *fabric.Network, _ *fabric.Port, p *fabric.Packet) {
	f := h.state[p.Flow]
	switch p.Kind {
	case fabric.Data, fabric.Probe:
		if p.Kind == fabric.Data {
			h.came(p)
		}
		// Seq: all before it have come; Try: the packet that came, from Seq on, plus 1, or 0 for one before it.
		upTo := h.flows[p.Flow].came.next
		a := h.packet(f.number, fabric.Ack, fabric.Control, int(upTo))
		if p.Kind == fabric.Data && uint64(p.Seq) > upTo {
			a.Try = uint16(uint64(p.Seq)-upTo) + 1
		}
		h.res.Hosts.Acks++
		h.port.Put(n, a)
	case fabric.Ack:
		h.acked(f, int(p.Seq), int(p.Seq)+int(p.Try)-1)
		h.port.Kick(n)
	}
	n.Received(p)
}

// ack notes that a packet is acknowledged.
func (f *pfabricFlow) ack(seq int) {
	if f.acked[seq] {
		return
	}
	f.acked[seq] = true
	f.left--
	if seq < f.next {
		f.flight--
	}
}

// acked takes an acknowledgement of all packets before one, and of one.
func (h *pfabricHost) acked(f *pfabricFlow, upTo, one int) {
	if f.left == 0 {
		return
	}
	if f.row >= h.set.Timeouts {
		f.due = 0 // when a probe is due
	}
	f.row, f.probe = 0, false
	if one >= upTo {
		f.ack(one)
	}
	if upTo <= f.first {
		return
	}
	for ; f.first < upTo || f.first < f.packets && f.acked[f.first]; f.first++ {
		f.ack(f.first)
	}
	f.next = max(f.next, f.first)
	if f.window < f.threshold {
		f.window++
	} else {
		f.window += 1 / f.window
	}
	f.window = min(f.window, float64(h.set.Window))
	switch {
	case f.left == 0:
		h.out = slices.DeleteFunc(h.out, func(x *pfabricFlow) bool { return x == f })
	case f.next > f.first:
		h.start(f)
	default:
		f.due = 0
	}
}
