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
	tag                [len(params.ACK{}.Tag)]uint64
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

// outcome is what comes of a cycle, for coverage.
type outcome struct {
	timeout, send, idle, over, again bool
	overBytes, dropped               uint64
	told                             model.Sample
}

// pop is a pop on its way to the queues.
type pop struct {
	conn    uint32
	budget  uint64
	discard bool
}

// golden is the gate behind its contract: lanes of registers, around the model of its connections.
type golden struct {
	p    *params.Params
	f    *bench.Frame
	unit *model.Gate

	set      params.Settings
	inputs   params.Inputs
	wires    wires
	flushing params.Flush // at the port, valid or not
	enter    params.Enter // the same
	timeouts bench.Out[params.Timeout]
	pushes   bench.Out[params.Push]
	visits   bench.Out[params.Pop]
	sends    bench.Out[params.Send]
	overs    bench.Out[params.Over]
	samples  bench.Out[params.Sample]
	una, nxt bench.Pin // of a sample
	budget   bench.Pin // of a pop
	resetAt  uint64    // the cycle of the last reset
	mask     uint32    // of a connection's bits within the unit
	lat      uint64    // the ring's
	toRing   uint64

	came [past]events
	now  outcome

	// turns
	places             int
	yield              uint32
	scanAt             uint32
	ackLooks, winLooks []uint32
	pops               []pop
	popping            []pop     // decided on in this cycle
	nows               [2]uint64 // the time and stall_ns a cycle ago
	begun, age         uint64
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
	g, err := newGolden(p, l, bare)
	if err != nil {
		return nil, err
	}
	return g.f, nil
}

// newGolden is newPredictor for the stimulus, which looks at more than the ports.
func newGolden(p *params.Params, l *cosim.Layout, bare bool) (g *golden, err error) {
	g = &golden{p: p, unit: model.New(p), mask: 1<<max(1, sv.CLog2(p.Connections)) - 1, lat: uint64(p.RingLatency), toRing: uint64(p.ToRing())}
	if err := g.wires.bind(p, l); err != nil {
		return nil, err
	}
	g.f, err = bench.NewFrame(unitName, l, len(points(p)), bare, bench.Model{
		Contract: p.Contract(), Settings: bench.Into(params.SettingPorts, &g.set), Ambient: bench.Into(params.InputPorts, &g.inputs),
		Bind: []bench.Binder{
			bench.Emits(params.Timeouts, &g.timeouts), bench.Emits(params.Pushes, &g.pushes), bench.Emits(params.Visits, &g.visits),
			bench.Emits(params.Sends, &g.sends), bench.Emits(params.Overs, &g.overs), bench.Emits(params.Samples, &g.samples),
			bench.WirePin("m_sample_una", &g.una), bench.WirePin("m_sample_nxt", &g.nxt), bench.WirePin("m_pop_budget", &g.budget),
		},
		Begin: g.begin, Early: true, State: g.text,
	})
	return g, err
}

// readyAt is the first cycle in which events are taken.
func (g *golden) readyAt() uint64 { return g.resetAt + 2 + uint64(g.p.Sweep()) }

// back is what came some cycles ago.
func (g *golden) back(cycles uint64) *events { return &g.came[(g.f.Cycle-cycles)%past] }

// dueReady reports whether a turn is taken.
func (g *golden) dueReady(n *bench.Now) bool { return n.Ready && g.places > 0 && g.yield&63 != 63 }

// begin is a cycle.
func (g *golden) begin(n *bench.Now) {
	n.Sample()
	g.wires.flushes.ReadFields(n.In, &g.flushing)
	if n.Known {
		g.show(n)
	}
	g.take(n)
	switch {
	case n.Acting:
		g.clear()
	case n.Known:
		g.process(n)
	}
	if n.Known && !n.Ready {
		g.early(n)
	}
	g.nows = [2]uint64{g.inputs.Now, g.set.Stall}
	if n.Rst {
		g.resetAt = n.Cycle
	}
}

