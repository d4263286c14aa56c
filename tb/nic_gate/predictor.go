// SPDX-License-Identifier: Apache-2.0

package nicgate

import (
	"fmt"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/nic_gate"
	"github.com/nicgen/nicgen/gen/sv"
	model "github.com/nicgen/nicgen/model/nic_gate"
	"github.com/nicgen/nicgen/tb/bench"
)

// past is the number of cycles that are remembered, more than any latency.
const past = 128

// What the lane of turns does in a cycle.
const (
	opNone = iota
	opDue
	opFlush
	opLook
	opScan
)

// What can be cleared of a connection in a cycle.
const (
	clearWindow = 1 << iota
	clearAcked
	clearSent
	clearStored
	clearAll = clearWindow | clearAcked | clearSent | clearStored
)

// tag is what goes with an ACK.
type tag [4]uint64

// events are what came in a cycle, with the views that are taken for it later.
type events struct {
	enter, counts      bool
	enterConn          uint32
	psn                uint64
	stored             model.Stored
	storedOK           bool
	nxt                uint64 // bytes released, as the ENTER sees them
	release, relCounts bool
	relConn            uint32
	relPSN, relBytes   uint64
	in, una            uint64 // packets stored and bytes acknowledged, as the RELEASE sees them
	entry              model.Entry
	done, discard, end bool
	doneConn           uint32
	wire, gone         uint64 // gone: packets that left, as the DONE sees them
	ack, nak           bool
	ackConn            uint32
	ackPSN             uint64
	tag                tag
	found              model.Entry
	sent               model.Sent
	restart            model.Restart
	moved, first       bool // first: since a restart
	window             bool
	windowConn         uint32
	windowBytes        uint64
	clear              int
	clearConn          uint32
	initWindow         uint64
	op                 int
	opConn             uint32
	flight             model.Flight
	ev, now, quantum   uint64
	goBackN, force     bool
}

// outputs are what shows in a cycle.
type outputs struct {
	illegal                            bool
	nAck, nOld, nStray, nAgain, nTimer uint64
	nShut, nStall, nDropped, nFlush    uint64
	nIllegal, nEarly                   uint64
	timeout, send, idle, over, again   bool
	timeoutConn, sendConn, overConn    uint32
	overBytes                          uint64
	sample, legal                      bool
	sampleConn                         uint32
	tag                                tag
	told                               model.Sample
}

// pop is a pop on its way to the queues.
type pop struct {
	conn    uint32
	budget  uint64
	discard bool
}

// predictor is the golden model behind the unit's ports.
type predictor struct {
	bench.Golden
	p    *params.Params
	pins *pins
	unit *model.Gate

	resetAt uint64 // the cycle of the last reset
	rst     bool   // in the cycle before
	mask    uint32 // of a connection's bits within the unit
	lat     uint64 // the ring's
	toRing  uint64

	came  [past]events
	shows [past]outputs

	// turns
	places             int
	yield              uint32
	scanAt             uint32
	ackLooks, winLooks []uint32
	pops               []pop
	popping            []pop     // decided on in this cycle
	nows               [2]uint64 // the time and stall_ns a cycle ago
	begin, age         uint64
	over, over2        bool

	// to the pacer
	opens, firsts []uint32
	openCount     int
	room          bool
	shown         bool
	pushValid     bool
	pushAt        uint32
	pushLast      bool // the last one was found open

	flush flush
}

// The states of a flush.
const (
	flRest = iota
	flWant
	flAsked
	flVisit
	flClear
	flEnd
	flEnded
)

// flush is the unit's flush.
type flush struct {
	state           int
	ready           bool
	mine, quiet     bool
	left            int64
	last            bool
	clear           int
	taken           bool // of this cycle, as the rest
	wrong, pops     bool
	forces          bool // its turn is not waited for
	idle, moves     bool
	stored          bool
	discarded       bool
	endTaken, ended bool
	entered         bool // a packet of its connection is stored
	forced          bool // the setting, a cycle before
	anew            bool // it begins again
	slot            bool // an entry is cleared
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
		mask: 1<<max(1, sv.CLog2(p.Connections)) - 1, lat: uint64(p.RingLatency), toRing: uint64(p.ToRing())}
	r.Always(x.ready, x.timeout, x.push, x.dueReady, x.pop, x.send, x.over, x.sample, x.flushReady, x.evtIllegal, x.nAck, x.nOld, x.nStray,
		x.nRetransmit, x.nTimeout, x.nShut, x.nStall, x.nDropped, x.nFlush, x.nIllegal, x.nEarly)
	return r, nil
}

