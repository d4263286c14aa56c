// SPDX-License-Identifier: Apache-2.0

package powertcp

import (
	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/powertcp"
	model "github.com/nicgen/nicgen/model/powertcp"
	"github.com/nicgen/nicgen/tb/bench"
)

// cover counts how often coverage points are reached. It records the input history that
// the points need.
type cover struct {
	g       *golden
	hits    []uint64
	acks    bench.Wires[params.ACK]
	waiting params.ACK
	seen    []seen
	last    []model.Hop // stored telemetry, by connection and hop

	sumBits           int
	sum, time, now    uint64 // masks
	qlen, tx          uint64 // units
	sentAt            uint64 // cycle+1 of the last ACK's last beat
	waited            uint64 // cycles that an ACK has waited
	sentConn          uint32
	writtenAt, usedAt [16]uint64 // cycle+1 of the last write of each entry, and of the last hop that used it

	hop1     [params.MaxHops]sample // of the ACK between its beats
	sent     [ringN]ackCover        // by cycle of the last beat
	stales   int
	unknowns int
}

// seen is the recorded history of a connection.
type seen struct {
	have, theta bool
	count       int
	path        uint32
	mark        uint32
	rtt, least  uint32
	sent        uint64
	window      uint32    // of the last answer
	stored      bool      // θ: the last sample was the first
	firstNxt    uint32    // its snd_nxt
	kind        [2]uint64 // cycle+1 of the end of the last ACK and flush
}

// sample is the difference between a hop and its record.
type sample struct {
	counts  bool
	num, dt uint64
	drained bool
	qlen    uint32
	link    model.Link
	initial int // 1 + the rate code, if its entry is the configured one
}

// ackCover is the coverage data of an ACK until its window comes.
type ackCover struct {
	hop     [params.MaxHops]sample
	count   int
	dt      uint64 // θ
	mark    bool   // a round trip ended
	unbound bool
}

func newCover(g *golden, l *cosim.Layout, hits []uint64) (*cover, error) {
	p := g.p
	unit := p.ByteUnit()
	c := &cover{
		g: g, hits: hits, seen: make([]seen, p.Connections), last: make([]model.Hop, p.Connections*params.MaxHops),
		sumBits: p.SumBits(), sum: 1<<p.SumBits() - 1, time: 1<<p.TimeBits - 1, now: 1<<p.NowBits - 1,
		qlen: uint64(p.QlenUnit / unit), tx: uint64(p.TxUnit / unit),
	}
	return c, bench.Wire(unitName, l, p.Contract(), bench.WireIn(p.ACKs(), &c.acks))
}

// hit counts a point if on.
func (c *cover) hit(point int, on bool) {
	if on {
		c.hits[point]++
	}
}

// flying reports whether ACKs are in the pipeline.
func (c *cover) flying(n *bench.Now) bool { return c.sentAt != 0 && n.Cycle-(c.sentAt-1) < c.g.latency }

// begin counts the points of a cycle before its events.
func (c *cover) begin(n *bench.Now) {
	flying := c.flying(n)
	if n.Acting {
		c.hit(ptReset, flying)
		c.hit(ptResetBeats, c.g.gate.open)
	}
	if moved := c.g.set.Moved(); moved != 0 && flying && n.Ready {
		for i := range params.SettingPorts.Fields {
			c.hit(ptSetting+i, moved>>i&1 != 0)
		}
	}
}

// end counts the points of a cycle's handshakes.
func (c *cover) end(n *bench.Now) {
	ack, flush := n.Offered&onACK != 0, n.Offered&onFlush != 0
	switch {
	case n.Acting:
		return
	case !n.Ready:
		c.hit(ptNotReady, ack)
		c.hit(ptFlushNotReady, flush)
		return
	case !ack:
		c.waited = 0
		c.hit(ptBeatGap, c.g.gate.open)
		c.hit(ptFlushHeld, flush && !c.g.gate.open && n.On&onFlush == 0)
	case n.On&onACK == 0:
		c.waited++
		c.acks.Read(n.In, &c.waiting)
		c.hit(ptWait, true)
		c.hit(ptIllegalHeld, int64(c.waiting.Conn) >= c.g.p.Connections)
		c.hit(ptBeatWait, beatsOf(&c.waiting) > 1)
	default:
		c.waited = 0
	}
	c.hit(ptFlushBehind, flush && ack)
}