// early counts events that come before the unit is ready, also in the cycle in which a reset acts.
func (g *golden) early(n *bench.Now) {
	x, k := &g.wires, uint64(0)
	for _, on := range []bool{x.enters.On(n.In), x.releases.On(n.In), x.dones.On(n.In), x.acks.On(n.In), x.windows.On(n.In)} {
		if on {
			k++
		}
	}
	n.CountN(params.CountNotReady, k, 2)
	if !g.f.Bare {
		g.hit(ptEarly, k > 0)
	}
}

// take remembers what comes in this cycle.
func (g *golden) take(n *bench.Now) {
	x, set, e := &g.wires, &g.set, g.back(0)
	enter := &g.enter
	x.enters.ReadFields(n.In, enter)
	*e = events{psn: enter.PSN, ev: g.inputs.EV, now: g.inputs.Now, quantum: set.Quantum, goBackN: set.GoBackN, force: set.FlushForce, initWindow: set.InitWindow}
	if !n.Ready {
		return
	}
	if x.enters.On(n.In) {
		e.enter, e.counts, e.enterConn = true, enter.Counts, enter.Conn
	}
	if r := x.releases.Of(n.In); r != nil {
		e.release, e.relCounts, e.relConn, e.relPSN, e.relBytes = true, r.Counts, r.Conn, r.PSN, r.Bytes
	}
	if d := x.dones.Of(n.In); d != nil {
		e.done, e.discard, e.doneConn, e.wire = true, d.Discard, d.Conn, d.Wire
	}
	if a := x.acks.Of(n.In); a != nil {
		e.ack, e.nak, e.ackConn, e.tag = true, a.NAK, a.Conn, a.Tag
		e.ackPSN = g.unit.Named(a.PSN, a.NAK)
	}
	if w := x.windows.Of(n.In); w != nil {
		e.window, e.windowConn, e.windowBytes = true, w.Conn, w.Bytes
	}
}

// clear is the cycle in which a reset acts: all that came before it is gone.
func (g *golden) clear() {
	if !g.f.Bare {
		g.coverReset()
	}
	now := *g.back(0)
	g.came = [past]events{}
	*g.back(0) = events{now: now.now, ev: now.ev, quantum: now.quantum, goBackN: now.goBackN, force: now.force, initWindow: now.initWindow}
	g.unit.Settings.InitWindow = now.initWindow
	g.unit.Reset()
	g.places, g.yield, g.scanAt = params.Pops, 0, 0
	g.ackLooks, g.winLooks, g.pops, g.popping = nil, nil, nil, nil
	g.begun, g.age, g.over, g.over2 = 0, 0, false, false
	g.opens, g.firsts, g.openCount, g.room, g.shown, g.pushValid, g.pushLast = nil, nil, 0, false, false, false, false
	g.flush = flush{forced: now.force}
}

// process is a cycle. Views come first: they have what was written before it.
func (g *golden) process(n *bench.Now) {
	x := &g.wires
	e := g.back(0)
	f := &g.flush
	g.now = outcome{}
	*f = flush{state: f.state, ready: f.ready, mine: f.mine, quiet: f.quiet, left: f.left, last: f.last, clear: f.clear, forced: f.forced}
	if !n.Ready {
		e.clear, e.clearConn = clearWindow, uint32(int64(g.readyAt()-1-n.Cycle)/g.p.Ring)
	}
	if f.clear != 0 {
		for i, on := range []bool{x.windows.On(n.In), x.acks.On(n.In), x.releases.On(n.In), x.enters.On(n.In)} {
			if bit := 1 << i; f.clear&bit != 0 && !on {
				e.clear |= bit
				e.clearConn = g.flushing.Conn & g.mask
			}
		}
	}
	if f.state == flEnd && !x.dones.On(n.In) {
		e.end, f.endTaken, e.doneConn = true, true, g.flushing.Conn&g.mask
	}
	g.choose(n)
	g.views()

	g.look(n)
	open := g.turn(n)
	first := g.stored(n)
	g.visit(n)
	g.released(n)
	g.acked(n)
	g.windows(n)
	g.ring()
	g.push(n, first, open)
	g.time(n)
	g.flushes(n)
	if !g.f.Bare {
		g.cover(n)
	}
}