// readyAt is the first cycle in which events are taken.
func (r *predictor) readyAt() uint64 { return r.resetAt + 2 + uint64(r.p.Sweep()) }

// ready reports whether events are taken.
func (r *predictor) ready() bool { return !r.rst && r.Cycle >= r.readyAt() }

// back is what came some cycles ago.
func (r *predictor) back(cycles uint64) *events { return &r.came[(r.Cycle-cycles)%past] }

// later is what shows some cycles from now.
func (r *predictor) later(cycles uint64) *outputs { return &r.shows[(r.Cycle+cycles)%past] }

// dueReady reports whether a turn is taken.
func (r *predictor) dueReady() bool { return r.ready() && r.places > 0 && r.yield&63 != 63 }

// Step implements cosim.Predictor.
func (r *predictor) Step(in, want, care []uint64) {
	x, t := r.pins, r.Cycle
	ready := r.ready()
	if r.Known {
		r.show(want, care)
	}
	*r.later(0) = outputs{}
	r.take(in, ready)
	switch {
	case r.rst:
		r.clear()
	case r.Known:
		r.process(in, ready)
	}
	if r.Known && !ready {
		early := &r.later(2).nEarly
		for _, valid := range []*bench.Pin{&x.enter, &x.release, &x.done, &x.ack, &x.window} {
			if valid.On(in) {
				*early++
			}
		}
		if !r.Bare {
			r.hit(ptEarly, *early > 0)
		}
	}
	r.nows = [2]uint64{x.now.Get(in), x.stall.Get(in)}
	r.rst = x.rst.On(in)
	if r.rst {
		r.resetAt = t
	}
	r.Cycle++
}

// take remembers what comes in this cycle.
func (r *predictor) take(in []uint64, ready bool) {
	x := r.pins
	e := r.back(0)
	*e = events{psn: x.enterPSN.Get(in), ev: x.ev.Get(in), now: x.now.Get(in), quantum: x.quantum.Get(in), goBackN: x.goBackN.On(in), force: x.force.On(in), initWindow: x.initWindow.Get(in)}
	if !ready {
		return
	}
	if x.enter.On(in) {
		e.enter, e.counts, e.enterConn = true, x.enterCounts.On(in), uint32(x.enterConn.Get(in))
	}
	if x.release.On(in) {
		e.release, e.relCounts, e.relConn, e.relPSN, e.relBytes = true, x.counts.On(in), uint32(x.relConn.Get(in)), x.relPSN.Get(in), x.bytes.Get(in)
	}
	if x.done.On(in) {
		e.done, e.discard, e.doneConn, e.wire = true, x.discarded.On(in), uint32(x.doneConn.Get(in)), x.wire.Get(in)
	}
	if x.ack.On(in) {
		e.ack, e.nak, e.ackConn = true, x.nak.On(in), uint32(x.ackConn.Get(in))
		e.ackPSN = r.unit.Named(x.ackPSN.Get(in), e.nak)
		r.getTag(in, &e.tag)
	}
	if x.window.On(in) {
		e.window, e.windowConn, e.windowBytes = true, uint32(x.windowConn.Get(in)), x.windowBytes.Get(in)
	}
}

// getTag reads a tag of up to 256 bits.
func (r *predictor) getTag(in []uint64, to *tag) {
	for i := 0; i < int(r.p.TagBits); i += 64 {
		to[i/64] = r.pins.tag.Bits(in, i, min(64, int(r.p.TagBits)-i))
	}
}

// putTag writes it.
func (r *predictor) putTag(out []uint64, from *tag, all bool) {
	for i := 0; i < int(r.p.TagBits); i += 64 {
		word := ^uint64(0)
		if !all {
			word = from[i/64]
		}
		r.pins.sampleTag.PutBits(out, i, min(64, int(r.p.TagBits)-i), word)
	}
}

