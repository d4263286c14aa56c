// SPDX-License-Identifier: Apache-2.0

package plb

import (
	params "github.com/nicgen/nicgen/gen/plb"
	model "github.com/nicgen/nicgen/model/plb"
	"github.com/nicgen/nicgen/tb/bench"
)

// events holds the events of a cycle, in their order, and their results.
type events struct {
	now            uint64
	ack, rto, send bool
	open, idle     bool
	conn           [kinds]uint32
	what           model.ACK
	verdict        model.Verdict
	cause          model.Cause
}

// seen is the coverage code's state of a connection beyond the model.
type seen struct {
	opened bool   // by a request, and no SEND since
	part   bool   // the round has ACKs in the pause
	sent   uint64 // cycle+1 of the last SEND
}

// coverage counts the points of events.
type coverage struct {
	p     *params.Params
	m     *model.PLB
	hits  []uint64
	apart *bench.Distances
	conns []seen

	acks  bench.Peek[params.ACK]
	rtos  bench.Peek[params.RTO]
	sends bench.Peek[params.Send]

	e       events      // of this cycle
	before  model.State // of the SEND's connection, before the cycle
	now     uint64      // the time of the cycle before
	last    events      // of the last cycle that had any
	lastAt  uint64
	maxPkts uint64
}

func newCoverage(p *params.Params, m *model.PLB, f *bench.Frame) *coverage {
	hits := f.Reached
	return &coverage{
		acks: bench.PeekAt(f, params.ACKs), rtos: bench.PeekAt(f, params.RTOs), sends: bench.PeekAt(f, params.Sends),
		p: p, m: m, hits: hits, apart: bench.NewDistances(len(kindNames), span, p.Connections, hits[ptDistance:]),
		conns: make([]seen, p.Connections), maxPkts: 1<<p.PktsBits - 1,
	}
}

func (c *coverage) reset() {
	clear(c.conns)
	c.last = events{}
}

func (c *coverage) hit(point int, is bool) {
	if is {
		c.hits[point]++
	}
}

// begin notes the events of a cycle and the state before them.
func (c *coverage) begin(n *bench.Now, now uint64, seeded, jump bool) {
	c.hit(ptSeed, seeded)
	if jump {
		half := uint64(1) << (c.p.TimerBits - 1)
		back := (now-c.now)&(2*half-1) >= half
		c.hit(ptTimeBack, back)
		c.hit(ptTimeFar, !back)
	}
	c.now = now
	if !n.Ready || n.Rst || n.On == 0 {
		return
	}
	e := &c.e
	*e = events{now: now}
	if a := c.acks.Of(n); a != nil {
		e.ack, e.conn[kindACK] = true, a.Conn
	}
	if r := c.rtos.Of(n); r != nil {
		e.rto, e.open, e.conn[kindRTO] = true, r.Open, r.Conn
	}
	if s := c.sends.Of(n); s != nil {
		e.send, e.idle, e.conn[kindSend] = true, s.Idle, s.Conn
	}
	c.before, _ = c.m.State(e.conn[kindSend])
	if c.lastAt+1 != n.Cycle {
		c.last = events{}
	}
}

// end counts the points of a cycle as a whole.
func (c *coverage) end(n *bench.Now) {
	switch {
	case n.Rst:
		c.hit(ptReset, n.Ready)
		c.hit(ptResetOpening, !n.Ready && !n.Acting)
	case n.Dropped > 0:
		c.hits[ptNotReady]++
		c.hit(ptNotReadyFirst, n.Acting)
		c.hit(ptNotReadyThree, n.Dropped == 3)
	case n.Ready && n.On != 0:
		c.cycle(n.Cycle)
		c.hit(ptIllegalThree, n.Illegal == 3)
	}
}

