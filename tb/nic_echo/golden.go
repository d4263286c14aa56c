// SPDX-License-Identifier: Apache-2.0

package nicecho

import (
	"fmt"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/nic_echo"
	model "github.com/nicgen/nicgen/model/nic_echo"
	"github.com/nicgen/nicgen/tb/bench"
)

// kind is what the lane of packets received does in a cycle.
type kind int

const (
	none kind = iota
	data
	clearing // an entry of a ring
	emptying // the rest of a connection
	taking
	scanning
)

// Cycles from an event to the golden model, and to what follows.
const (
	act    = 3  // the lane's row is read, and written
	push   = 2  // from there to the queue of lists that are due
	window = 64 // of cycles that are remembered, more than any latency
)

// event is what came in a cycle.
type event struct {
	op      kind
	conn    uint32
	packet  model.Packet
	shim    model.Shim
	slot    uint64
	now     uint64
	ack     bool // taken and legal
	answer  bool // any ACK
	ackConn uint32
	ackPSN  uint64
	or      bool
	illegal int
	wrong   kind // what else than an ACK was illegal: data, or emptying for a flush
	early   int
}

// counts are increments that show in a cycle.
type counts struct{ data, marked, hit, miss, duplicate, feedback, lost, flush, illegal, early uint64 }

// answer is an echo that shows in a cycle.
type answer struct {
	valid, legal bool
	echo         model.Echo
}

// predictor is the golden model behind the unit's ports.
type predictor struct {
	bench.Golden
	p    *params.Params
	pins *pins
	unit *model.Unit

	resetAt uint64 // the cycle of the last reset
	rst     bool   // in the cycle before
	was     struct{ packets, ns uint64 }

	events  [window]event
	counts  [window]counts
	answers [window]answer
	pushes  [window]int64 // connection + 1

	due      []uint32 // lists that wait
	busy     bool
	fbAt     uint64 // the cycle in which a list is there; 0: none is on its way
	fb       model.Feedback
	fbConn   uint32
	flushed  int64 // steps of a flush that are done
	scanNext uint32
	cov      coverage
}

func newPredictor(p *params.Params, l *cosim.Layout, bare bool) (cosim.Predictor, error) {
	x, err := newPins(l)
	if err != nil {
		return nil, err
	}
	r := &predictor{Golden: bench.NewGolden(l, len(points(p)), bare), p: p, pins: x, unit: model.New(p)}
	r.Always(x.ready, x.echo, x.flushed, x.evtIllegal, x.nData, x.nMarked, x.nHit, x.nMiss, x.nFlush, x.nIllegal, x.nEarly)
	if p.List > 0 {
		r.Always(x.fb, x.nDuplicate, x.nFeedback, x.nLost)
	}
	return r, nil
}

// ready reports whether events are taken.
func (r *predictor) ready() bool {
	return !r.rst && r.Cycle >= r.resetAt+2+uint64(r.p.Connections*r.p.Ring)
}

// Step implements cosim.Predictor.
func (r *predictor) Step(in, want, care []uint64) {
	x, t := r.pins, r.Cycle
	now := &r.events[t%window]
	*now = event{}
	r.counts[(t+window-1)%window] = counts{}
	if r.Known || r.rst {
		r.lane(in, now)
	}
	if r.Known {
		r.show(in, want, care, now)
	}
	switch {
	case r.rst:
		r.clear()
	case r.Known:
		r.process(t)
	}
	if r.Known {
		r.advance(in, now)
	}
	r.rst = x.rst.On(in)
	if r.rst {
		r.resetAt = t
	}
	r.was.packets, r.was.ns = x.packets.Get(in), x.ns.Get(in)
	r.Cycle++
}

// clear is a cycle with the registered reset: all that came before it is gone.
func (r *predictor) clear() {
	if !r.Bare {
		r.coverReset()
	}
	r.Known = true
	t := r.Cycle
	for i := range r.events {
		if uint64(i) != t%window {
			r.events[i] = event{}
		}
		r.counts[i], r.answers[i], r.pushes[i] = counts{}, answer{}, 0
	}
	clear(r.Want)
	r.unit.Reset()
	r.due, r.busy, r.fbAt, r.flushed, r.scanNext = r.due[:0], false, 0, 0, 0
}