// clear is a cycle with the registered reset: all that came before it is gone.
func (r *predictor) clear() {
	if r.Known && !r.Bare {
		r.coverReset()
	}
	r.Known = true
	now := *r.back(0)
	r.came, r.shows = [past]events{}, [past]outputs{}
	*r.back(0) = events{now: now.now, ev: now.ev, quantum: now.quantum, goBackN: now.goBackN, force: now.force, initWindow: now.initWindow}
	clear(r.Want)
	r.unit.Settings.InitWindow = now.initWindow
	r.unit.Reset()
	r.places, r.yield, r.scanAt = params.Pops, 0, 0
	r.ackLooks, r.winLooks, r.pops, r.popping = nil, nil, nil, nil
	r.begin, r.age, r.over, r.over2 = 0, 0, false, false
	r.opens, r.firsts, r.openCount, r.room, r.shown, r.pushValid, r.pushLast = nil, nil, 0, false, false, false, false
	r.flush = flush{forced: now.force}
}

// process is a cycle. Views come first: they have what was written before it.
func (r *predictor) process(in []uint64, ready bool) {
	x := r.pins
	e := r.back(0)
	f := &r.flush
	*f = flush{state: f.state, ready: f.ready, mine: f.mine, quiet: f.quiet, left: f.left, last: f.last, clear: f.clear, forced: f.forced}
	if !ready {
		e.clear, e.clearConn = clearWindow, uint32(int64(r.readyAt()-1-r.Cycle)/r.p.Ring)
	}
	if f.clear != 0 {
		for i, valid := range []*bench.Pin{&x.window, &x.ack, &x.release, &x.enter} {
			if bit := 1 << i; f.clear&bit != 0 && !valid.On(in) {
				e.clear |= bit
				e.clearConn = uint32(x.flushConn.Get(in)) & r.mask
			}
		}
	}
	if f.state == flEnd && !x.done.On(in) {
		e.end, f.endTaken, e.doneConn = true, true, uint32(x.flushConn.Get(in))&r.mask
	}
	r.choose(in, ready)
	r.views()

	r.look()
	open := r.turn(in)
	first := r.stored(in)
	r.visit(in)
	r.released()
	r.acked()
	r.windows()
	r.ring(in)
	r.pushes(in, first, open)
	r.time(in, ready)
	r.flushes(in, ready)
	if !r.Bare {
		r.cover(in)
	}
}

// views are what others know of connections.
func (r *predictor) views() {
	if e := r.back(1); (e.release || e.clear&clearSent != 0) && r.unit.Legal(r.relOf(e)) {
		s, _ := r.unit.State(r.relOf(e))
		e.in, e.una = s.In, r.unit.Una(r.relOf(e))
	}
	if e := r.back(2); e.enter || e.clear&clearStored != 0 {
		c := e.clearConn
		if e.enter {
			c = e.enterConn
		}
		s, _ := r.unit.State(c)
		e.nxt = s.Sent.Nxt
	}
	if e := r.back(1 + r.lat); e.ack && r.unit.Legal(e.ackConn) {
		s, _ := r.unit.State(e.ackConn)
		e.sent, e.restart = s.Sent, s.Restart
	}
	if e := r.back(3 + r.lat); e.ack && r.unit.Legal(e.ackConn) {
		s, _ := r.unit.State(e.ackConn)
		e.sent.Nxt = s.Sent.Nxt
	}
	if e := r.back(4); e.done && r.unit.Legal(e.doneConn) {
		e.gone = r.unit.Gone(e.doneConn)
	}
	if e := r.back(0); e.op != opNone && r.unit.Legal(e.opConn) {
		e.flight = r.unit.Flight(e.opConn)
	}
}

// relOf is the connection that the lane of packets that leave is about.
func (r *predictor) relOf(e *events) uint32 {
	if e.release {
		return e.relConn
	}
	return e.clearConn
}

