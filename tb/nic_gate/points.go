// SPDX-License-Identifier: Apache-2.0

package nicgate

import (
	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/nic_gate"
	model "github.com/nicgen/nicgen/model/nic_gate"
	"github.com/nicgen/nicgen/tb/bench"
)

// Coverage points, by index, in the order of the table in points.
const (
	ptPushStraight = iota
	ptPushWaits
	ptPushBoth
	ptPushStall
	ptEnterActive
	ptEnterResponse
	ptAgain
	ptTimeout
	ptNaked
	ptRestart
	ptAgainWaits
	ptAgainFar
	ptAgainFlies
	ptDueOpen
	ptDueShut
	ptDueRing
	ptDueAnew
	ptDueForced
	ptDueIllegal
	ptDueWrong
	ptDueNoPlace
	ptDueTwo
	ptPopStall
	ptBudgetQuantum
	ptBudgetWindow
	ptBudgetRing
	ptBudgetOne
	ptUnlimited
	ptLookOpen
	ptLookShut
	ptLookNot
	ptLookDropped
	ptLookNoRoom
	ptScanOpen
	ptScanStall
	ptScanShut
	ptIdle
	ptNotIdle
	ptResponse
	ptResent
	ptJump
	ptReleaseEmpty
	ptReleaseWrong
	ptReleaseTwo
	ptDoneAgain
	ptDoneIdle
	ptDoneSame
	ptDoneLast
	ptDoneLong
	ptDoneIllegal
	ptAckMoved
	ptAckMany
	ptAckOld
	ptAckStray
	ptAckLap
	ptAckResent
	ptAckWrong
	ptAckTwo
	ptAckRestart
	ptNakMoved
	ptNakStray
	ptSameSlot
	ptWindowWrong
	ptWindowSame
	ptIllegalTwo
	ptFlushIdle
	ptFlushMoving
	ptFlushWaiting
	ptFlushAgain
	ptFlushForced
	ptFlushAnew
	ptFlushWrong
	ptFlushWaits
	ptFlushEntry
	ptDiscardIllegal
	ptEarly
	ptReset
)

// points lists the coverage points; those that a configuration cannot reach are not required.
func points(p *params.Params) []cosim.Point {
	var list bench.Points
	add := list.Add
	wrong := p.Connections < 1<<p.ConnBits
	few := p.Connections <= 1024
	ring := p.Ring <= 256 && few
	add("push/straight", "a PUSH of a first packet goes straight to the output", true)
	add("push/waits", "one that waits for another", true)
	add("push/both", "a first packet and one found open want to go", p.Connections > 3 && few)
	add("push/stall", "a PUSH waits for m_push_ready", true)
	add("enter/active", "a packet of a connection that has its turns", true)
	add("enter/response", "a packet that does not count", true)
	add("enter/again", "a retransmission", true)
	add("timeout", "one of the host's timer", true)
	add("enter/naked", "one after a NAK", few)
	add("enter/restart", "a retransmission that loses what is in flight", few)
	add("enter/waits", "a retransmission whose first copy is in its queue", few)
	add("enter/far", "a PSN behind all that the ring can tell of", few)
	add("enter/flies", "a retransmission soon after a packet left", few)
	add("due/open", "a turn with an open window", true)
	add("due/shut", "a turn whose window is shut", true)
	add("due/ring", "a turn whose ring is full, with an open window", ring)
	add("due/anew", "a turn whose ring has room only because it began anew", few)
	add("due/forced", "a turn by the stall rule", few)
	add("illegal/due", "a turn of a connection that has none", true)
	add("illegal/due_wrong", "a turn of one that does not exist", wrong)
	add("due/no_place", "a turn waits for pops to be taken", p.Connections > 7)
	add("due/two", "turns in two consecutive cycles", p.Connections > 1)
	add("pop/stall", "a POP waits for m_pop_ready", true)
	add("budget/quantum", "a budget of the quantum", true)
	add("budget/window", "one of the window's rest", true)
	add("budget/ring", "one of the ring's room", p.Ring <= 2048)
	add("budget/one", "one of a byte", true)
	add("budget/unlimited", "one of a connection without window", true)
	add("look/open", "a connection that waits is found open", few)
	add("look/shut", "one is found shut", few)
	add("look/not", "one does not wait any longer", few)
	add("look/dropped", "no room for another look", p.Connections > 63 && few)
	add("look/no_room", "a look waits for PUSHes to be taken", p.Connections > 16 && p.Connections <= 128)
	add("scan/open", "the scan finds a connection open", few)
	add("scan/stall", "it finds one that waited too long", few)
	add("scan/shut", "it finds one that waits, shut, and not too long", few)
	add("release/idle", "a packet leaves, and none was in flight", true)
	add("release/more", "one leaves, and others are in flight", true)
	add("release/response", "one that does not count leaves", true)
	add("release/again", "one leaves again", true)
	add("release/jump", "one leaves whose PSN jumps ahead", few)
	add("illegal/release", "one leaves an empty queue", true)
	add("illegal/release_wrong", "one of a connection that does not exist", wrong)
	add("release/two", "two of a connection in consecutive cycles", true)
	add("done/again", "a visit is over, and packets are left", true)
	add("done/idle", "none is left", true)
	add("done/same", "none is left, but for one that is stored at the same time", true)
	add("done/last", "a visit is over in the cycle of its last packet", true)
	add("done/long", "its bytes on the wire saturate", few)
	add("illegal/done", "a visit of an idle connection is over", true)
	add("ack/moved", "an ACK acknowledges bytes", true)
	add("ack/many", "one acknowledges more than one packet", few)
	add("ack/old", "one of a packet that is acknowledged", true)
	add("ack/stray", "one of a packet that was not sent", true)
	add("ack/lap", "one of a packet whose entry has another", few)
	add("ack/again", "one of a packet that was sent twice", few)
	add("illegal/ack", "one of a connection that does not exist", wrong)
	add("ack/two", "two of a connection, in consecutive cycles, acknowledge bytes", few)
	add("ack/restart", "one is the first after a restart to acknowledge bytes", true)
	add("nak/moved", "a NAK acknowledges bytes", few)
	add("nak/stray", "a NAK of a packet that was not sent", true)
	add("ack/same_slot", "an ACK finds its place in the ring being written", p.Connections <= 64)
	add("illegal/window", "a window of a connection that does not exist", wrong)
	add("window/same_cycle", "a window and an ACK of one connection in a cycle", true)
	add("illegal/two", "two illegal events in one cycle's count", wrong)
	add("flush/idle", "a flush of an idle connection", true)
	add("flush/moving", "a flush finds a turn under way", few)
	add("flush/waiting", "a flush discards packets", few)
	add("flush/again", "a packet is stored meanwhile", few)
	add("flush/forced", "a flush does not wait for the turn that is under way", p.Connections <= 64)
	add("flush/anew", "a flush begins again", p.Connections <= 64)
	add("illegal/flush", "a flush of a connection that does not exist", wrong && few)
	add("flush/waits", "a flush waits for a lane without event", true)
	add("flush/entry", "a flush waits for an entry of the ring", true)
	add("illegal/discard", "a visit discarded packets that no flush asked for", true)
	add("not_ready", "an event before the unit is ready", true)
	add("reset", "a reset with connections on their way", few && p.Sweep() < 65_536) // else resets are too far apart
	return list
}