// views are what others know of connections.
func (g *golden) views() {
	if e := g.back(1); (e.release || e.clear&clearSent != 0) && g.unit.Legal(g.relOf(e)) {
		s, _ := g.unit.State(g.relOf(e))
		e.in, e.una = s.In, g.unit.Una(g.relOf(e))
	}
	if e := g.back(2); e.enter || e.clear&clearStored != 0 {
		c := e.clearConn
		if e.enter {
			c = e.enterConn
		}
		s, _ := g.unit.State(c)
		e.nxt = s.Sent.Nxt
	}
	if e := g.back(1 + g.lat); e.ack && g.unit.Legal(e.ackConn) {
		s, _ := g.unit.State(e.ackConn)
		e.sent, e.restart = s.Sent, s.Restart
	}
	if e := g.back(3 + g.lat); e.ack && g.unit.Legal(e.ackConn) {
		s, _ := g.unit.State(e.ackConn)
		e.sent.Nxt = s.Sent.Nxt
	}
	if e := g.back(4); e.done && g.unit.Legal(e.doneConn) {
		e.gone = g.unit.Gone(e.doneConn)
	}
	if e := g.back(0); e.op != opNone && g.unit.Legal(e.opConn) {
		e.flight = g.unit.Flight(e.opConn)
	}
}

// relOf is the connection that the lane of packets that leave is about.
func (g *golden) relOf(e *events) uint32 {
	if e.release {
		return e.relConn
	}
	return e.clearConn
}

// choose is what the lane of turns does.
func (g *golden) choose(n *bench.Now) {
	e := g.back(0)
	if !n.Ready {
		return
	}
	yields := g.yield&63 == 63
	switch {
	case g.dueReady(n) && g.wires.dues.On(n.In):
		e.op, e.opConn = opDue, g.wires.dues.Of(n.In).Conn
	case yields && g.places > 0 && g.flush.state == flWant:
		e.op, e.opConn = opFlush, g.flushing.Conn
		g.flush.taken = true
	case !g.room:
	case !yields && len(g.winLooks) > 0:
		e.op, e.opConn = opLook, g.winLooks[0]
	case !yields && len(g.ackLooks) > 0:
		e.op, e.opConn = opLook, g.ackLooks[0]
	default:
		e.op, e.opConn = opScan, g.scanAt
		if g.scanAt++; int64(g.scanAt) == g.p.Connections {
			g.scanAt = 0
		}
	}
	g.yield++
}

// look wants looks at connections that wait: after an ACK that moved, and a window.
func (g *golden) look(n *bench.Now) {
	add := func(to *[]uint32, from bool, took bool, c uint32) {
		full := len(*to) == params.Looks
		if took {
			*to = (*to)[1:]
		}
		switch {
		case !from || !g.unit.Waiting(c):
		case full:
			n.Count(params.CountDropped, true)
			g.now.dropped++
		default:
			*to = append(*to, c)
		}
	}
	now := g.back(0)
	win := now.op == opLook && len(g.winLooks) > 0
	ack := g.back(8 + g.lat)
	add(&g.ackLooks, ack.moved, now.op == opLook && !win, ack.ackConn)
	w := g.back(5)
	add(&g.winLooks, w.window && g.unit.Legal(w.windowConn), win, w.windowConn)
}