// ack counts the points of an ACK from the state that it meets.
func (c *coverage) ack(what model.ACK) {
	e := &c.e
	e.what = what
	s, ok := c.m.State(e.conn[kindACK])
	a, set := e.what, &c.m.Settings
	if !ok {
		c.hits[ptIllegalACK]++
		return
	}
	if flight := a.NXT - a.UNA; flight >= 1<<params.WindowBits {
		c.hit(ptUnsent, int32(flight) < 0)
		c.hit(ptWindow, int32(flight) >= 0)
		return
	}
	c.hit(ptDuplicate, a.Pkts == 0)
	c.hit(ptMostPkts, a.Pkts == c.maxPkts)
	congested := c.m.Congested(a)
	if set.RTTDetector {
		c.hit(ptHighRTT, a.RTT == set.Target+1)
		c.hit(ptTargetRTT, a.RTT == set.Target)
		c.hit(ptMarkLowRTT, a.ECE && !congested)
	} else {
		c.hit(ptMarked, congested)
		c.hit(ptUnmarked, !congested)
	}
	now := e.now >> params.TickBits
	reached := c.m.Expired(&s, e.now)
	paused := !reached && (s.Fresh || !s.Over)
	x := &c.conns[e.conn[kindACK]]
	if s.Fresh {
		c.hit(ptBegins, !paused)
		c.hit(ptPausedNew, paused)
		x.part = paused
		return
	}
	far := a.UNA - s.End
	past := int32(far) >= 0
	c.hit(ptPastWrap, past && a.UNA < s.End)
	c.hit(ptNotPastWrap, !past && a.UNA >= s.End)
	c.hit(ptJust, far == 0)
	c.hit(ptNotYet, far == ^uint32(0))
	c.hit(ptFar, past && far >= 1<<29)
	if paused {
		c.hit(ptPaused, congested && a.Pkts > 0)
		c.hit(ptPausedPast, past)
		c.hit(ptLast, c.m.Reached(now+1, s.Until))
		c.hit(ptAcrossWrap, now > s.Until)
		x.part = !past
		return
	}
	c.hit(ptResumed, !s.Over && !s.None && now == s.Until)
	c.hit(ptStaysOver, s.Over && !reached)
	c.hit(ptResumedPast, past && x.part)
	if past {
		x.part = false
	}
	if s.First {
		c.hit(ptOne, past && a.Pkts > 0)
		c.hit(ptEmpty, past && a.Pkts == 0)
		return
	}
	c.hit(ptEmpty, past && a.Pkts == 0 && !s.Some)
	share := c.m.Share(a)
	full := c.m.Saturated(s.Balance, share)
	c.hit(ptSaturatedUp, full && s.Balance > 0)
	c.hit(ptSaturatedDown, full && s.Balance < 0)
	c.hit(ptSaturatedEnd, full && past)
}

// verdict counts the points of an ACK's verdict, from the state that it leaves.
func (c *coverage) verdict(v model.Verdict) {
	e := &c.e
	e.verdict = v
	if e.verdict == model.NoVerdict {
		return
	}
	s, _ := c.m.State(e.conn[kindACK])
	set := &c.m.Settings
	congested := e.verdict == model.Congested
	c.hit(ptCongested, congested)
	c.hit(ptClean, !congested)
	c.hit(ptExact, s.Balance == 0 && set.Fraction > 0)
	c.hit(ptAbove, !congested && s.Balance <= 1<<params.FractionOne)
	all := c.m.Congested(e.what) && e.what.Pkts > 0
	c.hit(ptFraction0, set.Fraction == 0 && s.Balance == 0)
	c.hit(ptFractionOne, set.Fraction == 1<<params.FractionOne && all && congested)
	c.hit(ptFractionMore, set.Fraction > 1<<params.FractionOne && all && !congested)
	c.hit(ptMostRounds, congested && s.Rounds == 1<<c.p.RoundBits-1)
}

