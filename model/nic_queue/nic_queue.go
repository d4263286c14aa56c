// SPDX-License-Identifier: Apache-2.0

// Package nicqueue is the golden model of a NIC's packet queues: the treatment of packets, event by
// event, without time. A caller that knows the time calls events in their order.
package nicqueue

import (
	params "github.com/nicgen/nicgen/gen/nic_queue"
)

// Beat is a part of a packet: up to 64 bytes.
type Beat struct {
	Data [params.KeepBits / 8]uint64
	Len  int // bytes
}

// Packet is one in a queue, or on its way there.
type Packet struct {
	Conn  uint64
	Bytes int // of the IP packet
	Tags  int
	Meta  []uint64
	Beats []Beat

	Came   int // beats, with those that are not kept
	taken  int // cells
	reason int // params.Long or params.Full, once it is known; else params.Stored
}

// Cells returns the number of cells that the packet has.
func (p *Packet) Cells() int { return (len(p.Beats) + 1) / 2 }

// Wire returns the number of bytes on the wire, with preamble, FCS and gap, with additional shim
// bytes.
func (p *Packet) Wire(shim int) int { return max(p.Bytes+14+4*p.Tags+shim, 60) + 24 }

// conn is a connection.
type conn struct {
	packets []*Packet // that visits see
	charged int       // cells for the quota: of packets that were stored, until Settle
	seen    int       // the same from the time on that visits see them: for flow control
	told    bool      // to stop
}

// Queues is the state of all queues.
type Queues struct {
	p     *params.Params
	free  int
	conns []conn
}

// New returns empty queues.
func New(p *params.Params) *Queues {
	return &Queues{p: p, free: int(p.Cells()), conns: make([]conn, p.Connections)}
}

// Known reports whether a connection exists.
func (q *Queues) Known(conn uint64) bool { return conn < uint64(len(q.conns)) }

// Free returns the number of cells that are free.
func (q *Queues) Free() int { return q.free }

// Waiting returns the number of packets of a connection that no visit has taken.
func (q *Queues) Waiting(conn uint64) int { return len(q.conns[conn].packets) }

// Charged returns the number of cells that count for a connection's quota.
func (q *Queues) Charged(conn uint64) int { return q.conns[conn].charged }

// Seen returns the number of cells of a connection as flow control counts them.
func (q *Queues) Seen(conn uint64) int { return q.conns[conn].seen }

// Take adds a beat to a packet, which gets a free cell for every other one. A packet that is too
// long, or for whose beat there is no cell, keeps its cells until Enter, and gets no further ones.
func (q *Queues) Take(p *Packet, b Beat) {
	p.Came++
	if !q.Known(p.Conn) {
		return
	}
	before := int64(params.KeepBits * (p.Came - 1))
	if before+int64(b.Len) > q.p.MaxFrame { // takes precedence over a missing cell
		p.reason = params.Long
	}
	if p.reason != params.Stored {
		return
	}
	if p.Came%2 == 1 {
		if q.free == 0 {
			p.reason = params.Full
			return
		}
		q.free--
		p.taken++
	}
	p.Beats = append(p.Beats, b)
}

// Enter ends a packet: it returns the reason for a drop, or params.Stored. A packet that is dropped
// returns its cells. One that is stored counts for the quota from now on; visits see it after Join.
func (q *Queues) Enter(p *Packet, bad bool, quota int) (reason int) {
	reason = p.reason
	switch {
	case !q.Known(p.Conn):
		reason = params.Unknown
	case bad:
		reason = params.Bad
	case reason == params.Stored && q.conns[p.Conn].charged+p.taken > min(quota, int(q.p.Cells())):
		reason = params.Quota
	}
	if reason != params.Stored {
		q.free += p.taken
		return reason
	}
	q.conns[p.Conn].charged += p.taken
	return reason
}

// Join puts a packet that has entered at the end of its queue.
func (q *Queues) Join(p *Packet) {
	c := &q.conns[p.Conn]
	c.packets = append(c.packets, p)
	c.seen += p.Cells()
}

// Visit is the access of a pop to a queue.
type Visit struct {
	Conn    uint64
	Discard bool
	Packets []*Packet
}

// Visit takes packets from a queue: the first one, and each next one while the budget, less the IP
// bytes of those before, is above 0; or all with discard. Later packets are for later visits. The
// cells stay until Give, and count until Leave and Settle.
func (q *Queues) Visit(conn uint64, budget int, discard bool) *Visit {
	c, n := &q.conns[conn], 0
	for n < len(c.packets) && (n == 0 || discard || budget > 0) {
		budget -= c.packets[n].Bytes
		n++
	}
	v := &Visit{Conn: conn, Discard: discard, Packets: c.packets[:n:n]}
	c.packets = c.packets[n:]
	return v
}

// Give returns a cell.
func (q *Queues) Give() { q.free++ }

// Leave ends a visit: flow control no longer counts its cells.
func (q *Queues) Leave(v *Visit) {
	for _, p := range v.Packets {
		q.conns[v.Conn].seen -= p.Cells()
	}
}

// Settle ends a visit for the quota.
func (q *Queues) Settle(v *Visit) {
	for _, p := range v.Packets {
		q.conns[v.Conn].charged -= p.Cells()
	}
}

// Look compares the cells of a connection with the thresholds; it reports whether a message is due,
// and whether the message is a stop.
func (q *Queues) Look(conn uint64, used, xoff, xon int) (message, stop bool) {
	c := &q.conns[conn]
	if c.told && used > xon || !c.told && used < xoff {
		return false, false
	}
	c.told = !c.told
	return true, c.told
}
