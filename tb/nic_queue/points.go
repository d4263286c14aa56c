// SPDX-License-Identifier: Apache-2.0

package nicqueue

import (
	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/nic_queue"
	model "github.com/nicgen/nicgen/model/nic_queue"
	"github.com/nicgen/nicgen/tb/bench"
)

// Coverage points, by index, in the order of the table in points.
const (
	ptRow = iota
	ptRowSame
	ptUnknown
	ptBad
	ptBadRow
	ptBadThenStored
	ptLongest
	ptLongByOne
	ptLongByBeat
	ptFullFirst
	ptFullLater
	ptLastCell
	ptQuotaExact
	ptQuotaOver
	ptJoinEmpty
	ptJoinOther
	ptJoinAtEnd
	ptJoinAfterEnd
	ptViewAfterJoin
	ptViewAtJoin
	ptDoneEmpty
	ptDoneMore
	ptDoneJoin
	ptNone
	ptNoneMore
	ptBudget0
	ptBudgetExact
	ptBudgetOne
	ptMany
	ptDiscard
	ptDiscardMany
	ptDiscardNone
	ptWire60
	ptWaitFirst
	ptWaitNext
	ptWaitSize
	ptNextAtOnce
	ptLeaveRow
	ptNextTwo
	ptNextLong
	ptWaySame
	ptWayFull
	ptPopUnknown
	ptNotReady
	ptLookBell
	ptBellLost
	ptBellBoth
	ptXoff
	ptXoffExact
	ptXon
	ptXonExact
	ptFlowHeld
	ptAllOff
	ptAllOn
	ptReset
	ptResetVisit
	pointCount
)

// points lists the coverage points; those that a configuration cannot reach are not required.
func points(p *params.Params) []cosim.Point {
	several, illegal := p.Connections > 1, p.Connections != 1<<p.ConnBits
	small := p.Connections <= 4096 // resets cost a cycle a connection
	fills := p.KiB <= 1024         // a larger buffer takes long to fill
	var list bench.Points
	add := list.Add
	add("enter/row", "packets of one beat of different connections are stored in consecutive cycles", several)
	add("enter/row_same", "so they are of one connection", true)
	add("enter/unknown", "a packet of a connection that does not exist", illegal)
	add("enter/bad", "a bad packet of several cells", p.MaxFrame > params.CellBytes)
	add("enter/bad_row", "bad packets of one beat in consecutive cycles", true)
	add("enter/bad_stored", "a packet is stored in the cycle after one that took cells was dropped", true)
	add("enter/longest", "a packet of the greatest length is stored", true)
	add("enter/long_one", "a packet is one byte too long", fills)
	add("enter/long_beats", "a packet is many beats too long", true)
	add("enter/full_first", "there is no free cell for the first beat of a packet", fills)
	add("enter/full_later", "there is none for a later one", fills && p.MaxFrame > params.CellBytes)
	add("enter/last_cell", "the last free cell is taken", fills)
	add("enter/quota", "a packet fills the quota", true)
	add("enter/over", "a packet exceeds the quota by one cell", true)
	add("join/empty", "a packet enters an empty queue", true)
	add("join/other", "a packet enters a queue behind others", true)
	add("join/end", "a packet enters in the cycle in which the visit ends that takes all before it", true)
	add("join/after_end", "a packet enters in the cycle after that", small)
	add("view/joined", "a pop sees a packet that entered in the cycle before", true)
	add("view/joining", "a pop does not see a packet that enters in its cycle", true)
	add("done/empty", "a visit leaves its queue empty", true)
	add("done/more", "a visit leaves packets that it saw", true)
	add("done/joined", "a visit leaves only packets that it did not see", true)
	add("done/none", "a visit of an empty queue", true)
	add("done/none_joined", "which is not empty at its end", true)
	add("budget/0", "a budget of 0: one packet leaves, and others stay", true)
	add("budget/exact", "a budget that is used up by all packets but one that saw it", true)
	add("budget/one", "a budget of which one byte is left for another packet", true)
	add("visit/many", "eight packets or more in a visit", true)
	add("discard/one", "a packet is discarded", true)
	add("discard/many", "several are", true)
	add("discard/none", "an empty queue is discarded", true)
	add("wire/60", "a packet that is padded on the wire", true)
	add("wait/first", "a visit waits for m_axis_ready", true)
	add("wait/next", "the next packet of a visit does", true)
	add("wait/size", "a next packet waits for the lengths, which a pop takes", several)
	add("leave/next", "a visit follows another one without a gap", several)
	add("leave/row", "packets of one beat of different connections leave in consecutive cycles", several)
	add("leave/two", "a next packet of one or two beats", true)
	add("leave/long", "a next packet of three beats or more", p.MaxFrame > params.CellBytes)
	add("pop/same", "a pop waits for a visit of its connection", true)
	add("pop/full", "a pop waits because of the number of visits", p.Connections >= params.Visits)
	add("pop/unknown", "a pop of a connection that does not exist", illegal)
	add("not_ready", "a packet begins while queues are cleared", true)
	add("flow/bell", "a connection is looked at because of a bell", true)
	add("flow/bell_lost", "a bell finds no room", true)
	add("flow/bell_both", "a packet and a visit ring in one cycle", true)
	add("flow/off", "a connection is told to stop", true)
	add("flow/off_exact", "with cells as many as the threshold", true)
	add("flow/on", "a connection is told to go on", true)
	add("flow/on_exact", "with cells as many as the threshold", true)
	add("flow/held", "a message is not taken at once", true)
	add("all/off", "all are told to stop", true)
	add("all/on", "all are told to go on", true)
	add("reset", "a reset in the middle of a packet", small)
	add("reset/visit", "a reset in the middle of a visit", small)
	return list
}