// turn is what comes of a choice: the connection that was found open, + 1.
func (g *golden) turn(n *bench.Now) (open int64) {
	e, f := g.back(2), &g.flush
	g.unit.Settings.Quantum = g.back(1).quantum
	leaves := len(g.pops) > 0 && g.visits.Ready(n)
	gone := false // the place is not needed
	before := g.unit.Count
	if leaves {
		g.pops = g.pops[1:]
	}
	g.pops = append(g.pops, g.popping...)
	g.popping = g.popping[:0]
	switch e.op {
	case opDue:
		if ok, budget := g.unit.Due(e.opConn, e.flight); ok {
			g.popping = append(g.popping, pop{e.opConn, budget, false})
			g.f.Accepted++
		} else {
			gone = true
		}
	case opFlush:
		s, exists := g.unit.State(e.opConn)
		switch {
		case !exists:
			f.wrong, gone = true, true
			g.unit.Count.Illegal++
		case s.Waiting || f.mine || f.forced:
			f.pops, f.forces = true, s.Active && !s.Waiting && !f.mine
			g.popping = append(g.popping, pop{conn: e.opConn, discard: true})
			g.unit.Discard(e.opConn)
		case s.Active:
			f.moves, gone = true, true
		default:
			f.idle, gone = true, true
		}
	case opLook:
		if g.unit.Look(e.opConn, e.flight) {
			open = int64(e.opConn) + 1
		}
	case opScan:
		if g.unit.Scan(e.opConn, e.flight) {
			open = int64(e.opConn) + 1
		}
	}
	if !g.f.Bare {
		g.coverTurn(e, &before, open > 0)
	}
	if leaves {
		g.places++
	}
	if gone {
		g.places++
	}
	if now := g.back(0); now.op == opDue || now.op == opFlush {
		g.places--
	}
	count := &g.unit.Count
	n.CountN(params.CountShut, count.Shut-before.Shut, 2)
	n.CountN(params.CountStall, count.Stall-before.Stall, 2)
	g.illegal(n, before.Illegal)
	return open
}

// illegal counts illegal events, if there are more than before.
func (g *golden) illegal(n *bench.Now, before uint64) {
	for range g.unit.Count.Illegal - before {
		n.CountIllegal()
	}
}

// stored are packets in queues: the connection that was outside, + 1.
func (g *golden) stored(n *bench.Now) (first int64) {
	f := &g.flush
	if e := g.back(1); e.enter && !g.unit.Legal(e.enterConn) {
		n.CountIllegal()
	}
	e := g.back(3)
	if e.enter && g.unit.Legal(e.enterConn) {
		g.unit.Settings.GoBackN = e.goBackN
		e.stored, e.storedOK = g.unit.Enter(e.enterConn, e.psn, e.counts)
		g.f.Accepted++
		if e.stored.Push {
			first = int64(e.enterConn) + 1
		}
		f.entered = e.enterConn&g.mask == g.flushing.Conn&g.mask
	}
	if e.clear&clearStored != 0 {
		g.unit.ClearStored(e.clearConn)
	}
	if e := g.back(4); e.clear&clearStored != 0 {
		g.unit.Again(e.clearConn, e.psn, model.Stored{Restart: true}, e.nxt)
	} else if e.storedOK {
		timeout := g.unit.Again(e.enterConn, e.psn, e.stored, e.nxt)
		n.Count(params.CountRetransmit, e.stored.Again)
		n.Count(params.CountTimeout, timeout)
		if g.now.timeout = timeout; timeout {
			g.timeouts.Emit(n, &params.Timeout{Conn: e.enterConn})
		}
	}
	return first
}

// visit is the end of a visit, or of a flush.
func (g *golden) visit(n *bench.Now) {
	f := &g.flush
	e := g.back(5)
	before := g.unit.Count.Illegal
	wanted := g.flushing.Conn & g.mask
	newer := g.back(3)
	switch {
	case e.end:
		f.ended, f.stored = true, newer.storedOK && newer.enterConn == e.doneConn
		if f.quiet && !f.stored {
			g.unit.End(e.doneConn)
		}
	case e.done && e.discard:
		if g.unit.Legal(e.doneConn) && f.state == flVisit && e.doneConn == wanted {
			f.discarded = true
		} else {
			g.unit.Count.Illegal++
		}
	case e.done:
		if again, ok := g.unit.Done(e.doneConn, e.gone); ok {
			o := params.Over{Conn: e.doneConn, Bytes: min(e.wire, 1<<params.DoneBits-1), Again: again}
			g.overs.Emit(n, &o)
			g.now.over, g.now.again, g.now.overBytes = true, again, o.Bytes
			g.f.Accepted++
		}
	}
	g.illegal(n, before)
}