// taken counts the points of an ACK's first beat, before its effect.
func (c *cover) taken(n *bench.Now, conn uint32) {
	c.hit(ptWaitLongest, c.waited == c.g.gate.distance)
	c.hit(ptOvertakes, c.sentAt == n.Cycle && c.sentConn != conn)
	c.apart(n, 0, conn)
}

// flush counts the points of a flush, before its effect.
func (c *cover) flush(n *bench.Now, conn uint32) {
	c.apart(n, 1, conn)
	if int64(conn) >= c.g.p.Connections {
		c.hit(ptIllegalFlush, true)
		return
	}
	s := &c.seen[conn]
	c.hit(ptFlushKnown, s.have)
	c.hit(ptFlushNew, !s.have)
	s.have, s.kind[1] = false, n.Cycle+1
}

// table counts the points of a write of the link-rate table, from the entry before it.
func (c *cover) table(n *bench.Now, e *params.Write, taken bool) {
	c.hit(ptTableWait, !taken)
	if !taken {
		return
	}
	c.hit(ptTableWrite, c.flying(n))
	c.hit(ptTableUnknown, c.g.m.Links[e.Code].Valid && e.Entry&1 == 0)
	c.hit(ptTableLate, c.usedAt[e.Code] == n.Cycle)
	c.writtenAt[e.Code] = n.Cycle + 1
}

// apart counts the distance of an event of a kind to those before it.
func (c *cover) apart(n *bench.Now, kind int, conn uint32) {
	if int64(conn) >= c.g.p.Connections {
		return
	}
	least := c.g.gate.distance + 1
	for from, at := range c.seen[conn].kind {
		if at == 0 {
			continue
		}
		if d := n.Cycle - (at - 1) - least; d < distance {
			c.hits[ptDistance+(2*from+kind)*distance+int(d)]++
		}
	}
}

func (c *cover) reset() {
	for i := range c.seen {
		c.seen[i].have, c.seen[i].kind = false, [2]uint64{}
	}
	c.waited, c.sentAt = 0, 0
}

// header counts the points of an ACK's first accepted beat, after its effect.
func (c *cover) header(now *bench.Now, a *model.Ack, s *model.Step) {
	c.stales, c.unknowns = 0, 0
	clear(c.hop1[:])
	n := &c.sent[now.Cycle%ringN]
	*n = ackCover{}
	if s.Cause == model.Illegal {
		c.hit(ptIllegalAck, true)
		return
	}
	w := &c.seen[a.Conn]
	if a.Theta {
		c.sample(a, s, w, n)
	} else {
		c.hit(ptNoTelemetry, s.Cause == model.NoSample)
		c.hit(ptNoTelemetryFirst, s.Cause == model.NoSample && !w.have)
		c.hit(ptExcess, s.Excess)
		if c.g.p.Observes() && s.Cause != model.NoSample {
			c.base(a, s, w)
		}
	}
	switch s.Cause {
	case model.First:
		c.hit(ptFirst, true)
	case model.Changed:
		switch {
		case a.Theta && !w.theta:
			c.hit(ptToTheta, true)
		case !a.Theta && w.theta:
			c.hit(ptToINT, true)
		default:
			c.hit(ptPath, a.Path != w.path && (a.Theta || s.Count == w.count))
			c.hit(ptHopCount, a.Path == w.path && !a.Theta && s.Count != w.count)
		}
	case model.Updated, model.Stale, model.WithinRTT:
		c.marks(a, w, n)
	}
	switch s.Cause {
	case model.First, model.Changed:
		switch {
		case !a.Theta:
			w.mark = a.SndNxt
		case s.Cause == model.First:
			w.mark = a.Seq
		}
		w.have, w.theta, w.count, w.path = true, a.Theta, s.Count, a.Path
	case model.Updated, model.Stale:
		if n.mark {
			w.mark = a.SndNxt
		}
	}
}