// lane is what the cycle's inputs make the lane do, and what ACK there is.
func (r *predictor) lane(in []uint64, e *event) {
	x, ready := r.pins, r.ready()
	hasData, hasAck := x.data.On(in), x.ack.On(in)
	e.now, e.or = x.now.Get(in), x.or.On(in)
	e.answer, e.ackConn, e.ackPSN = hasAck, uint32(x.ackConn.Get(in)), x.ackPSN.Get(in)
	switch {
	case hasAck && !ready:
		e.early++
	case hasAck && !r.unit.Legal(e.ackConn):
		e.illegal++
	case hasAck:
		e.ack = true
		r.Accepted++
	}
	e.conn = uint32(x.conn.Get(in))
	flush := uint32(x.flushing.Get(in))
	switch {
	case hasData && !ready:
		e.early++
	case hasData && !r.unit.Legal(e.conn):
		e.illegal++
		e.wrong = data
	case hasData:
		e.op = data
		r.Accepted++
		e.packet = model.Packet{PSN: x.psn.Get(in), EV: x.ev.Get(in), CE: x.ce.On(in), Feedback: x.feedback.On(in)}
		if x.shim.On(in) {
			for i := 0; i < int(r.p.ShimBits); i += 64 {
				e.shim[i/64] = x.body.Bits(in, i, min(64, int(r.p.ShimBits)-i))
			}
			e.packet.Shim = &e.shim
		}
	case !ready:
	case x.flush.On(in) && !r.unit.Legal(flush):
		e.illegal++
		e.wrong = emptying
	case x.flush.On(in) && r.flushed == r.p.Ring:
		e.op, e.conn = emptying, flush
	case x.flush.On(in):
		e.op, e.conn, e.slot = clearing, flush, uint64(r.flushed)
	case len(r.due) > 0 && !r.busy:
		e.op, e.conn = taking, r.due[0]
	case len(r.due) < params.FIFO && r.p.List > 0:
		e.op, e.conn = scanning, r.scanNext
	}
}

// flushReady is the output: the request is done.
func (r *predictor) flushReady(in []uint64) bool {
	x := r.pins
	return r.ready() && !x.data.On(in) && x.flush.On(in) && (r.flushed == r.p.Ring || !r.unit.Legal(uint32(x.flushing.Get(in))))
}

// process gives the golden model what came some cycles ago.
func (r *predictor) process(t uint64) {
	if t < act {
		return
	}
	e := &r.events[(t-act)%window]
	s := &r.unit.Settings
	s.FeedbackPackets, s.FeedbackTime = r.was.packets, r.was.ns
	soon, later := &r.counts[(t+1)%window], &r.counts[(t+2)%window]
	soon.illegal += uint64(e.illegal)
	soon.early += uint64(e.early)
	due := false
	before := r.unit.Count
	switch e.op {
	case data:
		due = r.unit.Data(e.conn, e.packet, e.now)
		soon.data++
		if e.packet.CE {
			soon.marked++
		}
		later.duplicate += r.unit.Count.Duplicate - before.Duplicate
		later.lost += r.unit.Count.Lost - before.Lost
	case clearing:
		r.unit.Clear(e.conn, e.slot)
	case emptying:
		r.unit.Flush(e.conn)
		soon.flush++
	case scanning:
		due = r.unit.Scan(e.conn, e.now)
	case taking:
		if f, ok := r.unit.Take(e.conn); ok {
			r.fb, r.fbConn, r.fbAt = f, e.conn, t+3+uint64(len(f.Seen))
		} else {
			r.busy = false
		}
	}
	if !r.Bare {
		r.cover(e, &before, due)
	}
	if due {
		r.pushes[(t+push)%window] = int64(e.conn) + 1
	}
	if e.answer {
		a := answer{valid: true, legal: e.ack}
		if e.ack {
			s.ECNOr = e.or
			a.echo = r.unit.Ack(e.ackConn, e.ackPSN)
			if !r.Bare {
				r.coverAck(e, &a.echo)
			}
		}
		at := t - act + uint64(r.p.EchoLatency())
		r.answers[at%window] = a
		if c := &r.counts[(at+1)%window]; a.echo.Hit {
			c.hit++
		} else if e.ack {
			c.miss++
		}
	}
}