// rto counts the points of an RTO, or an opening, from the state that it meets.
func (c *coverage) rto() {
	e := &c.e
	s, ok := c.m.State(e.conn[kindRTO])
	if !ok {
		c.hits[ptIllegalRTO]++
		return
	}
	paused := !s.Over && !c.m.Expired(&s, e.now)
	same := e.ack && e.conn[kindACK] == e.conn[kindRTO]
	if e.open {
		c.hit(ptOpen, !s.Fresh)
		c.hit(ptOpenPaused, paused)
		c.conns[e.conn[kindRTO]].opened = true
		return
	}
	if c.m.Settings.Mode == params.ModeECMP {
		c.hits[ptRTOECMP]++
		return
	}
	c.conns[e.conn[kindRTO]].opened = false
	pause := c.m.Settings.Pause
	c.hit(ptPause0, pause == 0)
	c.hit(ptPauseMost, pause == 1<<c.p.PauseBits-1)
	c.hit(ptRTOPaused, paused)
	c.hit(ptRTOTwice, s.Fresh && s.Asked)
	c.hit(ptRTORound, s.Rounds > 0)
	c.hit(ptAckRTO, same && e.verdict == model.Congested)
	c.hit(ptNewRTO, c.last.send && c.last.cause == model.Restart && c.last.conn[kindSend] == e.conn[kindRTO])
}

// send counts the points of a SEND from the state that it meets.
func (c *coverage) send() {
	e := &c.e
	s, ok := c.m.State(e.conn[kindSend])
	if !ok {
		c.hits[ptIllegalSend]++
		return
	}
	set := &c.m.Settings
	x := &c.conns[e.conn[kindSend]]
	same := func(kind int, on bool) bool { return on && e.conn[kind] == e.conn[kindSend] }
	spray := set.Mode >= params.ModeSpray
	ecmp := set.Mode == params.ModeECMP
	if s.Asked {
		c.hit(ptRestart, !x.opened)
		c.hit(ptRestartOpen, x.opened)
		c.hit(ptECMPRestart, ecmp)
		c.hit(ptSprayRestart, spray)
		c.hit(ptRTOSend, same(kindRTO, e.rto && !e.open) && !c.before.Asked && !ecmp)
		x.opened = false
		return
	}
	forced := set.Forced > 0 && s.Rounds >= set.Forced
	idle := set.Idle > 0 && s.Rounds >= set.Idle
	switch {
	case spray:
		c.hit(ptSpray, set.Mode == params.ModeSpray)
		c.hit(ptSpray3, set.Mode > params.ModeSpray)
		return
	case ecmp:
		c.hit(ptECMP, forced)
		return
	case forced:
		c.hit(ptForced, !e.idle)
		c.hit(ptForcedExact, !e.idle && s.Rounds == set.Forced)
		c.hit(ptForcedIdle, e.idle && idle)
		c.hit(ptAckSend, same(kindACK, e.ack) && c.before.Rounds < set.Forced)
		return
	case idle && e.idle:
		c.hits[ptIdle]++
		c.hit(ptIdleExact, s.Rounds == set.Idle)
		c.hit(ptAckSend, same(kindACK, e.ack) && c.before.Rounds < set.Idle)
		return
	}
	c.hit(ptIdleBelow, e.idle && s.Rounds+1 == set.Idle)
	c.hit(ptNotIdle, !e.idle && idle)
	c.hit(ptIdleOff, e.idle && set.Idle == 0 && s.Rounds > 0)
	c.hit(ptForcedBelow, !e.idle && s.Rounds+1 == set.Forced)
	c.hit(ptForcedOff, !e.idle && set.Forced == 0 && s.Rounds > 0)
}

// cycle counts the points of the events of a cycle together.
func (c *coverage) cycle(cycle uint64) {
	e := &c.e
	a, r, s := e.conn[kindACK], e.conn[kindRTO], e.conn[kindSend]
	legal := [kinds]bool{e.ack && c.m.Legal(a), e.rto && c.m.Legal(r), e.send && c.m.Legal(s)}
	c.apart.Cycle(cycle, legal[:], e.conn[:])
	if legal[kindACK] && legal[kindRTO] && legal[kindSend] {
		c.hit(ptAll, a == r && r == s)
		c.hit(ptApart, a != r && r != s && a != s)
	}
	if legal[kindSend] {
		x := &c.conns[s]
		c.hit(ptKept, e.cause == model.None && x.sent != 0 && cycle+1-x.sent >= span)
		x.sent = cycle + 1
	}
	if c.last.send && (c.last.cause == model.Idle || c.last.cause == model.Forced) {
		c.hit(ptNewAck, e.verdict == model.Congested && c.last.conn[kindSend] == a)
	}
	c.last, c.lastAt = *e, cycle
}