// hit counts a point.
func (g *golden) hit(point int, is bool) {
	if is {
		g.f.Reached[point]++
	}
}

// coverReset looks at a reset.
func (g *golden) coverReset() {
	g.hit(ptReset, g.pushValid || len(g.pops) > 0)
}

// cover looks at a cycle, after it.
func (g *golden) cover(n *bench.Now) {
	hit, unit := g.hit, g.unit
	legal := unit.Legal
	hit(ptPushStall, g.pushValid && !g.pushes.Ready(n))
	hit(ptPopStall, len(g.pops) > 0 && !g.visits.Ready(n))
	hit(ptDueNoPlace, n.Ready && g.wires.dues.On(n.In) && g.places == 0)
	hit(ptDueTwo, g.back(0).op == opDue && g.back(1).op == opDue)
	hit(ptLookNoRoom, len(g.winLooks) > 0 && !g.room)
	hit(ptLookDropped, g.now.dropped > 0)
	if e := g.back(3); e.storedOK {
		hit(ptEnterActive, !e.stored.Push)
		hit(ptEnterResponse, !e.entered.Counts)
	}
	if e := g.back(4); e.storedOK && e.stored.Again {
		hit(ptAgain, true)
		hit(ptTimeout, g.now.timeout)
		hit(ptNaked, !g.now.timeout)
		hit(ptRestart, e.stored.Restart)
		behind := (e.seen.Sent.PSN - e.entered.PSN) & (1<<g.p.PSNBits - 1)
		waits := !e.seen.Sent.Any || behind>>(g.p.PSNBits-1) != 0
		hit(ptAgainWaits, waits)
		hit(ptAgainFar, !waits && !e.stored.Left)
		hit(ptAgainFlies, e.stored.Left && e.stored.Age < g.unit.Settings.Flight>>params.TickBits)
	}
	if e := g.back(3); e.release {
		ok := g.now.send
		hit(ptIdle, ok && g.now.idle)
		hit(ptNotIdle, ok && !g.now.idle)
		hit(ptResponse, ok && !e.left.Counts)
		hit(ptResent, ok && e.entry.Again)
		hit(ptReleaseWrong, !legal(e.left.Conn))
		hit(ptReleaseEmpty, !ok && legal(e.left.Conn))
		before := g.back(4)
		hit(ptReleaseTwo, ok && before.entry.Valid && e.entry.Valid && before.left.Conn == e.left.Conn)
		hit(ptJump, ok && before.entry.Valid && e.entry.Valid && before.left.Conn == e.left.Conn && e.left.PSN != (before.left.PSN+1)&(1<<g.p.PSNBits-1))
	}
	if e := g.back(4); e.done && !e.ended.Discard {
		o := &g.now
		newer := g.back(3)
		same := newer.storedOK && newer.entered.Conn == e.ended.Conn
		hit(ptDoneAgain, o.over && o.again)
		hit(ptDoneIdle, o.over && !o.again)
		if s, ok := unit.State(e.ended.Conn); ok {
			hit(ptDoneSame, o.over && same && (s.In-s.Gone)&(1<<g.p.PacketBits-1) == 1)
		}
		hit(ptDoneLast, o.over && e.release && e.left.Conn == e.ended.Conn)
		hit(ptDoneLong, o.over && o.overBytes == 1<<params.DoneBits-1)
		hit(ptDoneIllegal, !o.over)
	}
	if e := g.back(4); e.done && e.ended.Discard {
		hit(ptDiscardIllegal, !g.flush.discarded)
	}
	hit(ptAckWrong, g.back(1).ack && !legal(g.back(1).acked.Conn))
	hit(ptWindowWrong, g.back(1).window && !legal(g.back(1).opened.Conn))
	hit(ptWindowSame, g.back(1).window && g.back(1).ack && g.back(1).opened.Conn == g.back(1).acked.Conn && legal(g.back(1).acked.Conn))
	hit(ptIllegalTwo, n.Illegal > 1)
	if e := g.back(4 + g.lat); e.ack && legal(e.acked.Conn) {
		hitEntry := e.found.Valid && e.found.Lap == e.ackPSN/uint64(g.p.Ring)&(1<<g.p.LapBits-1)
		o := g.now.told
		hit(ptAckMoved, o.Moved && !e.acked.NAK)
		hit(ptAckMany, o.PSNs > 1)
		hit(ptAckOld, hitEntry && !o.Moved)
		hit(ptAckStray, !e.found.Valid && !e.acked.NAK)
		hit(ptAckLap, e.found.Valid && !hitEntry)
		hit(ptAckResent, hitEntry && e.found.Again)
		before := g.back(5 + g.lat)
		hit(ptAckTwo, o.Moved && before.moved && before.acked.Conn == e.acked.Conn)
		hit(ptNakMoved, o.Moved && e.acked.NAK)
		hit(ptNakStray, !hitEntry && e.acked.NAK)
		hit(ptAckRestart, o.Moved && e.first)
	}
	f := &g.flush
	hit(ptFlushIdle, f.idle)
	hit(ptFlushMoving, f.moves)
	hit(ptFlushWaiting, f.pops)
	hit(ptFlushAgain, f.ended && f.state == flWant)
	hit(ptFlushForced, f.forces)
	hit(ptFlushAnew, f.anew)
	hit(ptFlushWrong, f.wrong)
	hit(ptFlushWaits, f.clear != 0 && f.clear != clearAll)
	hit(ptFlushEntry, f.state == flClear && f.left >= 0 && f.left < g.p.Ring && !f.slot)
}

