// SPDX-License-Identifier: Apache-2.0

package powertcp

import params "github.com/nicgen/nicgen/gen/powertcp"

// front is the handshake of the unit: which beats and flushes are taken. The
// predictor and the stimulus each have one.
type front struct {
	beats    bool // an ACK of several hops takes as many beats
	distance uint64
	idx      uint32 // mask of the bits of a connection that are compared

	cycle uint64
	rst   bool     // the registered reset
	ready bool     // all connections are new
	left  int64    // cycles until it rises
	wait  int64    // cycles from the end of the registered reset until it rises
	open  bool     // an ACK has had some of its beats
	beat  int      // that comes next
	free  []uint64 // first cycle in which a connection may begin an ACK
}

func newFront(p *params.Params) front {
	return front{
		beats: p.HasINT() && p.Throughput == params.PerHop, distance: uint64(p.Distance()),
		idx: 1<<p.ConnIdxBits() - 1, wait: int64(p.ReadyLatency()) - 1, free: make([]uint64, 1<<p.ConnIdxBits()),
	}
}

// offer is the requests of a cycle and their outcome.
type offer struct {
	rst                  bool // at the port; afterwards the registered one
	ack, flush           bool
	ackConn, flushConn   uint32
	beats                int  // INT: of the ACK; 1 if it is below
	ready                bool // sts_ready
	open                 bool // before this cycle
	ackReady, flushReady bool // the ready outputs
	first, last          bool // an accepted beat is the first, the last of its ACK
	beat                 int  // its number
	flushed              bool // the flush is accepted
}

// step decides which request of a cycle is accepted.
func (f *front) step(o *offer) {
	o.rst, f.rst = f.rst, o.rst
	o.first, o.last, o.flushed = false, false, false
	o.ready, o.open = f.ready && !o.rst, f.open
	conn := o.ackConn
	if !o.ack {
		conn = o.flushConn
	}
	held := f.cycle < f.free[conn&f.idx]
	o.ackReady = o.ready && (f.open || !held)
	o.flushReady = o.ready && !o.ack && !f.open && !held
	f.cycle++
	switch {
	case o.rst:
		f.reset()
	case !f.ready:
		if f.left--; f.left == 0 {
			f.ready = true
		}
	case o.ack && o.ackReady:
		o.beat = f.beat
		o.first = f.beat == 0
		f.beat++
		o.last = !f.beats || f.beat >= o.beats
		f.open = !o.last
		if o.last {
			f.beat = 0
			f.free[conn&f.idx] = f.cycle + f.distance
		}
	case o.flush && o.flushReady:
		o.flushed = true
		f.free[conn&f.idx] = f.cycle + f.distance
	}
}

func (f *front) reset() {
	f.ready, f.left, f.open, f.beat = false, f.wait, false, 0
	clear(f.free)
}
