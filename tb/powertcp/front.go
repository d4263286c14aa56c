// SPDX-License-Identifier: Apache-2.0

package powertcp

import params "github.com/nicgen/nicgen/gen/powertcp"

// gate decides which beats and flushes a unit that is ready takes.
type gate struct {
	beats    bool // an ACK of several hops takes as many beats
	distance uint64
	idx      uint32 // mask of the bits of a connection that are compared

	open bool     // an ACK has had some of its beats
	next int      // the beat that comes next
	free []uint64 // first cycle in which a connection may begin an ACK
}

func newGate(p *params.Params) gate {
	return gate{
		beats: p.HasINT() && p.Throughput == params.PerHop, distance: uint64(p.Distance()),
		idx: 1<<p.ConnIdxBits() - 1, free: make([]uint64, 1<<p.ConnIdxBits()),
	}
}

func (g *gate) reset() {
	g.open, g.next = false, 0
	clear(g.free)
}

// holds reports whether a connection has to wait.
func (g *gate) holds(conn uint32, cycle uint64) bool { return cycle < g.free[conn&g.idx] }

// beat takes a beat of an ACK of some beats. It returns its number, and whether it is the last one.
func (g *gate) beat(conn uint32, beats int, cycle uint64) (number int, last bool) {
	number = g.next
	g.next++
	if last = !g.beats || g.next >= beats; last {
		g.next = 0
		g.free[conn&g.idx] = cycle + 1 + g.distance
	}
	g.open = !last
	return number, last
}

// flush takes a flush.
func (g *gate) flush(conn uint32, cycle uint64) { g.free[conn&g.idx] = cycle + 1 + g.distance }

// front is the handshake of the unit as stimuli follow it: the gate, and when the unit is ready.
type front struct {
	gate
	cycle uint64
	rst   bool  // the registered reset
	ready bool  // all connections are new
	left  int64 // cycles until it rises
	wait  int64 // cycles from the end of the registered reset until it rises
}

func newFront(p *params.Params) front {
	return front{gate: newGate(p), wait: int64(p.ReadyLatency()) - 1}
}

// offer is the requests of a cycle and their outcome.
type offer struct {
	rst                bool // at the port
	ack, flush         bool
	ackConn, flushConn uint32
	beats              int  // of the ACK
	last               bool // the last beat of an ACK is taken
	flushed            bool // the flush is taken
}

// step decides which request of a cycle is taken.
func (f *front) step(o *offer) {
	rst := f.rst
	f.rst = o.rst
	conn := o.ackConn
	if !o.ack {
		conn = o.flushConn
	}
	held := f.holds(conn, f.cycle)
	switch {
	case rst:
		f.gate.reset()
		f.ready, f.left = false, f.wait
	case !f.ready:
		if f.left--; f.left == 0 {
			f.ready = true
		}
	case o.ack && (f.open || !held):
		_, o.last = f.beat(conn, o.beats, f.cycle)
	case o.flush && !o.ack && !f.open && !held:
		o.flushed = true
		f.flush(conn, f.cycle)
	}
	f.cycle++
}
