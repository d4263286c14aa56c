// SPDX-License-Identifier: Apache-2.0

package nictransport

import (
	params "github.com/nicgen/nicgen/gen/nic_transport"
	gate "github.com/nicgen/nicgen/model/nic_gate"
)

// limits holds the limits that keep packets in their queues: windows, the rings of PSNs, and the stall rule. The decision on a
// turn is not visible, only the packets that leave. So a packet is compared with the widest window since the earliest cycle in
// which its turn can have been decided: after the packet of its connection that left before its visit.
type limits struct {
	conns   []limited
	quantum history
	stall   history
	visit   uint64 // releases of one connection in a row, and so perhaps of one visit
	conn    uint32 // of the last release
}

// limited holds the limits of a connection.
type limited struct {
	window history
	psns   history // of the ring that are used; 0 if no bytes are in flight
	gone   []gone  // the newest last
}

// gone is a packet that left its queue.
type gone struct {
	cycle, now uint64
	visit      uint64
	bytes      uint64
}

// history are the values that something had, and from which cycle on.
type history []had

type had struct{ cycle, low, high uint64 }

// histories is the number of values kept; older ones are merged.
const histories = 32

func (h *history) set(cycle, v uint64) {
	if n := len(*h); n > 0 && (*h)[n-1].low == v && (*h)[n-1].high == v {
		return
	}
	if *h = append(*h, had{cycle, v, v}); len(*h) > histories {
		a, b := (*h)[0], (*h)[1]
		*h = (*h)[1:]
		(*h)[0] = had{a.cycle, min(a.low, b.low), max(a.high, b.high)}
	}
}

// since are the lowest and the highest value from a cycle on.
func (h history) since(cycle uint64) (low, high uint64) {
	for i := len(h) - 1; i >= 0; i-- {
		if low, high = min(low, h[i].low), max(high, h[i].high); i == len(h)-1 {
			low = h[i].low
		}
		if h[i].cycle <= cycle {
			break
		}
	}
	return low, high
}

// newLimits returns the limits after a reset.
func (c *Checker) newLimits() limits {
	l := limits{conns: make([]limited, c.p.Connections)}
	for i := range l.conns {
		l.conns[i].window.set(c.cycle, c.b.Gate.Settings.InitWindow)
	}
	l.quantum.set(c.cycle, c.b.Gate.Settings.Quantum)
	l.stall.set(c.cycle, c.stallNS)
	return l
}

// window sets a connection's window.
func (c *Checker) window(conn uint32, bytes uint64) {
	c.b.SetWindow(conn, bytes)
	if int(conn) < len(c.limits.conns) {
		s, _ := c.b.Gate.State(conn)
		c.limits.conns[conn].window.set(c.cycle, s.Window)
	}
}

// softWindow is a window of software, which waits for a cycle without one of the window unit.
type softWindow struct {
	cycle uint64
	conn  uint32
	bytes uint64
}

// soft carries out what waits; busy: the window unit has one in this cycle.
func (c *Checker) soft(busy bool) {
	if w := c.softly; w != nil && c.cycle > w.cycle && !busy {
		c.window(w.conn, w.bytes)
		c.softly = nil
	}
}

// stallBits are the bits of a time that the stall rule leaves out.
const stallBits = 8

// limit looks at a packet that leaves its queue, before the gate has counted it.
func (c *Checker) limit(conn uint32, p gate.Packet) error {
	l, g := &c.limits, c.b.Gate
	x := &l.conns[conn]
	f := g.Flight(conn)
	if conn != l.conn {
		l.visit++
	}
	l.conn = conn

	// The packets that may be of the same visit: it ends when its budget is used up, at most a quantum.
	_, quantum := l.quantum.since(0)
	first, sum := len(x.gone), uint64(0)
	for first > 0 && x.gone[first-1].visit == l.visit && sum+x.gone[first-1].bytes < max(quantum, 1) {
		first--
		sum += x.gone[first].bytes
	}
	before := gone{}
	if first > 0 {
		before = x.gone[first-1]
	}
	_, window := x.window.since(before.cycle)
	unlimited := window == 1<<c.p.Gate().ByteBits-1
	shut := f.Bytes != 0 && !unlimited && f.Bytes >= window
	least, _ := x.psns.since(before.cycle)
	full := f.Bytes != 0 && least >= uint64(c.p.Ring)
	if !unlimited {
		c.Count.Limited++
	}
	if shut || full {
		// By the stall rule one packet leaves, after a whole step of the time in which none has.
		step, _ := l.stall.since(before.cycle)
		step = max(step>>stallBits, 1) - 1
		newest := x.gone[len(x.gone)-1]
		if waited := (c.time(1) - newest.now) & (1<<params.NowBits - 1); waited < step<<stallBits {
			if shut {
				return c.fault("m_trace_release_valid", "a packet of connection %d leaves with %d bytes in flight, its window is %d, and the last one left %d ns before", conn, f.Bytes, window, waited)
			}
			return c.fault("m_trace_release_valid", "a packet of connection %d leaves with at least %d PSNs in flight, the ring has %d, and the last one left %d ns before", conn, least, c.p.Ring, waited)
		}
		c.Count.Stalled++
	}

	keep := max(first-1, 0)
	x.gone = append(x.gone[keep:], gone{c.cycle, c.time(1), l.visit, p.Bytes})
	return nil
}

// used notes how many PSNs of a connection's ring are used, after an event.
func (c *Checker) used(conn uint32) {
	f := c.b.Gate.Flight(conn)
	if f.Bytes == 0 {
		f.PSNs = 0
	}
	c.limits.conns[conn].psns.set(c.cycle, f.PSNs)
}
