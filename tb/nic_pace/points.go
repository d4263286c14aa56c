// SPDX-License-Identifier: Apache-2.0

package nicpace

import (
	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/nic_pace"
	model "github.com/nicgen/nicgen/model/nic_pace"
	"github.com/nicgen/nicgen/tb/bench"
)

// Coverage points, by index, in the order of the table in points.
const (
	ptStall = iota
	ptHold
	ptFull
	ptWaits
	ptDoneDue
	ptDoneWheel
	ptPushDue
	ptPushWheel
	ptLookDue
	ptLookWheel
	ptBeyond
	ptAllowance
	ptMakesUp
	ptIdle
	ptIdleKept
	ptIdleUnused
	ptUnpaced
	ptSameCycle
	ptUnused
	ptOver
	ptDoneIdle
	ptDoneInside
	ptDoneWrong
	ptPushInside
	ptPushWrong
	ptRate
	ptRateWrong
	ptRateSame
	ptIllegalTwo
	ptFlush
	ptFlushInside
	ptFlushTurn
	ptFlushRate
	ptFlushWrong
	ptScanRaises
	ptScanFar
	ptDoneFar
	ptEnterFar
	ptSkipped
	ptYieldWaits
	ptEmpty
	ptOne
	ptList
	ptLate
	ptFar
	ptNext
	ptWrap
	ptEarly
	ptReset
)

// points lists the coverage points; those that a configuration cannot reach are not required.
func points(p *params.Params) []cosim.Point {
	var list bench.Points
	add := list.Add
	wrong := p.Connections < 1<<p.ConnBits
	short := p.Slots*p.SlotNS <= 1<<20 // ns: a packet may take longer
	add("due/stall", "a turn waits for m_due_ready", true)
	add("due/hold", "a turn waits as many connections want one", p.Connections > params.Hold)
	add("push/full", "no more can wait for the lane", p.Connections > params.FIFO)
	add("push/waits", "a PUSH waits for a DONE or FLUSH of its connection", true)
	add("done/due", "a DONE with another turn at once", true)
	add("done/wheel", "a DONE whose connection goes into the wheel", true)
	add("push/due", "a PUSH that is due at once", true)
	add("push/wheel", "one that goes into the wheel", true)
	add("look/due", "a connection of a slot that was taken is due", true)
	add("look/wheel", "one goes into the wheel again", short && (p.Connections > 1 || p.Slots <= 1024))
	add("beyond", "a departure time beyond the wheel", short)
	add("allowance", "a departure time that is raised to now - allowance", true)
	add("allowance/late", "a DONE of a connection that was late by more than the idle allowance, and makes up for all of it", true)
	add("idle", "a PUSH raises a departure time to now - idle allowance", true)
	add("idle/kept", "a PUSH of a connection that was idle for less", true)
	add("idle/unused", "a PUSH after a turn without DONE raises one", true)
	add("unpaced", "a DONE of a connection that is not paced", true)
	add("done/same_cycle", "a DONE in the cycle in which the turn is taken", true)
	add("push/unused", "a PUSH after a turn without DONE", true)
	add("done/over", "a DONE of a connection that wants no other turn", true)
	add("illegal/done_idle", "a DONE of a connection whose turn is over", true)
	add("illegal/done_inside", "a DONE of one that is in the wheel, or due", true)
	add("illegal/done", "a DONE of one that does not exist", wrong)
	add("illegal/push_inside", "a PUSH of one that is in the wheel, or due", true)
	add("illegal/push", "a PUSH of one that does not exist", wrong)
	add("rate", "a RATE", true)
	add("illegal/rate", "a RATE of a connection that does not exist", wrong)
	add("rate/same_cycle", "a RATE and a DONE of one connection in a cycle", true)
	add("illegal/two", "two illegal events in one cycle's count", wrong)
	add("flush", "a flush is done", true)
	add("flush/inside", "a flush finds its connection in the wheel, or due", true)
	add("flush/turn", "a flush of a connection that has its turn", true)
	add("flush/rate", "a flush waits for a RATE", true)
	add("illegal/flush", "a flush of a connection that does not exist", wrong)
	add("scan/raises", "the scan raises a departure time", true)
	add("horizon/scan", "the scan finds a departure time further ahead than any can be", true)
	add("horizon/done", "a DONE finds one", true)
	add("horizon/enter", "a PUSH, or a connection of a slot that was taken, finds one: it is due", p.Connections > 1)
	add("scan/skipped", "the scan leaves out a connection that a DONE, FLUSH or PUSH is about", true)
	add("scan/waits", "the scan waits for a DONE", true)
	add("slot/empty", "a slot without connections", true)
	add("slot/one", "a slot with one", true)
	add("slot/list", "a slot with three or more", p.Connections > 7)
	add("slot/late", "a slot that is taken late", true)
	add("slot/far", "four revolutions or more are due", true)
	add("slot/next", "a list waits until the one before is over", short && p.Connections >= 100)
	add("slot/wrap", "the number of a slot's time wraps", p.SlotNS <= 1024)
	add("not_ready", "a DONE or RATE before the unit is ready", true)
	add("reset", "a reset with connections in the wheel", true)
	return list
}

