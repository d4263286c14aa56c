// SPDX-License-Identifier: Apache-2.0

package repsdetector

import (
	params "github.com/nicgen/nicgen/gen/reps_detector"
	model "github.com/nicgen/nicgen/model/reps_detector"
	"github.com/nicgen/nicgen/tb/bench"
)

// coverage counts the points.
type coverage struct {
	p           *params.Params
	m           *model.Detector
	time        *params.Time
	hits        []uint64
	max, maxRTT uint64 // largest time, and so window; largest RTT

	timeouts bench.Peek[params.Timeout]
	e        events
	was      model.State // of the timeout's connection, before the cycle
	lastNow  uint64

	apart *bench.Distances
	low   []bool   // a low RTT since the last high one, by connection
	alone []bool   // no other connection was flushed since the last high RTT
	fresh []uint32 // connections for which alone holds
}

// events holds the events of a cycle.
type events struct {
	rtt, high, flush, timeout bool
	conn, late                uint32 // of the RTT sample or the flush; of the timeout
}

func newCoverage(p *params.Params, m *model.Detector, time *params.Time, f *bench.Frame) *coverage {
	return &coverage{
		p: p, m: m, time: time, hits: f.Reached, timeouts: bench.PeekAt(f, params.Timeouts),
		max: ^uint64(0) >> (64 - p.TimerBits), maxRTT: 1<<p.RTTBits - 1,
		apart: bench.NewDistances(len(kindNames), distances, p.Connections, f.Reached[ptDistance:]),
		low:   make([]bool, p.Connections), alone: make([]bool, p.Connections),
	}
}

func (c *coverage) reset() {
	clear(c.low)
	clear(c.alone)
	c.fresh = c.fresh[:0]
}

func (c *coverage) hit(point int, is bool) {
	if is {
		c.hits[point]++
	}
}

// begin notes the state before the first event of a cycle.
func (c *coverage) begin(n *bench.Now) {
	if t := c.timeouts.Of(n); t != nil {
		c.was, _ = c.m.State(t.Conn)
	}
}

// end counts the points of a cycle as a whole.
func (c *coverage) end(n *bench.Now) {
	switch {
	case n.Rst:
		c.hit(ptReset, n.Ready)
		c.hit(ptResetEmptying, !n.Ready && !n.Acting)
	case n.Ready:
		c.hit(ptTimeWrap, c.time.Now < c.lastNow)
		c.lastNow = c.time.Now
		if n.On == 0 {
			return
		}
		c.hit(ptIllegalTwo, n.Illegal == 2)
		e := &c.e
		on := [kinds]bool{e.high, e.flush && c.m.Legal(e.conn), e.timeout && c.m.Legal(e.late)}
		c.apart.Cycle(n.Cycle, on[:], []uint32{e.conn, e.conn, e.late})
		*e = events{}
	case n.Dropped > 0:
		c.hits[ptNotReady]++
		c.hit(ptNotReadyFirst, n.Acting)
		c.hit(ptNotReadyTwo, n.Dropped == 2)
	}
}

// rtt counts the points of an RTT sample, with or without a flush waiting for it.
func (c *coverage) rtt(n *bench.Now, e *params.RTT, high bool) {
	h := c.hits
	c.e.rtt, c.e.high, c.e.conn = true, high, e.Conn
	c.hit(ptFlushWaits, n.Offered&onFlush != 0)
	if !c.m.Legal(e.Conn) {
		h[ptIllegalRTT]++
		return
	}
	c.low[e.Conn] = !high
	if high {
		c.note(e.Conn)
	}
	t := c.m.Settings.Threshold
	switch {
	case e.NS == t:
		h[ptRTTExact]++
	case e.NS > t:
		h[ptRTTHigh]++
	case e.NS+1 == t:
		h[ptRTTBelow]++
	default:
		h[ptRTTLow]++
	}
	c.hit(ptRTTMax, e.NS == c.maxRTT)
	switch t {
	case 0:
		h[ptThreshold0]++
	case c.maxRTT:
		h[ptThresholdMax]++
	}
}

// onFlush is the place of a flush among the transfers of a cycle.
const onFlush = 1 << 1

// flush counts the points of a flush from the state that it empties.
func (c *coverage) flush(conn uint32) {
	c.e.flush, c.e.conn = true, conn
	s, ok := c.m.State(conn)
	if !ok {
		c.hits[ptIllegalFlush]++
		return
	}
	c.hit(ptFlushSeen, s.Seen)
	c.low[conn] = false
	c.forget(conn)
}

// timeout counts the points of a timeout from the connection's state, alone and with the other event of
// its cycle.
func (c *coverage) timeout(conn uint32) {
	c.e.timeout, c.e.late = true, conn
	c.judge(conn, c.time.Now)
	if c.e.rtt || c.e.flush {
		c.same(c.time.Now)
	}
}

// judge counts the points of a timeout alone.
func (c *coverage) judge(conn uint32, now uint64) {
	h, m := c.hits, c.m
	s, ok := m.State(conn)
	if !ok {
		h[ptIllegalTimeout]++
		return
	}
	age, w := m.Age(s.When, now), m.Settings.Window
	if m.Settings.Trimming {
		if s.Seen && age <= w {
			h[ptTrimming]++
		}
		return
	}
	if !s.Seen {
		h[ptNever]++
		return
	}
	old := age > c.max>>1
	if age <= w {
		h[ptRecent]++
		if old {
			h[ptOldHigh]++
		}
		if c.low[conn] {
			h[ptLow]++
		}
		if now < s.When {
			h[ptAgeWrap]++
		}
		if c.p.Connections > 1 && !c.alone[conn] {
			h[ptFlushOther]++
		}
	} else {
		h[ptStale]++
		if old {
			h[ptOldStale]++
		}
	}
	switch {
	case age == w:
		h[ptExact]++
	case age == w+1:
		h[ptNext]++
	}
	if age == 0 {
		h[ptAge0]++
	}
	switch w {
	case 0:
		h[ptWindow0]++
	case c.max:
		h[ptWindowMax]++
	}
}

// same counts the points of an RTT sample or a flush in the cycle of a timeout.
func (c *coverage) same(now uint64) {
	e, m, was := &c.e, c.m, &c.was
	if !m.Legal(e.late) || !m.Legal(e.conn) || m.Settings.Trimming {
		return
	}
	recent := was.Seen && m.Age(was.When, now) <= m.Settings.Window
	switch {
	case e.conn != e.late:
		c.hit(ptSameOther, e.high)
	case e.high:
		c.hits[ptSameHigh]++
	case e.rtt:
		c.hit(ptSameLow, was.Seen)
	case e.flush:
		c.hit(ptSameFlush, recent)
	}
}

// note begins to watch whether other connections are flushed.
func (c *coverage) note(conn uint32) {
	if !c.alone[conn] {
		c.alone[conn] = true
		c.fresh = append(c.fresh, conn)
	}
}

// forget records that a connection was flushed, which for all others is a flush of
// another connection.
func (c *coverage) forget(conn uint32) {
	keep := false
	for _, f := range c.fresh {
		if f == conn {
			keep = true
			continue
		}
		c.alone[f] = false
	}
	c.fresh = c.fresh[:0]
	if keep {
		c.fresh = append(c.fresh, conn)
	}
}
