// SPDX-License-Identifier: Apache-2.0

package nicpace

import (
	"fmt"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/nic_pace"
	"github.com/nicgen/nicgen/gen/sv"
	model "github.com/nicgen/nicgen/model/nic_pace"
	"github.com/nicgen/nicgen/tb/bench"
)

// Cycles from the lane's choice to what follows.
const (
	toQueue   = 8  // a connection is in the queue of turns
	toList    = 10 // the list of a slot is there
	toFlush   = 4  // a flush's outcome is known
	toEvent   = 4  // evt_illegal
	toCount   = 5  // its counter, those of PUSH and DONE
	toBeyond  = 8  // that of departure times beyond the wheel
	toKeep    = 6  // what the scan gave is there
	rateEvent = 3  // from RATE to evt_illegal
	window    = 16 // cycles that are remembered, more than any of these
)

// What the lane does in a cycle.
const (
	opNone = iota
	opDone
	opFlush
	opScan
	opTake
	opLook
	opPush
)

// counts are increments that show in a cycle.
type counts struct{ push, done, due, rate, beyond, late, flush, illegal, early uint64 }

// write is a stage of the lane, as PUSH and the scan see it.
type write struct {
	on  bool // DONE, FLUSH, or the sweep
	idx uint32
}

// predictor is the golden model behind the unit's ports.
type predictor struct {
	bench.Golden
	p    *params.Params
	pins *pins
	unit *model.Pacer

	resetAt uint64 // the cycle of the last reset
	rst     bool   // in the cycle before
	mask    uint32 // of a connection's bits within the unit

	counts  [window]counts
	illegal [window]bool
	queued  [window]int64 // connection + 1 that is in the queue of turns from then on

	// turns
	turns []uint32
	shown bool
	at    uint32 // the one that is shown
	hold  bool

	// connections that want a turn
	pushes  []uint32
	pushOK  bool
	writes  [4]write // p0 to p3
	scanMet [5]bool  // p0 to p4
	scanAt  uint32
	keepAt  uint64 // the cycle from which what the scan gave is there; 0: nothing
	keep    uint64
	kept    uint32 // the connection
	yield   uint32
	op      int // of this cycle
	opPlace model.Place
	left    int64 // the connection whose turn begins in this cycle, + 1

	// slots
	nows                 [2]uint64 // one and two cycles ago
	behind               uint64
	takeDue              bool
	taking               bool
	listAt               uint64 // the cycle from which the list is there
	coming, list, walk   []uint32
	walking, step        bool
	flushBusy, clearing  bool
	flushReady, flushOK  bool
	flushAt              uint64 // the cycle from which its outcome is known; 0: none
	flushDone, flushGood bool
}

func newPredictor(p *params.Params, l *cosim.Layout, bare bool) (cosim.Predictor, error) {
	return newPrediction(p, l, bare)
}

// newPrediction is newPredictor for the stimulus, which looks at more than the ports.
func newPrediction(p *params.Params, l *cosim.Layout, bare bool) (*predictor, error) {
	x, err := newPins(l)
	if err != nil {
		return nil, err
	}
	r := &predictor{Golden: bench.NewGolden(l, len(points(p)), bare), p: p, pins: x, unit: model.New(p),
		mask: 1<<max(1, sv.CLog2(p.Connections)) - 1}
	r.Always(x.ready, x.pushReady, x.due, x.flushReady, x.evtIllegal, x.nPush, x.nDone, x.nDue, x.nRate, x.nBeyond, x.nLate, x.nFlush,
		x.nIllegal, x.nEarly)
	return r, nil
}

// readyAt is the first cycle in which events are taken.
func (r *predictor) readyAt() uint64 { return r.resetAt + 2 + uint64(r.p.Sweep()) }

// ready reports whether events are taken.
func (r *predictor) ready() bool { return !r.rst && r.Cycle >= r.readyAt() }