// base counts the points of what an ACK with telemetry does to its base RTT.
func (c *cover) base(a *model.Ack, s *model.Step, w *seen) {
	timed := a.RTTValid && a.RTT != 0
	c.hit(ptBaseZero, a.RTTValid && a.RTT == 0)
	switch s.Cause {
	case model.First, model.Changed:
		c.hit(ptBaseFirst, timed)
		c.hit(ptBaseFirstNone, !timed)
		c.hit(ptBaseAgain, s.Cause == model.Changed && a.RTT > w.least && w.least != 0)
		if w.least = ^uint32(0); timed {
			w.least = a.RTT
		}
		return
	}
	c.hit(ptBaseNone, !timed)
	c.hit(ptBaseAbove, timed && a.RTT > w.least)
	if timed {
		c.hit(ptBaseLower, a.RTT < w.least && s.Count > 1)
		w.least = min(w.least, a.RTT)
	}
}

// marks counts the points of an ACK's position in the round trip.
func (c *cover) marks(a *model.Ack, w *seen, n *ackCover) {
	ahead := int32(a.SndNxt-w.mark) < 0
	far := int32(a.Seq - w.mark)
	n.mark = ahead || far > 0 || a.Theta && far == 0
	c.hit(ptRenewed, n.mark)
	c.hit(ptKept, !n.mark)
	c.hit(ptMarkAhead, ahead)
	c.hit(ptMarkExact, far == 0)
	c.hit(ptMarkNext, far == 1)
	c.hit(ptMarkBefore, far == -1)
	c.hit(ptMarkWrap, !ahead && far > 0 && a.Seq < w.mark)
}

// sample counts the points of an ACK with a round-trip time.
func (c *cover) sample(a *model.Ack, s *model.Step, w *seen, n *ackCover) {
	switch s.Cause {
	case model.NoSample:
		c.hit(ptNoRTT, true)
		c.hit(ptNoRTTFirst, !w.have)
		c.hit(ptRTT0, a.RTTValid)
		return
	case model.First, model.Changed:
		w.least = a.RTT
		w.rtt, w.sent = a.RTT, a.Now
		w.stored, w.firstNxt = s.Cause == model.First, a.SndNxt
		return
	}
	c.hit(ptRTTLeast, a.RTT < w.least)
	w.least = min(w.least, a.RTT)
	dt := (a.Now - w.sent) & c.now
	if s.Cause == model.WithinRTT {
		c.hit(ptSameTime, dt == 0)
		c.hit(ptWithinRTT, dt != 0)
		return
	}
	n.dt = dt
	c.hit(ptRTTSecond, w.stored && int32(a.Seq-w.firstNxt) < 0)
	c.hit(ptRTTEvery, int32(a.Seq-w.mark) < 0 && int32(a.SndNxt-w.mark) >= 0)
	w.stored = false
	c.hit(ptNowWrap, a.Now < w.sent)
	c.hit(ptRTTUp, a.RTT > w.rtt)
	c.hit(ptRTTSame, a.RTT == w.rtt)
	c.hit(ptRTTSteep, a.RTT > w.rtt && uint64(a.RTT-w.rtt)>>8 >= dt)
	if a.RTT < w.rtt {
		c.hit(ptRTTDown, true)
		c.hit(ptRTTFloor, uint64(w.rtt-a.RTT)<<16/dt+uint64(c.g.m.Settings.ThetaFloor) > 1<<16)
	}
	w.rtt, w.sent = a.RTT, a.Now
}

// hop counts the points of a hop of an ACK.
func (c *cover) hop(n *bench.Now, a *model.Ack, s *model.Step, i int, h *model.Hop, code uint8, e model.HopEvent) {
	c.hit(ptTableSeen, c.writtenAt[code] == n.Cycle+1)
	c.usedAt[code] = n.Cycle + 1
	was := &c.last[int(a.Conn)*params.MaxHops+i]
	if s.Cause == model.First || s.Cause == model.Changed {
		*was = *h
		return
	}
	if e == model.HopStale {
		c.stales++
		return
	}
	dt := uint64(h.Time-was.Time) & c.time
	num := (uint64(h.Qlen)*c.qlen + uint64(h.Tx)*c.tx - uint64(was.Qlen)*c.qlen - uint64(was.Tx)*c.tx) & c.sum
	top := num >> (c.sumBits - 3)
	all := uint32(1)<<c.g.p.QlenBits - 1
	c.hit(ptTimeWrap, h.Time < was.Time)
	c.hit(ptTxWrap, h.Tx < was.Tx)
	c.hit(ptQueueUp, was.Qlen == 0 && h.Qlen == all)
	c.hit(ptQueueDown, was.Qlen == all && h.Qlen == 0)
	*was = *h
	if e == model.HopUnknown {
		c.unknowns++
		return
	}
	wait := uint64(h.Qlen) * uint64(h.Link.C1) >> (uint(c.g.p.ShiftBase()) + 4*h.Link.Shift)
	c.hit(ptQueueHuge, wait+uint64(h.Link.C0.M) >= 1<<26 && !c.g.p.Observes())
	c.hit(ptDrained, top == 7)
	c.hit(ptNothing, num == 0)
	c.hit(ptHuge, top >= 4 && top < 7)
	if top == 7 {
		num = 0
	}
	c.hop1[i] = sample{counts: true, num: num, dt: dt, drained: top == 7, qlen: h.Qlen, link: h.Link}
	if c.writtenAt[code] == 0 {
		c.hop1[i].initial = 1 + int(code)
	}
}