// coverage holds the memory of the coverage points.
type coverage struct {
	stored  uint64 // cycle+1 in which a packet of one beat was stored, and whose
	conn    uint64
	bad     uint64 // cycle+1 in which a bad packet of one beat ended
	dropped uint64 // cycle+1 in which one that had cells was dropped
	joined  uint64 // cycle+1 in which a packet entered, and whose
	joiner  uint64
	ended   uint64 // cycle+1 in which a visit ended that left nothing, and whose
	ender   uint64
	left    uint64 // cycle+1 in which a packet of one beat left, and whose
	leaver  uint64
}

func (c *coverage) clear() { *c = coverage{} }

// hit counts a point if it is reached.
func (g *golden) hit(point int, is bool) {
	if is {
		g.f.Reached[point]++
	}
}

// coverReset counts the points of a reset.
func (g *golden) coverReset() {
	g.hit(ptReset, g.s.inside && g.s.store)
	g.hit(ptResetVisit, g.s.walk.at != idle)
}

// coverTake counts the points of a beat; free is the number of cells before it.
func (g *golden) coverTake(b *incoming, free int) {
	after := g.s.m.Free()
	g.hit(ptLastCell, free == 1 && after == 0)
}

// coverEnter counts the points of a packet's end; charged are the cells of its connection.
func (g *golden) coverEnter(n *bench.Now, e *entered, b *incoming, charged, quota int) {
	c, now := &g.cov, n.Cycle+1
	p := e.packet
	bytes := 0
	for i := range p.Beats {
		bytes += p.Beats[i].Len
	}
	g.hit(ptUnknown, e.reason == params.Unknown)
	g.hit(ptBad, e.reason == params.Bad && p.Cells() > 1)
	one := b.first && b.last
	g.hit(ptBadRow, one && e.reason == params.Bad && c.bad == now-1)
	if one && e.reason == params.Bad {
		c.bad = now
	}
	stored := e.reason == params.Stored
	g.hit(ptBadThenStored, stored && one && c.dropped == now-1)
	if !stored && p.Cells() > 0 {
		c.dropped = now
	}
	g.hit(ptLongest, stored && bytes == int(g.p.MaxFrame))
	g.hit(ptLongByOne, e.reason == params.Long && bytes+b.beat.Len == int(g.p.MaxFrame)+1)
	g.hit(ptLongByBeat, e.reason == params.Long && p.Came > int(g.p.MaxBeats())+1)
	g.hit(ptFullFirst, e.reason == params.Full && p.Cells() == 0)
	g.hit(ptFullLater, e.reason == params.Full && p.Cells() > 0)
	g.hit(ptQuotaExact, stored && charged+p.Cells() == quota)
	g.hit(ptQuotaOver, e.reason == params.Quota && charged+p.Cells() == quota+1)
	if one && stored {
		if c.stored == now-1 {
			g.hit(ptRow, c.conn != p.Conn)
			g.hit(ptRowSame, c.conn == p.Conn)
		}
		c.stored, c.conn = now, p.Conn
	}
}