// Step implements cosim.Predictor.
func (r *predictor) Step(in, want, care []uint64) {
	x, t := r.pins, r.Cycle
	ready := r.ready()
	if r.Known {
		r.show(want, care)
	}
	r.counts[t%window], r.illegal[t%window] = counts{}, false
	switch {
	case r.rst:
		r.clear()
	case r.Known:
		r.process(in, ready)
	}
	if r.Known && !ready {
		early := &r.counts[(t+2)%window].early
		*early += one(x.done.On(in)) + one(x.rate.On(in))
		if !r.Bare {
			r.hit(ptEarly, *early > 0)
		}
	}
	if r.Known && !r.rst && t < r.readyAt() {
		if c := uint32(r.readyAt()-1-t) & r.mask; r.unit.Legal(c) {
			r.unit.Clear(c, x.now.Get(in))
		}
		if t+1 == r.readyAt() {
			r.unit.Reset(x.now.Get(in))
		}
	}
	r.nows[1], r.nows[0] = r.nows[0], x.now.Get(in)
	r.rst = x.rst.On(in)
	if r.rst {
		r.resetAt = t
	}
	r.Cycle++
}

// clear is a cycle with the registered reset: all that came before it is gone.
func (r *predictor) clear() {
	if r.Known && !r.Bare {
		r.coverReset()
	}
	r.Known = true
	r.counts, r.illegal, r.queued = [window]counts{}, [window]bool{}, [window]int64{}
	clear(r.Want)
	r.turns, r.shown, r.hold = r.turns[:0], false, false
	r.pushes, r.pushOK, r.yield, r.scanAt = r.pushes[:0], false, 0, 0
	r.writes, r.scanMet, r.keepAt = [4]write{}, [5]bool{}, 0
	r.taking, r.takeDue, r.behind, r.listAt = false, false, 0, 0
	r.coming, r.list, r.walk, r.walking, r.step = nil, nil, nil, false, false
	r.flushBusy, r.clearing, r.flushReady, r.flushOK, r.flushAt = false, false, false, false, 0
}

// process is a cycle.
func (r *predictor) process(in []uint64, ready bool) {
	x, t := r.pins, r.Cycle
	now := x.now.Get(in)

	// A connection that has its turn is outside for the events of this cycle.
	if c := &r.queued[t%window]; *c != 0 {
		r.turns = append(r.turns, uint32(*c-1))
		*c = 0
	}
	held := r.hold
	r.hold = len(r.pushes) >= params.Hold
	free := !r.shown || x.dueReady.On(in)
	if r.left = 0; r.shown && free {
		r.left = int64(r.at) + 1
		r.unit.Leave(r.at)
		r.counts[(t+2)%window].due++
		r.Accepted++
	}
	if !r.Bare {
		r.hit(ptStall, r.shown && !free)
		r.hit(ptHold, free && held && len(r.turns) > 0)
	}
	if free {
		if r.shown = !held && len(r.turns) > 0; r.shown {
			r.at = r.turns[0]
			r.turns = append(r.turns[:0], r.turns[1:]...)
		}
	}

	enters := write{on: !ready, idx: uint32(max(0, int64(r.readyAt())-1-int64(t))) & r.mask}
	met := false
	scanned := r.scanAt
	looked := false
	r.op, r.opPlace = opNone, model.Nowhere
	if ready {
		r.choose(in)
		met, looked = r.act(in, now, &enters)
	}
	r.rates(in, ready)
	r.advance(now, looked)

	// What PUSH waits for.
	ok := false
	if len(r.pushes) > 0 && r.op != opPush {
		head := r.pushes[0] & r.mask
		ok = !(enters.on && r.op != opNone && enters.idx == head)
		for _, w := range r.writes {
			ok = ok && !(w.on && w.idx == head)
		}
		if !r.Bare {
			r.hit(ptWaits, !ok && ready)
		}
	}
	r.pushOK = ok
	if r.op == opPush {
		r.pushes = append(r.pushes[:0], r.pushes[1:]...)
	}
	if ready && x.push.On(in) && r.room() {
		r.pushes = append(r.pushes, uint32(x.pushConn.Get(in)))
	}
	copy(r.writes[1:], r.writes[:3])
	r.writes[0] = enters
	copy(r.scanMet[1:], r.scanMet[:4])
	r.scanMet[0] = met && enters.idx == scanned
	if !r.Bare {
		r.cover(in)
	}
}