// choose is what the lane of turns does.
func (r *predictor) choose(in []uint64, ready bool) {
	x, e := r.pins, r.back(0)
	if !ready {
		return
	}
	yields := r.yield&63 == 63
	switch {
	case x.due.On(in) && r.dueReady():
		e.op, e.opConn = opDue, uint32(x.dueConn.Get(in))
	case yields && r.places > 0 && r.flush.state == flWant:
		e.op, e.opConn = opFlush, uint32(x.flushConn.Get(in))
		r.flush.taken = true
	case !r.room:
	case !yields && len(r.winLooks) > 0:
		e.op, e.opConn = opLook, r.winLooks[0]
	case !yields && len(r.ackLooks) > 0:
		e.op, e.opConn = opLook, r.ackLooks[0]
	default:
		e.op, e.opConn = opScan, r.scanAt
		if r.scanAt++; int64(r.scanAt) == r.p.Connections {
			r.scanAt = 0
		}
	}
	r.yield++
}

// look wants looks at connections that wait: after an ACK that moved, and a window.
func (r *predictor) look() {
	add := func(to *[]uint32, from bool, took bool, c uint32) {
		full := len(*to) == params.Looks
		if took {
			*to = (*to)[1:]
		}
		switch {
		case !from || !r.unit.Waiting(c):
		case full:
			r.later(2).nDropped++
		default:
			*to = append(*to, c)
		}
	}
	now := r.back(0)
	win := now.op == opLook && len(r.winLooks) > 0
	ack := r.back(8 + r.lat)
	add(&r.ackLooks, ack.moved, now.op == opLook && !win, ack.ackConn)
	w := r.back(5)
	add(&r.winLooks, w.window && r.unit.Legal(w.windowConn), win, w.windowConn)
}

// turn is what comes of a choice: the connection that was found open, + 1.
func (r *predictor) turn(in []uint64) (open int64) {
	x, e, f := r.pins, r.back(2), &r.flush
	r.unit.Settings.Quantum = r.back(1).quantum
	leaves := len(r.pops) > 0 && x.popReady.On(in)
	gone := false // the place is not needed
	before := r.unit.Count
	if leaves {
		r.pops = r.pops[1:]
	}
	r.pops = append(r.pops, r.popping...)
	r.popping = r.popping[:0]
	switch e.op {
	case opDue:
		if ok, budget := r.unit.Due(e.opConn, e.flight); ok {
			r.popping = append(r.popping, pop{e.opConn, budget, false})
			r.Accepted++
		} else {
			gone = true
		}
	case opFlush:
		s, exists := r.unit.State(e.opConn)
		switch {
		case !exists:
			f.wrong, gone = true, true
			r.unit.Count.Illegal++
		case s.Waiting || f.mine || f.forced:
			f.pops, f.forces = true, s.Active && !s.Waiting && !f.mine
			r.popping = append(r.popping, pop{conn: e.opConn, discard: true})
			r.unit.Discard(e.opConn)
		case s.Active:
			f.moves, gone = true, true
		default:
			f.idle, gone = true, true
		}
	case opLook:
		if r.unit.Look(e.opConn, e.flight) {
			open = int64(e.opConn) + 1
		}
	case opScan:
		if r.unit.Scan(e.opConn, e.flight) {
			open = int64(e.opConn) + 1
		}
	}
	if !r.Bare {
		r.coverTurn(e, &before, open > 0)
	}
	if leaves {
		r.places++
	}
	if gone {
		r.places++
	}
	if now := r.back(0); now.op == opDue || now.op == opFlush {
		r.places--
	}
	count := &r.unit.Count
	r.later(2).nShut += count.Shut - before.Shut
	r.later(2).nStall += count.Stall - before.Stall
	r.illegal(before.Illegal, 2)
	return open
}

// illegal shows illegal events some cycles from now, if there are more than before.
func (r *predictor) illegal(before, cycles uint64) {
	if n := r.unit.Count.Illegal - before; n > 0 {
		r.later(cycles).illegal = true
		r.later(cycles + 1).nIllegal += n
	}
}