// hit counts a point.
func (r *golden) hit(point int, is bool) {
	if is {
		r.f.Reached[point]++
	}
}

// coverReset looks at a reset.
func (r *golden) coverReset() {
	for c := range r.p.Connections {
		if r.unit.Inside(uint32(c)) {
			r.f.Reached[ptReset]++
			return
		}
	}
}

// cover looks at a cycle, after the lane did something.
func (r *golden) cover() {
	i, hit := &r.in, r.hit
	hit(ptFull, len(r.pushes) == params.FIFO)
	hit(ptDoneDue, r.op == opDone && r.opPlace == model.Due)
	hit(ptDoneWheel, r.op == opDone && r.opPlace == model.Wheel)
	hit(ptPushDue, r.op == opPush && r.opPlace == model.Due)
	hit(ptPushWheel, r.op == opPush && r.opPlace == model.Wheel)
	hit(ptLookDue, r.op == opLook && r.opPlace == model.Due)
	hit(ptLookWheel, r.op == opLook && r.opPlace == model.Wheel)
	hit(ptRateWrong, r.newRate[1])
	hit(ptRate, r.newRate[0])
	hit(ptIllegalTwo, r.newRate[1] && r.illegal[1])
	hit(ptFlush, r.flushOK)
	hit(ptFlushRate, r.clearing && i.rate)
	hit(ptYieldWaits, r.op == opDone && r.yield&63 == 63)
	hit(ptNext, len(r.list) > 0 && r.walking)
}

// coverOp looks at what the lane is about to do with a connection.
func (r *golden) coverOp(conn uint32) {
	i, hit, unit := &r.in, r.hit, r.unit
	exists := unit.Legal(conn)
	within, paid := unit.Inside(conn), exists && unit.Paid(conn)
	switch r.op {
	case opDone:
		legal := exists && !within && !paid
		hit(ptUnpaced, legal && unit.Pace(conn) == 0)
		hit(ptOver, legal && !i.ended.Again)
		hit(ptSameCycle, legal && r.left == int64(conn)+1)
		hit(ptDoneWrong, !exists)
		hit(ptDoneInside, within)
		hit(ptDoneIdle, paid && !within)
		hit(ptRateSame, legal && i.rate && i.rated.Conn == conn)
		hit(ptMakesUp, legal && r.past(conn) > r.set.Idle && r.past(conn) <= r.set.Allowance)
	case opPush:
		hit(ptUnused, exists && !within && !paid)
		r.unused = exists && !within && !paid
		hit(ptPushWrong, !exists)
		hit(ptPushInside, within)
	case opFlush:
		hit(ptFlushWrong, !exists)
		hit(ptFlushInside, within)
		hit(ptFlushTurn, exists && !within && !paid)
	case opTake:
		hit(ptFar, unit.Behind(r.nows[1]) >= 4*uint64(r.p.Slots))
	}
}

// past returns how many ns ago connection c's departure time was; 0: it is to come.
func (r *golden) past(c uint32) uint64 {
	mask := uint64(1)<<r.p.TimerBits - 1
	ns, _ := r.unit.Departure(c)
	if ago := (r.time.Now - ns) & mask; ago <= mask>>1 {
		return ago
	}
	return 0
}

// coverDone looks at what the lane did, with the counters and the slot from before.
func (r *golden) coverDone(before *model.Counters, turn uint64) {
	hit, now := r.hit, &r.unit.Count
	hit(ptBeyond, now.Beyond > before.Beyond)
	hit(ptAllowance, r.op == opDone && now.Raised > before.Raised)
	pushed := r.op == opPush && now.Push > before.Push
	raised := pushed && now.Raised > before.Raised
	hit(ptIdle, raised)
	hit(ptIdleUnused, raised && r.unused)
	hit(ptIdleKept, pushed && !raised && r.past(r.pushes[0]) > 0)
	hit(ptScanRaises, r.op == opScan && now.Raised > before.Raised)
	hit(ptScanFar, r.op == opScan && now.Far > before.Far)
	hit(ptDoneFar, r.op == opDone && now.Far > before.Far)
	hit(ptEnterFar, (r.op == opPush || r.op == opLook) && now.Far > before.Far)
	if r.op == opTake {
		hit(ptLate, now.Late > before.Late)
		hit(ptWrap, r.unit.Turn() < turn)
		hit(ptEmpty, len(r.coming) == 0)
		hit(ptOne, len(r.coming) == 1)
		hit(ptList, len(r.coming) > 2)
	}
}