// room reports whether the queue of PUSH has room: one that leaves it in a cycle makes room in the next.
func (r *predictor) room() bool {
	n := len(r.pushes)
	if r.op == opPush { // it has left already
		n++
	}
	return n < params.FIFO
}

// choose is what the lane does.
func (r *predictor) choose(in []uint64) {
	x := r.pins
	yields := r.yield&63 == 63
	switch {
	case x.done.On(in):
		r.op = opDone
	case yields && r.yield&64 != 0 && r.flushWanted(in):
		r.op = opFlush
	case yields:
		r.op = opScan
	case r.takeDue && !r.taking && len(r.list) == 0:
		r.op = opTake
	case r.walking && !r.step:
		r.op = opLook
	case r.pushOK:
		r.op = opPush
	}
	if r.op != opDone || !yields {
		r.yield = (r.yield + 1) & 127
	}
}

// flushWanted reports whether there is a request that is not in the lane.
func (r *predictor) flushWanted(in []uint64) bool {
	return r.pins.flush.On(in) && !r.flushReady && !r.flushBusy
}

// act does what the lane chose. met: a connection's departure time is written.
func (r *predictor) act(in []uint64, now uint64, enters *write) (met, looked bool) {
	x, t := r.pins, r.Cycle
	r.unit.Allowance = x.allowance.Get(in)
	if r.keepAt == t && t != 0 {
		r.unit.Keep(r.kept, r.keep)
		r.keepAt = 0
	}
	before, turn := r.unit.Count, r.unit.Turn()
	conn := r.conn(in)
	if !r.Bare {
		r.coverOp(in, conn)
	}
	switch r.op {
	case opDone:
		*enters, met = write{true, conn & r.mask}, true
		var legal bool
		if r.opPlace, legal = r.unit.Done(conn, x.bytes.Get(in), x.again.On(in), now); legal {
			r.Accepted++
			r.void(conn)
		}
	case opFlush:
		*enters, met = write{true, conn & r.mask}, true
		if r.flushDone, r.flushGood = r.unit.Flush(conn, now); r.flushDone && r.flushGood {
			r.void(conn)
		}
		r.flushAt, r.flushBusy = t+toFlush, true
	case opScan:
		if !r.scanMet[0] && !r.scanMet[1] && !r.scanMet[2] && !r.scanMet[3] && !r.scanMet[4] {
			r.keep, r.kept, r.keepAt = r.unit.Scan(r.scanAt, now), r.scanAt, t+toKeep
		} else if !r.Bare {
			r.hit(ptSkipped, true)
		}
		if r.scanAt++; int64(r.scanAt) == r.p.Connections {
			r.scanAt = 0
		}
	case opTake:
		r.coming = append([]uint32(nil), r.unit.Take(r.nows[1])...)
		r.taking, r.listAt = true, t+toList
		r.counts[(t+2)%window].late += r.unit.Count.Late - before.Late
	case opLook:
		r.opPlace, looked = r.unit.Look(conn, now), true
	case opPush:
		r.opPlace = r.unit.Push(conn, now)
	}
	n := &r.counts[(t+toCount)%window]
	n.push += r.unit.Count.Push - before.Push
	n.done += r.unit.Count.Done - before.Done
	if r.unit.Count.Illegal > before.Illegal {
		r.illegal[(t+toEvent)%window] = true
		n.illegal++
	}
	r.counts[(t+toBeyond)%window].beyond += r.unit.Count.Beyond - before.Beyond
	if r.opPlace == model.Due {
		r.queued[(t+toQueue)%window] = int64(conn) + 1
	}
	if !r.Bare {
		r.coverDone(&before, turn)
	}
	return met, looked
}

// void is that connection c has another departure time than what the scan gave.
func (r *predictor) void(c uint32) {
	if r.kept == c {
		r.keepAt = 0
	}
}

