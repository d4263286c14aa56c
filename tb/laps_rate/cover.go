// SPDX-License-Identifier: Apache-2.0

package lapsrate

import (
	params "github.com/nicgen/nicgen/gen/laps_rate"
	model "github.com/nicgen/nicgen/model/laps_rate"
	"github.com/nicgen/nicgen/tb/bench"
)

// coverCycle covers resets, time and handshakes of a cycle.
func (g *golden) coverCycle(n *bench.Now) {
	h := g.f.Reached
	if n.Rst {
		if n.Ready {
			h[ptReset]++
		}
		return
	}
	if g.time.Now < g.lastNow {
		h[ptTimeWrap]++
	}
	g.lastNow = g.time.Now
	const both = 3 // an ACK and an opening
	switch {
	case !n.Ready && n.Offered != 0:
		h[ptNotReady]++
	case n.Ready && n.Offered == both:
		h[ptOpenWaits]++
	}
}

// coverEvent covers an executed event; was is the state of its flow before.
func (g *golden) coverEvent(n *bench.Now, e *event, was *model.State) {
	if !g.m.Legal(e.flow) {
		g.f.Reached[map[kind]int{ack: ptIllegalACK, open: ptIllegalOpen}[e.kind]]++
		return
	}
	g.cover(e, was)
	var on [kinds]bool
	switch e.answer.Cause {
	case model.Decrease:
		on[kindDecrease] = true
	case model.Increase, model.Hyper:
		on[kindIncrease] = true
	case model.Opened:
		on[kindOpen] = true
	case model.Held:
		on[kindHeld] = true
	}
	g.apart.Cycle(n.Cycle, on[:], []uint32{e.flow, e.flow, e.flow, e.flow})
}

// cover looks at an event of a flow that exists; was is the flow's state before.
func (g *golden) cover(e *event, was *model.State) {
	h, set := g.f.Reached, g.m.Settings
	f := &g.history[e.flow]
	hit := func(point int, when bool) {
		if when {
			h[point]++
		}
	}
	if e.kind == open {
		hit(ptOpenLower, was.Current < set.Max)
		g.opened++
		*f = newPast(g.opened)
		return
	}
	cause, x := e.answer.Cause, e.extremes
	hit(ptOpenOther, f.opened != g.opened && was.Current < set.Max)
	if cause == model.NoPath {
		h[ptNoPath]++
		return
	}
	dead := uint64(1)<<g.p.LatBits - 1
	next, other := was.NextIncrease, was.NextDecrease
	if e.congested {
		next, other = other, next
	}
	age := (e.now - next) & g.mask // of the time to wait for
	half := g.mask>>1 + 1
	hit(ptEqual, x.Least == x.Base && cause != model.Held)
	hit(ptEqualNext, x.Least == x.Base+1 && cause != model.Held)
	hit(ptAllDead, x.Least == dead && x.Base != dead)
	hit(ptBothDead, x.Least == dead && x.Base == dead)
	hit(ptZero, x.Least == 0 && x.Base == 0)
	if cause == model.Held {
		if e.congested {
			h[ptHeldDecrease]++
			hit(ptExactDecrease, age == 0)
		} else {
			h[ptHeldIncrease]++
			hit(ptExactIncrease, age == 0)
		}
		hit(ptGateWrap, next < e.now)
		// Longer than the interval that the last change began: a turn of the time.
		hit(ptTurn, int64((next-e.now)&g.mask) > f.interval[gate(e)])
		return
	}
	hit(ptOtherGate, g.m.Waits(other, e.now))
	hit(ptFirst, age == 1)
	hit(ptHalf, age > half)
	hit(ptHealed, age >= half)
	hit(ptSpread, x.Most > x.Base && x.Least <= x.Base)
	after, _ := g.m.State(e.flow)
	f.interval[gate(e)] = int64((after.NextIncrease - e.now) & g.mask)
	if e.congested {
		f.interval[gate(e)] = int64((after.NextDecrease - e.now) & g.mask)
	}
	above := was.Current > set.Max
	if e.congested {
		h[ptDecrease]++
		hit(ptNextDecrease, age == 1)
		hit(ptReachMin, after.Current == set.Min && after.Current > min(was.Current, set.Max)>>1)
		hit(ptAtMin, was.Current == set.Min && set.Min <= set.Max)
		hit(ptAbove, above)
		hit(ptLowMax, above && set.Max>>1 < set.Min)
		hit(ptStagesMax, set.Stages == 1<<params.StageBits-1)
		return
	}
	hit(ptNextIncrease, age == 1)
	hit(ptNoTime, after.NextIncrease == e.now)
	hit(ptAtMax, was.Current == set.Max && was.Expected == set.Max)
	hit(ptAboveUp, above)
	if step := uint64(g.p.Least); step > 0 && !above {
		expected := was.Expected
		if cause == model.Hyper {
			expected *= 2
		}
		expected = min(expected, set.Max)
		mean := (expected + was.Current) >> 1
		hit(ptStep, after.Current == was.Current+step && after.Current > mean)
		hit(ptStepMean, after.Current == mean && mean > was.Current+step)
		hit(ptStepMost, after.Current == set.Max && was.Current+step > set.Max && mean < set.Max)
		hit(ptStepAhead, after.Expected > expected)
	}
	hit(ptOdd, !above && (after.Expected+was.Current)&1 == 1)
	hit(ptStagesChanged, was.Left > set.Stages)
	if cause == model.Hyper {
		h[ptHyper]++
		hit(ptReachMax, !above && was.Expected <= set.Max && 2*was.Expected > set.Max)
		hit(ptCutHyper, !above && was.Expected > set.Max)
		hit(ptStages0, set.Stages == 0)
	} else {
		h[ptIncrease]++
		hit(ptCut, !above && was.Expected > set.Max)
	}
}

// past is a flow's memory for coverage points.
type past struct {
	interval [2]int64 // from the last increase, and decrease, to the time to wait for, ns
	opened   uint64   // openings of all flows when this one was
}

// newPast returns the memory of an opened flow, which waits for nothing.
func newPast(opened uint64) past { return past{interval: [2]int64{-1, -1}, opened: opened} }

// gate is the place in past of the interval that an ACK waits for.
func gate(e *event) int {
	if e.congested {
		return 1
	}
	return 0
}

// coverPaths looks at the paths of an ACK, of which e are the extremes.
func (g *golden) coverPaths(e model.Extremes) {
	h, p := g.f.Reached, g.p
	valid, least, most, base := 0, -1, -1, -1
	// alone is the path that has an extreme, or -2 if several have.
	alone := func(at *int, i int, has bool) {
		switch {
		case !has:
		case *at == -1:
			*at = i
		default:
			*at = -2
		}
	}
	for i, w := range g.paths {
		if !w.Valid {
			if w.RealVal < e.Least {
				h[ptHiddenLeast]++
			}
			if w.BaseVal > e.Base {
				h[ptHiddenBase]++
			}
			continue
		}
		valid++
		alone(&least, i, w.RealVal == e.Least)
		alone(&most, i, w.RealVal == e.Most)
		alone(&base, i, w.BaseVal == e.Base)
	}
	switch valid {
	case 1:
		h[ptOnePath]++
		return // it has everything
	case len(g.paths):
		h[ptAllPaths]++
	}
	to := ptDistance + kinds*kinds*distances
	at := func(i int, wanted bool) {
		if !wanted {
			return
		}
		if i >= 0 {
			h[to+i]++
		}
		to += len(g.paths)
	}
	at(least, true)
	at(base, p.Operands == params.PathsOp)
	at(most, p.Decrease == params.Most)
}