// released are packets that leave.
func (g *golden) released(n *bench.Now) {
	e := g.back(3)
	before := g.unit.Count.Illegal
	if e.release {
		g.unit.Settings.GoBackN = e.goBackN
		entry, idle, ok := g.unit.Release(e.relConn, model.Packet{PSN: e.relPSN, Bytes: e.relBytes, Counts: e.relCounts}, e.in, e.una)
		if ok {
			e.entry = entry
			g.sends.Emit(n, &params.Send{Conn: e.relConn, Idle: idle})
			g.now.send, g.now.idle = true, idle
			g.f.Accepted++
		}
	}
	if e.clear&clearSent != 0 {
		g.unit.ClearSent(e.clearConn, g.flush.mine, e.in)
	}
	g.illegal(n, before)
}

// acked are ACKs and NAKs.
func (g *golden) acked(n *bench.Now) {
	if e := g.back(1); e.ack && !g.unit.Legal(e.ackConn) {
		n.CountIllegal()
	}
	e := g.back(4 + g.lat)
	if e.clear&clearAcked != 0 {
		g.unit.ClearNaked(e.clearConn)
	}
	if !e.ack {
		return
	}
	o := params.Sample{Conn: e.ackConn, Tag: e.tag}
	legal := g.unit.Legal(e.ackConn)
	if legal {
		s := g.sample(n, e)
		o.Hit, o.EV, o.Measured, o.RTT, o.Acked, o.PSNs, o.Una, o.Nxt, o.Moved = s.Hit, s.EV, s.Measured, s.RTT, s.Acked, s.PSNs, s.Una, s.Nxt, s.Moved
	}
	g.samples.Emit(n, &o)
	_, care := n.Later(2)
	if !legal {
		g.nxt.Clear(care)
	}
	if !o.Hit && !o.Moved {
		g.una.Clear(care)
	}
}

// sample is what a legal ACK comes to.
func (g *golden) sample(n *bench.Now, e *events) *model.Sample {
	before := g.unit.Count
	g.unit.Settings.GoBackN = g.back(2).goBackN
	e.first = g.unit.Pending(e.ackConn, e.restart)
	s := &g.now.told
	*s = g.unit.Ack(e.ackConn, e.ackPSN, e.nak, e.found, e.sent, e.restart, g.back(2).now)
	e.moved = s.Moved
	g.f.Accepted++
	now := &g.unit.Count
	n.CountN(params.CountACK, now.Ack-before.Ack, 3)
	n.CountN(params.CountOld, now.Old-before.Old, 3)
	n.CountN(params.CountStray, now.Stray-before.Stray, 3)
	return s
}

// windows are new windows.
func (g *golden) windows(n *bench.Now) {
	e := g.back(1)
	if e.window {
		if g.unit.Legal(e.windowConn) {
			g.unit.SetWindow(e.windowConn, e.windowBytes)
			g.f.Accepted++
		} else {
			n.CountIllegal()
		}
	}
	if e.clear&clearWindow != 0 {
		g.unit.Settings.InitWindow = g.back(2).initWindow
		g.unit.ClearWindow(e.clearConn)
	}
}

// ring is what is found in it for an ACK, and then what is written.
func (g *golden) ring() {
	f := &g.flush
	e, w := g.back(2), g.back(g.toRing)
	find := e.ack && g.unit.Legal(e.ackConn)
	if find {
		e.found = g.unit.Find(e.ackConn, e.ackPSN)
	}
	slot := g.unit.Slot(e.ackPSN)
	if w.entry.Valid {
		g.unit.Put(w.relConn, w.relPSN, w.entry, g.back(g.toRing-uint64(g.p.EVLatency)).ev, g.back(1).now)
		if find && w.relConn == e.ackConn && g.unit.Slot(w.relPSN) == slot {
			if !g.f.Bare {
				g.hit(ptSameSlot, e.found.Valid)
			}
			e.found.Valid = false
		}
	} else if f.state == flClear && f.left < g.p.Ring && !f.last {
		c := g.flushing.Conn & g.mask
		f.slot = true
		if g.unit.Legal(c) { // in the cycle of a reset another one may be offered already
			g.unit.ClearSlot(c, uint64(f.left))
		}
		if find && c == e.ackConn && uint64(f.left) == slot {
			e.found.Valid = false
		}
	}
}