// coverJoin counts the points of a packet that enters; ending is the visit that ends in its cycle.
func (g *golden) coverJoin(n *bench.Now, e *entered, ending *model.Visit) {
	c, now := &g.cov, n.Cycle+1
	if ending != nil && g.s.m.Seen(ending.Conn) == 0 {
		c.ended, c.ender = now, ending.Conn
	}
	if e == nil || e.reason != params.Stored {
		return
	}
	conn := e.packet.Conn
	alone := g.s.m.Seen(conn) == e.packet.Cells()
	g.hit(ptJoinEmpty, alone && !(ending != nil && ending.Conn == conn))
	g.hit(ptJoinOther, !alone)
	g.hit(ptJoinAtEnd, alone && ending != nil && ending.Conn == conn)
	g.hit(ptJoinAfterEnd, alone && c.ended == now-1 && c.ender == conn)
	c.joined, c.joiner = now, conn
}

// coverView counts the points of what a pop sees.
func (g *golden) coverView(n *bench.Now, p *pop) {
	c, m := &g.cov, g.s.m
	g.hit(ptViewAfterJoin, c.joined == n.Cycle && c.joiner == p.conn)
	if e := g.s.joins[1]; e != nil && e.reason == params.Stored {
		g.hit(ptViewAtJoin, e.packet.Conn == p.conn)
	}
	waiting := m.Waiting(p.conn)
	g.hit(ptBudget0, p.budget == 0 && !p.discard && waiting > 1)
	g.hit(ptDiscard, p.discard && waiting == 1)
	g.hit(ptDiscardMany, p.discard && waiting > 1)
	g.hit(ptDiscardNone, p.discard && waiting == 0)
}

// coverVisit counts the points of what a pop takes, with a number of packets behind it.
func (g *golden) coverVisit(p *pop, v *model.Visit, behind int) {
	if p.discard {
		return
	}
	left := p.budget
	for i, x := range v.Packets {
		g.hit(ptBudgetOne, i > 0 && left == 1)
		left -= x.Bytes
	}
	g.hit(ptBudgetExact, len(v.Packets) > 1 && left == 0 && behind > 0)
	g.hit(ptMany, len(v.Packets) >= 8)
}

// coverDone counts the points of the end of a visit.
func (g *golden) coverDone(a *account) {
	g.hit(ptDoneEmpty, a.empty && !a.none)
	g.hit(ptNone, a.none)
	g.hit(ptNoneMore, a.none && !a.empty)
	g.hit(ptDoneMore, !a.none && !a.empty && a.behind > 0)
	g.hit(ptDoneJoin, !a.none && !a.empty && a.behind == 0)
}

// coverLength counts the points of a packet whose length is known.
func (g *golden) coverLength(n *bench.Now, p *model.Packet, shim int, next bool) {
	c, now := &g.cov, n.Cycle+1
	g.hit(ptWire60, p.Wire(shim) == 84 && p.Bytes+14+4*p.Tags+shim < 60)
	g.hit(ptNextTwo, next && len(p.Beats) <= 2)
	g.hit(ptNextLong, next && len(p.Beats) > 2)
	if !next && len(p.Beats) == 1 {
		g.hit(ptLeaveRow, c.left == now-1 && c.leaver != p.Conn)
		c.left, c.leaver = now, p.Conn
	}
}