// ack counts the points of an ACK's last accepted beat.
func (c *cover) ack(now *bench.Now, a *model.Ack, s *model.Step) {
	c.sentAt, c.sentConn = now.Cycle+1, a.Conn
	n := &c.sent[now.Cycle%ringN]
	n.hop, n.count = c.hop1, s.Count
	if s.Cause == model.Illegal {
		return
	}
	c.seen[a.Conn].kind[0] = now.Cycle + 1
	if a.Theta || s.Count == 0 {
		return
	}
	c.hit(ptStaleSome, c.stales > 0 && c.stales < s.Count)
	c.hit(ptStaleAll, c.stales == s.Count)
	c.hit(ptUnknownSome, c.unknowns > 0 && c.unknowns < s.Count)
	c.hit(ptUnknownAll, c.unknowns == s.Count)
}

// window counts the points of an ACK's answer and of the settings that it used.
func (c *cover) window(now *bench.Now, q *pending, a *model.Result) {
	set, n := &c.g.m.Settings, &c.sent[(now.Cycle-c.g.latency)%ringN]
	if a.Cause != model.Updated && a.Cause != model.Stale {
		if a.Cause != model.Illegal {
			w := &c.seen[q.conn].window
			c.hit(ptOutside, a.Cause != model.First && c.seen[q.conn].have && *w != a.Window)
			*w = a.Window
		}
		return
	}
	c.seen[q.conn].window = a.Window
	c.hit(ptClampLow, a.Low)
	c.hit(ptClampHigh, a.High)
	c.hit(ptBetween, !a.Low && !a.High)
	c.hit(ptMinIsMax, set.MinWindow == set.MaxWindow)
	c.hit(ptGamma0, set.Gamma == 0)
	c.hit(ptGamma1, set.Gamma == 1<<model.GammaFrac)
	c.hit(ptBeta0, set.Beta == 0)
	c.hit(ptBetaMax, set.Beta == 1<<params.BetaBits-1)
	c.hit(ptRateTop, a.Rate == 1<<params.PaceBits-1)
	c.hit(ptPowerHigh, a.Power>>model.NormFrac >= 250)
	c.hit(ptPowerLow, a.Power>>(model.NormFrac-6) == 0)
	c.hit(ptPowerUsual, a.Power>>(model.NormFrac-1) >= 1 && a.Power>>model.NormFrac < 20)
	if a.Cause == model.Stale {
		return
	}
	tau, dt := uint64(c.seen[q.conn].least), n.dt
	if n.count > 0 {
		best := &n.hop[a.Hop]
		tau, dt = uint64(set.Tau), best.dt
		if c.g.p.Observes() {
			tau = uint64(c.g.m.BaseRTT(q.conn))
			c.hit(ptBaseSmall, tau < 129)
			c.hit(ptBaseInitial, tau == uint64(set.Tau))
		}
		c.hits[ptBest+a.Hop]++
		c.hits[ptHops+n.count-1]++
		c.hit(ptDrainedUsed, best.drained)
		if best.initial != 0 {
			c.hits[ptInitial+best.initial-1]++
		}
		c.hit(ptNormMax, a.Norm == 1<<params.NormBits-1)
		c.hit(ptNormMin, a.Norm == 1<<(model.NormFrac-8))
		for i := a.Hop + 1; i < n.count; i++ {
			c.hit(ptTie, n.hop[i] == *best)
		}
	}
	c.hit(ptAboveTau, dt >= tau)
	c.hit(ptNearTau, dt < tau && 2*dt >= tau)
	c.hit(ptBelowTau, 2*dt < tau)
}