// conn is the connection that the lane is about.
func (r *predictor) conn(in []uint64) uint32 {
	switch r.op {
	case opDone:
		return uint32(r.pins.doneConn.Get(in))
	case opFlush:
		return uint32(r.pins.flushConn.Get(in))
	case opLook:
		return r.walk[0]
	case opPush:
		return r.pushes[0]
	}
	return r.scanAt
}

// rates are RATE, and the end of a flush.
func (r *predictor) rates(in []uint64, ready bool) {
	x, t := r.pins, r.Cycle
	r.flushReady, r.flushOK = false, false
	if r.flushAt != 0 && r.flushAt == t+1 {
		switch {
		case r.flushDone && r.flushGood:
			r.clearing = true
		case r.flushDone:
			r.flushReady = true
			fallthrough
		default:
			r.flushBusy = false
		}
		r.flushAt = 0
	} else if r.clearing && !x.rate.On(in) {
		r.unit.Flushed(uint32(x.flushConn.Get(in)) & r.mask)
		r.clearing, r.flushBusy, r.flushReady, r.flushOK = false, false, true, true
		r.counts[(t+2)%window].flush++
	}
	if !x.rate.On(in) || !ready {
		return
	}
	if r.unit.Rate(uint32(x.rateConn.Get(in)), x.inv.Get(in)) {
		r.counts[(t+3)%window].rate++
		r.Accepted++
		return
	}
	r.illegal[(t+rateEvent)%window] = true
	r.counts[(t+rateEvent+1)%window].illegal++
}

// advance is the end of a cycle for slots that are due, and their lists.
func (r *predictor) advance(now uint64, looked bool) {
	t := r.Cycle
	walking := r.walking
	r.step = false
	if looked {
		r.walk = r.walk[1:]
		r.walking = len(r.walk) > 0
		r.step = r.walking
	}
	if !walking && len(r.list) > 0 {
		r.walk, r.walking, r.list = r.list, true, nil
	}
	if r.taking && r.listAt == t+1 {
		r.list, r.coming, r.taking = r.coming, nil, false
	}
	r.takeDue = r.behind != 0
	r.behind = 0
	if r.ready() {
		r.behind = r.unit.Behind(now)
	} else {
		r.takeDue = false
	}
}

// show writes what earlier cycles caused.
func (r *predictor) show(want, care []uint64) {
	x, t := r.pins, r.Cycle
	n := &r.counts[t%window]
	for _, c := range []struct {
		pin *bench.Pin
		n   uint64
	}{{&x.nPush, n.push}, {&x.nDone, n.done}, {&x.nDue, n.due}, {&x.nRate, n.rate}, {&x.nBeyond, n.beyond}, {&x.nLate, n.late},
		{&x.nFlush, n.flush}, {&x.nIllegal, n.illegal}, {&x.nEarly, n.early}} {
		if c.n > 0 {
			c.pin.Add(r.Want, c.n)
		}
	}
	copy(want, r.Want)
	copy(care, r.Care)
	if r.ready() {
		x.ready.Raise(want)
		if len(r.pushes) < params.FIFO {
			x.pushReady.Raise(want)
		}
	}
	if r.flushReady {
		x.flushReady.Raise(want)
	}
	if r.illegal[t%window] {
		x.evtIllegal.Raise(want)
	}
	if r.shown {
		x.due.Raise(want)
		x.dueConn.Put(want, uint64(r.at))
		x.dueConn.Put(care, ^uint64(0))
	}
}

// one is 1 for true.
func one(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// Explain implements cosim.Predictor.
func (r *predictor) Explain([]uint64) string {
	return fmt.Sprintf("cycle %d, ready %t; %d want a turn, %d have theirs next, turn %d shown %t; walking %v, list %v, taking %t; flush busy %t, clearing %t; scan at %d",
		r.Cycle, r.ready(), len(r.pushes), len(r.turns), r.at, r.shown, r.walk, r.list, r.taking, r.flushBusy, r.clearing, r.scanAt)
}
