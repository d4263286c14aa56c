// SPDX-License-Identifier: Apache-2.0

package nicgate

import (
	params "github.com/nicgen/nicgen/gen/nic_gate"
	model "github.com/nicgen/nicgen/model/nic_gate"
	"github.com/nicgen/nicgen/tb/bench"
)

// The lanes of the gate: what each does in a cycle with the events that came some cycles before.

// choose determines the action of the lane of turns.
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
	add(&g.ackLooks, ack.moved, now.op == opLook && !win, ack.acked.Conn)
	w := g.back(5)
	add(&g.winLooks, w.window && g.unit.Legal(w.opened.Conn), win, w.opened.Conn)
}

// turn returns the result of a choice: the connection that was found open, + 1.
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
	if e := g.back(1); e.enter && !g.unit.Legal(e.entered.Conn) {
		n.CountIllegal()
	}
	e := g.back(3)
	if e.enter && g.unit.Legal(e.entered.Conn) {
		g.unit.Settings.GoBackN = e.goBackN
		e.stored, e.storedOK = g.unit.Enter(e.entered.Conn, e.entered.PSN, e.entered.Counts, e.seen, g.back(1).now)
		g.f.Accepted++
		if e.stored.Push {
			first = int64(e.entered.Conn) + 1
		}
		f.entered = e.entered.Conn&g.mask == g.flushing.Conn&g.mask
	}
	if e.clear&clearStored != 0 {
		g.unit.ClearStored(e.clearConn)
	}
	if e := g.back(4); e.clear&clearStored != 0 {
		g.unit.Again(e.clearConn, e.entered.PSN, model.Stored{Restart: true}, e.nxt)
	} else if e.storedOK {
		g.unit.Settings.Flight = g.back(1).flying
		timeout := g.unit.Again(e.entered.Conn, e.entered.PSN, e.stored, e.nxt)
		n.Count(params.CountRetransmit, e.stored.Again)
		n.Count(params.CountTimeout, timeout)
		if g.now.timeout = timeout; timeout {
			g.timeouts.Emit(n, &params.Timeout{Conn: e.entered.Conn})
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
		f.ended, f.stored = true, newer.storedOK && newer.entered.Conn == e.ended.Conn
		if f.quiet && !f.stored {
			g.unit.End(e.ended.Conn)
		}
	case e.done && e.ended.Discard:
		if g.unit.Legal(e.ended.Conn) && f.state == flVisit && e.ended.Conn == wanted {
			f.discarded = true
		} else {
			g.unit.Count.Illegal++
		}
	case e.done:
		if again, ok := g.unit.Done(e.ended.Conn, e.gone); ok {
			o := params.Over{Conn: e.ended.Conn, Bytes: min(e.ended.Wire, 1<<params.DoneBits-1), Again: again}
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
		entry, idle, ok := g.unit.Release(e.left.Conn, model.Packet{PSN: e.left.PSN, Bytes: e.left.Bytes, Counts: e.left.Counts}, e.in, e.una, g.back(1).now)
		if ok {
			e.entry = entry
			g.sends.Emit(n, &params.Send{Conn: e.left.Conn, Idle: idle})
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
	if e := g.back(1); e.ack && !g.unit.Legal(e.acked.Conn) {
		n.CountIllegal()
	}
	e := g.back(4 + g.lat)
	if e.clear&clearAcked != 0 {
		g.unit.ClearNaked(e.clearConn)
	}
	if !e.ack {
		return
	}
	o := g.samples.Answer()
	o.Conn, o.Tag = e.acked.Conn, e.acked.Tag
	legal := g.unit.Legal(e.acked.Conn)
	if legal {
		s := g.sample(n, e)
		o.Hit, o.EV, o.Measured, o.RTT, o.Acked, o.PSNs, o.Una, o.Nxt, o.Moved = s.Hit, s.EV, s.Measured, s.RTT, s.Acked, s.PSNs, s.Una, s.Nxt, s.Moved
	}
	g.samples.Emit(n, o)
	_, care := n.Later(2)
	if !legal {
		g.nxt.Clear(care)
	}
	if !o.Hit && !o.Moved {
		g.una.Clear(care)
	}
}

// sample returns the sample of a legal ACK.
func (g *golden) sample(n *bench.Now, e *events) *model.Sample {
	before := g.unit.Count
	g.unit.Settings.GoBackN = g.back(2).goBackN
	e.first = g.unit.Pending(e.acked.Conn, e.restart)
	s := &g.now.told
	*s = g.unit.Ack(e.acked.Conn, e.ackPSN, e.acked.NAK, e.acked.Counts, e.found, e.sent, e.restart, g.back(2).now)
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
		if g.unit.Legal(e.opened.Conn) {
			g.unit.SetWindow(e.opened.Conn, e.opened.Bytes)
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

// ring looks up the entry of an ACK, and then writes the new entry.
func (g *golden) ring() {
	f := &g.flush
	e, w := g.back(2), g.back(g.toRing)
	find := e.ack && g.unit.Legal(e.acked.Conn)
	if find {
		e.found = g.unit.Find(e.acked.Conn, e.ackPSN)
	}
	slot := g.unit.Slot(e.ackPSN)
	if w.entry.Valid {
		g.unit.Put(w.left.Conn, w.left.PSN, w.entry, g.back(g.toRing-uint64(g.p.EVLatency)).ev, g.back(1).now)
		if find && w.left.Conn == e.acked.Conn && g.unit.Slot(w.left.PSN) == slot {
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
		if find && c == e.acked.Conn && uint64(f.left) == slot {
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