// stored are packets in queues: the connection that was outside, + 1.
func (r *predictor) stored(in []uint64) (first int64) {
	x, f := r.pins, &r.flush
	if e := r.back(1); e.enter && !r.unit.Legal(e.enterConn) {
		r.later(2).illegal = true
		r.later(3).nIllegal++
	}
	e := r.back(3)
	if e.enter && r.unit.Legal(e.enterConn) {
		r.unit.Settings.GoBackN = e.goBackN
		e.stored, e.storedOK = r.unit.Enter(e.enterConn, e.psn, e.counts)
		r.Accepted++
		if e.stored.Push {
			first = int64(e.enterConn) + 1
		}
		f.entered = e.enterConn&r.mask == uint32(x.flushConn.Get(in))&r.mask
	}
	if e.clear&clearStored != 0 {
		r.unit.ClearStored(e.clearConn)
	}
	if e := r.back(4); e.clear&clearStored != 0 {
		r.unit.Again(e.clearConn, e.psn, model.Stored{Restart: true}, e.nxt)
	} else if e.storedOK {
		timeout := r.unit.Again(e.enterConn, e.psn, e.stored, e.nxt)
		if e.stored.Again {
			r.later(2).nAgain++
		}
		if timeout {
			r.later(3).nTimer++
			o := r.later(1)
			o.timeout, o.timeoutConn = true, e.enterConn
		}
	}
	return first
}

// visit is the end of a visit, or of a flush.
func (r *predictor) visit(in []uint64) {
	x, f := r.pins, &r.flush
	e := r.back(5)
	before := r.unit.Count.Illegal
	wanted := uint32(x.flushConn.Get(in)) & r.mask
	newer := r.back(3)
	switch {
	case e.end:
		f.ended, f.stored = true, newer.storedOK && newer.enterConn == e.doneConn
		if f.quiet && !f.stored {
			r.unit.End(e.doneConn)
		}
	case e.done && e.discard:
		if r.unit.Legal(e.doneConn) && f.state == flVisit && e.doneConn == wanted {
			f.discarded = true
		} else {
			r.unit.Count.Illegal++
		}
	case e.done:
		if again, ok := r.unit.Done(e.doneConn, e.gone); ok {
			o := r.later(1)
			o.over, o.overConn, o.again, o.overBytes = true, e.doneConn, again, min(e.wire, 1<<params.DoneBits-1)
			r.Accepted++
		}
	}
	r.illegal(before, 2)
}

// released are packets that leave.
func (r *predictor) released() {
	e := r.back(3)
	before := r.unit.Count.Illegal
	if e.release {
		r.unit.Settings.GoBackN = e.goBackN
		entry, idle, ok := r.unit.Release(e.relConn, model.Packet{PSN: e.relPSN, Bytes: e.relBytes, Counts: e.relCounts}, e.in, e.una)
		if ok {
			e.entry = entry
			o := r.later(1)
			o.send, o.sendConn, o.idle = true, e.relConn, idle
			r.Accepted++
		}
	}
	if e.clear&clearSent != 0 {
		r.unit.ClearSent(e.clearConn, r.flush.mine, e.in)
	}
	r.illegal(before, 2)
}

// acked are ACKs and NAKs.
func (r *predictor) acked() {
	if e := r.back(1); e.ack && !r.unit.Legal(e.ackConn) {
		r.later(2).illegal = true
		r.later(3).nIllegal++
	}
	e := r.back(4 + r.lat)
	if e.clear&clearAcked != 0 {
		r.unit.ClearNaked(e.clearConn)
	}
	if !e.ack {
		return
	}
	o := r.later(2)
	o.sample, o.sampleConn, o.tag = true, e.ackConn, e.tag
	if o.legal = r.unit.Legal(e.ackConn); !o.legal {
		return
	}
	before := r.unit.Count
	r.unit.Settings.GoBackN = r.back(2).goBackN
	e.first = r.unit.Pending(e.ackConn, e.restart)
	o.told = r.unit.Ack(e.ackConn, e.ackPSN, e.nak, e.found, e.sent, e.restart, r.back(2).now)
	e.moved = o.told.Moved
	r.Accepted++
	n, now := r.later(3), &r.unit.Count
	n.nAck += now.Ack - before.Ack
	n.nOld += now.Old - before.Old
	n.nStray += now.Stray - before.Stray
}

// windows are new windows.
func (r *predictor) windows() {
	e := r.back(1)
	if e.window {
		if r.unit.Legal(e.windowConn) {
			r.unit.SetWindow(e.windowConn, e.windowBytes)
			r.Accepted++
		} else {
			r.later(2).illegal = true
			r.later(3).nIllegal++
		}
	}
	if e.clear&clearWindow != 0 {
		r.unit.Settings.InitWindow = r.back(2).initWindow
		r.unit.ClearWindow(e.clearConn)
	}
}

