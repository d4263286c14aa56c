// SPDX-License-Identifier: Apache-2.0

package lapsloss

import (
	params "github.com/nicgen/nicgen/gen/laps_loss"
	model "github.com/nicgen/nicgen/model/laps_loss"
	"github.com/nicgen/nicgen/tb/bench"
)

// stage returns the visit in a stage of the barrel in this cycle, before its end. The visit
// in the last stage ends its pass.
func (g *golden) stage(n int) *visit {
	i := g.phase + len(g.slots) - 1 - n
	if i >= len(g.slots) {
		i -= len(g.slots)
	}
	return &g.slots[i]
}

// turn is the queue whose turn it is to be read: the first after the last; -1: none.
func (g *golden) turn() int {
	n := len(g.queues)
	for i := g.after + 1; i < n; i++ {
		if g.queues[i].some {
			return i
		}
	}
	for i := range g.after + 1 {
		if g.queues[i].some {
			return i
		}
	}
	return -1
}

// move ends a pass, and moves ACKs and looks at timers towards the barrel and into it.
// pushed tells that an ACK has been put into queue to.
func (g *golden) move(n *bench.Now, cur *late, pushed bool, to int) {
	s := &g.scan
	end := len(g.slots) - 1 // the last stage
	held := false           // for the next cycle
	if s.step == g.last {
		held = g.e1 != nil && g.e1.path == s.path
		for k := range g.slots {
			v := g.stage(k)
			held = held || k != end-1 && v.on && v.path == s.path
		}
	}
	if g.taken == len(g.slots) {
		g.f.Reached[ptBarrelFull]++
	}

	// Visits that end.
	v := g.stage(end)
	wasOn, wasTimer, settled := v.on, v.timer, v.on && v.first
	if wasOn {
		g.decide(n, v, cur)
	}
	free, done := !v.on, g.wait(v.path)
	replay := settled && v.follow && (v.cause == model.Skip || v.cause == model.Ignored)
	ends := wasOn && !settled && free

	// Visits that enter.
	e0, e1 := g.e0, g.e1
	from0, from1 := -1, -1
	if e0 != nil {
		from0 = g.wait(e0.path)
	}
	heldNow := false
	if e1 != nil {
		from1 = g.wait(e1.path)
		heldNow = s.want && e1.path == s.path
		if heldNow {
			g.f.Reached[ptBackWant]++
		}
		if g.walks > 0 {
			for k := range end {
				if o := g.stage(k); o.busy() && o.path == e1.path {
					heldNow = true
					g.coverBack(o, k)
				}
			}
		}
	}
	check := free && s.want && !s.held
	back := e1 != nil && heldNow
	enter := e1 != nil && !heldNow && free && !check && !(replay && from1 == done)
	load1 := e1 == nil || enter || back
	load0 := e0 == nil || load1
	turn := g.turn()
	keep0 := e0 != nil && !(back && from0 == from1) && !(replay && from0 == done)
	keepTurn := load0 && turn >= 0 && !(back && turn == from1) && !(replay && turn == done)

	switch {
	case load1 && keep0:
		g.e1 = e0
	case load1, replay && from1 == done:
		g.e1 = nil
	}
	switch {
	case keepTurn:
		g.e0 = g.queues[turn].at(g.queues[turn].rd)
	case load0, !keep0:
		g.e0 = nil
	}
	for i := range g.queues {
		q := &g.queues[i]
		read, more := load0 && i == turn, q.rd != q.wr
		next := q.rd
		if read {
			more = q.rd+1 != q.wr
			next++
		}
		q.some = (more || pushed && i == to) && !q.blocked
		if back && i == from1 {
			next = q.rd - 1
			if from0 == i {
				next--
				g.f.Reached[ptBackTwo]++
			}
			q.some, q.blocked = false, true
		} else if ends && i == done {
			q.blocked = false
		}
		if replay && i == done {
			next = q.keep + 1
			q.some = false
		}
		if settled && i == done {
			q.keep++
		}
		q.rd = next
		if pushed && i == to {
			q.wr++
		}
	}
	if load0 && turn >= 0 {
		g.after = turn
	}
	if replay {
		g.sendBack(v, done)
	}
	switch {
	case check:
		*v = visit{on: true, timer: true, passes: 1, event: event{path: s.path}, lost: v.lost}
		g.entry = v
		g.taken++
		g.walks++
	case enter:
		lost := v.lost
		before := 0
		for k := range end {
			if o := g.stage(k); o.first && o.path == e1.path {
				o.follow = true
				if before == 0 {
					before = k + 1
				}
			}
		}
		if before == 0 && settled && v.path == e1.path {
			before = end + 1
		}
		*v = visit{on: true, first: true, apart: before, event: *e1, lost: lost}
		v.rtoMin = g.rtoMin.Get(n.In)
		g.entry = v
		g.taken++
	}
	g.scanned(check, ends && wasTimer)
	s.held = held
}