// push is connections on their way to the pacer.
func (g *golden) push(n *bench.Now, first, open int64) {
	free := !g.pushValid || g.pushes.Ready(n)
	hasOpen := len(g.opens) > 0
	openReady := free && hasOpen && !(g.shown && g.pushLast)
	firstReady := free && g.shown && !openReady
	straight := free && !hasOpen && len(g.firsts) == 0
	left := len(g.firsts)
	if !g.f.Bare {
		g.hit(ptPushBoth, free && hasOpen && g.shown)
		g.hit(ptPushWaits, first > 0 && !straight)
		g.hit(ptPushStraight, first > 0 && straight)
	}
	if free {
		g.pushValid = true
		switch {
		case openReady:
			g.pushAt = g.opens[0]
			g.opens = g.opens[1:]
		case firstReady:
			g.pushAt = g.firsts[0]
			g.firsts = g.firsts[1:]
			left--
		case straight && first > 0:
			g.pushAt = uint32(first - 1)
		default:
			g.pushValid = false
		}
		g.pushLast = openReady
	}
	g.shown = left > 0
	if first > 0 && !straight {
		g.firsts = append(g.firsts, uint32(first-1))
	}
	g.room = g.openCount <= params.Calls-6
	if openReady {
		g.openCount--
	}
	if open > 0 {
		g.opens = append(g.opens, uint32(open-1))
		g.openCount++
	}
}

// time is the end of a cycle for its steps.
func (g *golden) time(n *bench.Now) {
	mask := ^uint64(0) >> (64 - g.p.TimerBits + params.TickBits)
	now, stall := g.nows[0]>>params.TickBits, g.nows[1]>>params.TickBits
	if !n.Ready {
		g.begun, g.age, g.over, g.over2 = now, 0, false, false
		return
	}
	over := g.age >= stall && !g.over && !g.over2
	g.age = (now - g.begun) & mask
	if g.over {
		g.begun = now
		g.unit.Tick()
	}
	g.over, g.over2 = over, g.over
}

// flushes is the end of a cycle for a flush.
func (g *golden) flushes(n *bench.Now) {
	f := &g.flush
	wasReady, quiet := f.ready, f.quiet
	f.ready = false
	clear := f.clear
	f.clear &^= g.back(0).clear & clearAll
	if f.entered {
		f.quiet = false
	}
	force := g.set.FlushForce
	f.anew = force && !f.forced && (f.state == flAsked || f.state == flVisit || f.state == flEnded)
	f.forced = force
	switch f.state {
	case flRest:
		f.mine = false
		if g.wires.flushes.On(n.In) && n.Ready && !wasReady {
			f.state = flWant
		}
	case flWant:
		if f.taken {
			f.state = flAsked
		}
	case flAsked:
		f.left, f.last = g.p.Ring+g.p.Drain()-1, false
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
		if f.left >= g.p.Ring || f.slot {
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
				n.Count(params.CountFlush, true)
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
				n.Count(params.CountFlush, true)
			} else {
				f.state = flWant
			}
		} else if f.anew {
			f.state = flWant
		}
	}
}

// show writes what the registers show.
func (g *golden) show(n *bench.Now) {
	if g.dueReady(n) {
		n.Raise(&g.wires.dueReady)
	}
	if g.flush.ready {
		n.Raise(&g.wires.flushReady)
	}
	if g.pushValid {
		g.pushes.EmitAfter(n, &params.Push{Conn: g.pushAt}, 0)
	}
	if len(g.pops) == 0 {
		return
	}
	// A budget says something only if packets are not discarded.
	p := &g.pops[0]
	g.visits.EmitAfter(n, &params.Pop{Conn: p.conn, Budget: p.budget, Discard: p.discard}, 0)
	if p.discard {
		_, care := n.Later(0)
		g.budget.Clear(care)
	}
}

// text describes the lanes.
func (g *golden) text([]uint64) string {
	return fmt.Sprintf("\nlooks %v and %v, %d places, pops %v; to the pacer %v and %v, %d shown %t; flush %+v; scan at %d",
		g.ackLooks, g.winLooks, g.places, g.pops, g.firsts, g.opens, g.pushAt, g.pushValid, g.flush, g.scanAt)
}