// ring is what is found in it for an ACK, and then what is written.
func (r *predictor) ring(in []uint64) {
	f := &r.flush
	e, w := r.back(2), r.back(r.toRing)
	find := e.ack && r.unit.Legal(e.ackConn)
	if find {
		e.found = r.unit.Find(e.ackConn, e.ackPSN)
	}
	slot := r.unit.Slot(e.ackPSN)
	if w.entry.Valid {
		r.unit.Put(w.relConn, w.relPSN, w.entry, r.back(r.toRing-uint64(r.p.EVLatency)).ev, r.back(1).now)
		if find && w.relConn == e.ackConn && r.unit.Slot(w.relPSN) == slot {
			if !r.Bare {
				r.hit(ptSameSlot, e.found.Valid)
			}
			e.found.Valid = false
		}
	} else if f.state == flClear && f.left < r.p.Ring && !f.last {
		c := uint32(r.pins.flushConn.Get(in)) & r.mask
		f.slot = true
		if r.unit.Legal(c) { // in the cycle of a reset another one may be offered already
			r.unit.ClearSlot(c, uint64(f.left))
		}
		if find && c == e.ackConn && uint64(f.left) == slot {
			e.found.Valid = false
		}
	}
}

// pushes are connections on their way to the pacer.
func (r *predictor) pushes(in []uint64, first, open int64) {
	free := !r.pushValid || r.pins.pushReady.On(in)
	hasOpen := len(r.opens) > 0
	openReady := free && hasOpen && !(r.shown && r.pushLast)
	firstReady := free && r.shown && !openReady
	straight := free && !hasOpen && len(r.firsts) == 0
	left := len(r.firsts)
	if !r.Bare {
		r.hit(ptPushBoth, free && hasOpen && r.shown)
		r.hit(ptPushWaits, first > 0 && !straight)
		r.hit(ptPushStraight, first > 0 && straight)
	}
	if free {
		r.pushValid = true
		switch {
		case openReady:
			r.pushAt = r.opens[0]
			r.opens = r.opens[1:]
		case firstReady:
			r.pushAt = r.firsts[0]
			r.firsts = r.firsts[1:]
			left--
		case straight && first > 0:
			r.pushAt = uint32(first - 1)
		default:
			r.pushValid = false
		}
		r.pushLast = openReady
	}
	r.shown = left > 0
	if first > 0 && !straight {
		r.firsts = append(r.firsts, uint32(first-1))
	}
	r.room = r.openCount <= params.Calls-6
	if openReady {
		r.openCount--
	}
	if open > 0 {
		r.opens = append(r.opens, uint32(open-1))
		r.openCount++
	}
}

// time is the end of a cycle for its steps.
func (r *predictor) time(in []uint64, ready bool) {
	mask := ^uint64(0) >> (64 - r.p.TimerBits + params.TickBits)
	now, stall := r.nows[0]>>params.TickBits, r.nows[1]>>params.TickBits
	if !ready {
		r.begin, r.age, r.over, r.over2 = now, 0, false, false
		return
	}
	over := r.age >= stall && !r.over && !r.over2
	r.age = (now - r.begin) & mask
	if r.over {
		r.begin = now
		r.unit.Tick()
	}
	r.over, r.over2 = over, r.over
}