// coverTurn looks at what came of a choice, with the counters from before.
func (g *golden) coverTurn(e *events, before *model.Counters, open bool) {
	hit, now := g.hit, &g.unit.Count
	s, exists := g.unit.State(e.opConn)
	switch e.op {
	case opDue:
		shut := now.Shut > before.Shut
		stall := now.Stall > before.Stall
		wrong := now.Illegal > before.Illegal
		hit(ptDueWrong, !exists)
		hit(ptDueIllegal, wrong && exists)
		hit(ptDueShut, shut)
		hit(ptDueForced, stall)
		if wrong || !exists {
			return
		}
		full := e.flight.PSNs >= uint64(g.p.Ring)
		free := e.flight.Window == 1<<g.p.ByteBits-1
		hit(ptDueRing, shut && full && (free || e.flight.Bytes < e.flight.Window))
		hit(ptDueOpen, !shut && !stall)
		hit(ptDueAnew, !shut && !stall && e.flight.Anew && !full)
		if shut || stall {
			return
		}
		got := g.popping[0].budget
		hit(ptBudgetQuantum, got == g.unit.Settings.Quantum)
		hit(ptBudgetWindow, !free && got > 1 && got == e.flight.Window-e.flight.Bytes)
		hit(ptBudgetRing, !full && got == params.BytesPerPSN*(uint64(g.p.Ring)-e.flight.PSNs))
		hit(ptBudgetOne, got == 1)
		hit(ptUnlimited, free)
	case opLook:
		hit(ptLookOpen, open)
		hit(ptLookShut, !open && s.Waiting)
		hit(ptLookNot, !open && !s.Waiting)
	case opScan:
		hit(ptScanOpen, open && !s.Forced)
		hit(ptScanStall, open && s.Forced)
		hit(ptScanShut, !open && s.Waiting)
	}
}