// advance is the end of a cycle for the queue of lists, the flush and the scan.
func (r *predictor) advance(in []uint64, e *event) {
	x, t := r.pins, r.Cycle
	room := len(r.due) < params.FIFO
	if r.fbAt != 0 && t >= r.fbAt && x.fbReady.On(in) {
		r.fbAt, r.busy = 0, false
		r.counts[(t+1)%window].feedback++
	}
	switch e.op {
	case taking:
		r.due, r.busy = append(r.due[:0], r.due[1:]...), true
	case scanning:
		if r.scanNext++; int64(r.scanNext) == r.p.Connections {
			r.scanNext = 0
		}
	}
	if c := r.pushes[t%window]; c != 0 {
		if r.pushes[t%window] = 0; room {
			r.due = append(r.due, uint32(c-1))
		}
		if !r.Bare {
			r.hit(ptFull, !room)
		}
	}
	switch {
	case !x.flush.On(in) || r.flushReady(in):
		r.flushed = 0
	case e.op == clearing:
		r.flushed++
	}
}

// show writes what earlier cycles caused, and what follows from this one's inputs.
func (r *predictor) show(in, want, care []uint64, now *event) {
	x, t := r.pins, r.Cycle
	n := &r.counts[t%window]
	for _, c := range []struct {
		pin *bench.Pin
		n   uint64
	}{{&x.nData, n.data}, {&x.nMarked, n.marked}, {&x.nHit, n.hit}, {&x.nMiss, n.miss}, {&x.nDuplicate, n.duplicate}, {&x.nFeedback, n.feedback},
		{&x.nLost, n.lost}, {&x.nFlush, n.flush}, {&x.nIllegal, n.illegal}, {&x.nEarly, n.early}} {
		if c.n > 0 {
			c.pin.Add(r.Want, c.n)
		}
	}
	copy(want, r.Want)
	copy(care, r.Care)
	if r.ready() {
		x.ready.Raise(want)
	}
	if r.flushReady(in) {
		x.flushed.Raise(want)
	}
	if t >= act && r.events[(t-act)%window].illegal > 0 {
		x.evtIllegal.Raise(want)
	}
	if a := &r.answers[t%window]; a.valid {
		a.valid = false
		x.echo.Raise(want)
		x.hit.Put(want, flag(a.echo.Hit))
		x.echoEV.Put(want, a.echo.EV)
		x.mark.Put(want, flag(a.echo.Mark))
		for _, pin := range []*bench.Pin{&x.hit, &x.echoEV, &x.mark} {
			pin.Put(care, ^uint64(0))
		}
		if r.p.ShimBits > 0 {
			x.fresh.Put(want, flag(a.echo.Fresh))
			x.fresh.Put(care, 1)
			for i := 0; a.echo.Fresh && i < int(r.p.ShimBits); i += 64 {
				bits := min(64, int(r.p.ShimBits)-i)
				x.echoBody.PutBits(want, i, bits, a.echo.Shim[i/64])
				x.echoBody.PutBits(care, i, bits, ^uint64(0)>>(64-bits))
			}
		}
	}
	if r.fbAt != 0 && t >= r.fbAt {
		r.showFeedback(want, care)
	}
}

// showFeedback writes a list that goes out.
func (r *predictor) showFeedback(want, care []uint64) {
	x, width := r.pins, int(r.p.EVBits)
	x.fb.Raise(want)
	x.fbConn.Put(want, uint64(r.fbConn))
	x.fbPSN.Put(want, r.fb.PSN)
	x.fbCount.Put(want, uint64(len(r.fb.Seen)))
	x.fbAgain.Put(want, flag(r.fb.Again))
	for _, pin := range []*bench.Pin{&x.fbConn, &x.fbPSN, &x.fbCount, &x.fbAgain} {
		pin.Put(care, ^uint64(0))
	}
	for i, s := range r.fb.Seen {
		at := int(r.p.List) - len(r.fb.Seen) + i
		x.fbEVs.PutBits(want, at*width, width, s.EV)
		x.fbEVs.PutBits(care, at*width, width, 1<<width-1)
		x.fbMarks.PutBits(want, at, 1, flag(s.CE))
		x.fbMarks.PutBits(care, at, 1, 1)
	}
}

// flag is 1 for true.
func flag(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// Explain implements cosim.Predictor.
func (r *predictor) Explain([]uint64) string {
	return fmt.Sprintf("cycle %d, ready %t; lists that wait %v, busy %t, feedback from cycle %d on; %d steps of a flush; scan at %d",
		r.Cycle, r.ready(), r.due, r.busy, r.fbAt, r.flushed, r.scanNext)
}