// sendBack sends all ACKs of a queue that are in their first pass back to it, behind the
// ACK of visit v.
func (g *golden) sendBack(v *visit, queue int) {
	for n := range len(g.slots) - 1 {
		if o := g.stage(n); o.first && g.wait(o.path) == queue {
			o.on, o.first = false, false
			g.taken--
			if o.path != v.path {
				g.f.Reached[ptReplayOther]++
			}
		}
	}
	g.coverReplay(v)
}

// scanned advances the timers: check reports that a timer check enters the barrel, ended that
// it has finished.
func (g *golden) scanned(check, ended bool) {
	s := &g.scan
	next := ended
	if !s.busy {
		next = s.step == g.last && !s.want && !s.expired
	}
	switch {
	case s.step != g.last:
		s.step++
	case !s.busy && s.expired:
		s.want = true
	}
	if check {
		s.want, s.busy, s.step = false, true, 0
	}
	if next {
		s.busy, s.step = false, 0
		if s.path++; int64(s.path) == g.p.Paths {
			s.path = 0
		}
	}
	if !g.ready {
		s.path, s.step, s.want, s.busy = 0, 0, false, false
	}
}

// decide ends a pass.
func (g *golden) decide(n *bench.Now, v *visit, cur *late) {
	switch {
	case v.first:
		v.first = false
		g.resolve(v)
		if v.passes > 0 || len(v.lost) > 0 {
			g.walks++
			return
		}
	case v.passes > 0:
		if v.passes--; v.passes > 0 {
			return
		}
		if v.timer && len(v.lost) > 0 {
			cur.any = true
			cur.count[params.CountTimeout] += v.count[params.CountTimeout]
		}
		if len(v.lost) > 0 {
			return
		}
		g.walks--
	case g.lostWr-g.lostRd+g.popped >= uint64(g.p.LostQueue):
		g.f.Reached[ptLostFull]++
		return
	default:
		*g.lostAt(g.lostWr) = loss{v.path, v.timer, v.lost[v.reported]}
		g.lostWr++
		g.f.Accepted++
		if !g.f.Bare {
			g.coverReport(v)
		}
		cur.any = true
		if v.timer {
			cur.count[params.CountExpired]++
		} else {
			cur.count[params.CountLost]++
		}
		if v.reported++; v.reported < len(v.lost) {
			return
		}
		g.walks--
	}
	v.on = false
	g.taken--
	cur.release, cur.path = v.release, v.path
	if v.timer {
		cur.count[params.CountExpired] += v.count[params.CountExpired] - uint8(len(v.lost)) // each was counted as it was reported
		return
	}
	g.done.EmitAfter(n, &params.Done{PID: v.path, Flow: v.seg.Flow, Seq: v.seg.Seq, Cause: uint8(v.cause)}, params.AnswerDelay)
	v.count[params.CountLost] -= uint8(len(v.lost))
	cur.add(v.count)
}

// lostAt is a place on the way to the sender.
func (g *golden) lostAt(i uint64) *loss { return &g.lost[i&uint64(len(g.lost)-1)] }