// flushes is the end of a cycle for a flush.
func (r *predictor) flushes(in []uint64, ready bool) {
	x, f := r.pins, &r.flush
	wasReady, quiet := f.ready, f.quiet
	f.ready = false
	clear := f.clear
	f.clear &^= r.back(0).clear & clearAll
	if f.entered {
		f.quiet = false
	}
	force := x.force.On(in)
	f.anew = force && !f.forced && (f.state == flAsked || f.state == flVisit || f.state == flEnded)
	f.forced = force
	switch f.state {
	case flRest:
		f.mine = false
		if x.flush.On(in) && ready && !wasReady {
			f.state = flWant
		}
	case flWant:
		if f.taken {
			f.state = flAsked
		}
	case flAsked:
		f.left, f.last = r.p.Ring+r.p.Drain()-1, false
		switch {
		case f.wrong:
			f.ready, f.state = true, flRest
		case f.pops:
			f.mine, f.quiet, f.state = true, true, flVisit
		case f.idle:
			f.clear, f.state = clearAll, flClear
		case f.moves, f.anew:
			f.state = flWant
		}
	case flVisit:
		if f.discarded {
			f.clear, f.state = clearAll, flClear
		} else if f.anew {
			f.state = flWant
		}
	case flClear:
		over := f.last && clear == 0
		if f.left >= r.p.Ring || f.slot {
			if f.left == 0 {
				f.last = true
			}
			f.left--
		}
		if over {
			if f.mine {
				f.state = flEnd
			} else {
				f.state = flRest
				f.ready = true
				r.later(2).nFlush++
			}
		}
	case flEnd:
		if f.endTaken {
			f.state = flEnded
		}
	case flEnded:
		if f.ended {
			if quiet && !f.stored {
				f.state, f.ready = flRest, true
				r.later(2).nFlush++
			} else {
				f.state = flWant
			}
		} else if f.anew {
			f.state = flWant
		}
	}
}

// show writes what earlier cycles caused.
func (r *predictor) show(want, care []uint64) {
	x, o := r.pins, r.later(0)
	for _, c := range []struct {
		pin *bench.Pin
		n   uint64
	}{{&x.nAck, o.nAck}, {&x.nOld, o.nOld}, {&x.nStray, o.nStray}, {&x.nRetransmit, o.nAgain}, {&x.nTimeout, o.nTimer}, {&x.nShut, o.nShut},
		{&x.nStall, o.nStall}, {&x.nDropped, o.nDropped}, {&x.nFlush, o.nFlush}, {&x.nIllegal, o.nIllegal}, {&x.nEarly, o.nEarly}} {
		if c.n > 0 {
			c.pin.Add(r.Want, c.n)
		}
	}
	copy(want, r.Want)
	copy(care, r.Care)
	put := func(p *bench.Pin, v uint64) {
		p.Put(want, v)
		p.Put(care, ^uint64(0))
	}
	flag := func(p *bench.Pin, on bool) {
		if on {
			p.Raise(want)
		}
	}
	flag(&x.ready, r.ready())
	flag(&x.dueReady, r.dueReady())
	flag(&x.flushReady, r.flush.ready)
	flag(&x.evtIllegal, o.illegal)
	if o.timeout {
		x.timeout.Raise(want)
		put(&x.timeoutConn, uint64(o.timeoutConn))
	}
	if o.send {
		x.send.Raise(want)
		put(&x.sendConn, uint64(o.sendConn))
		put(&x.idle, one(o.idle))
	}
	if o.over {
		x.over.Raise(want)
		put(&x.overConn, uint64(o.overConn))
		put(&x.overBytes, o.overBytes)
		put(&x.again, one(o.again))
	}
	if r.pushValid {
		x.push.Raise(want)
		put(&x.pushConn, uint64(r.pushAt))
	}
	if len(r.pops) > 0 {
		x.pop.Raise(want)
		put(&x.popConn, uint64(r.pops[0].conn))
		put(&x.discard, one(r.pops[0].discard))
		if !r.pops[0].discard {
			put(&x.budget, r.pops[0].budget)
		}
	}
	if o.sample {
		x.sample.Raise(want)
		put(&x.sampleConn, uint64(o.sampleConn))
		put(&x.hit, one(o.told.Hit))
		put(&x.sampleEV, o.told.EV)
		put(&x.measured, one(o.told.Measured))
		put(&x.rtt, o.told.RTT)
		put(&x.acked, o.told.Acked)
		put(&x.psns, o.told.PSNs)
		put(&x.moved, one(o.told.Moved))
		if o.told.Hit || o.told.Moved {
			put(&x.una, o.told.Una)
		}
		if o.legal {
			put(&x.nxt, o.told.Nxt)
		}
		r.putTag(want, &o.tag, false)
		r.putTag(care, &o.tag, true)
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
	return fmt.Sprintf("cycle %d, ready %t; looks %v and %v, %d places, pops %v; to the pacer %v and %v, %d shown %t; flush %+v; scan at %d",
		r.Cycle, r.ready(), r.ackLooks, r.winLooks, r.places, r.pops, r.firsts, r.opens, r.pushAt, r.pushValid, r.flush, r.scanAt)
}
