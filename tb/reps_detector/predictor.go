// SPDX-License-Identifier: Apache-2.0

package repsdetector

import (
	"fmt"
	"strings"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/reps_detector"
	model "github.com/nicgen/nicgen/model/reps_detector"
	"github.com/nicgen/nicgen/tb/bench"
)

// late are outputs that appear some cycles after their cause.
type late struct {
	timeout bool // a timeout was taken
	conn    uint64
	cause   model.Cause
	any     bool     // some increment is not zero
	events  [8]uint8 // increments, in the order of params.CounterNames
}

// Places of the counters that run later than the others.
const (
	countFail       = 3
	countCongestion = 4
	countIllegal    = 6
	countNotReady   = 7
)

// predictor is the golden model behind the unit's ports.
type predictor struct {
	bench.Golden
	p      *params.Params
	pins   *pins
	m      *model.Detector
	max    uint64 // largest time, and so window
	maxRTT uint64

	reset   bool  // rst was up in the cycle before: the unit resets now
	ready   bool  // connections are emptied
	cleared int64 // of them, so far
	lastNow uint64

	ring [8]late // by cycle, modulo 8

	apart *bench.Distances
	low   []bool   // a low RTT since the last high one, by connection
	alone []bool   // no other connection was flushed since the last high RTT
	fresh []uint32 // connections for which alone holds
}

func newPredictor(p *params.Params, l *cosim.Layout, bare bool) (cosim.Predictor, error) {
	x, err := newPins(l)
	if err != nil {
		return nil, err
	}
	r := &predictor{
		p: p, pins: x, m: model.New(p), Golden: bench.NewGolden(l, len(points(p)), bare),
		max:    ^uint64(0) >> (64 - p.TimerBits),
		maxRTT: 1<<p.RTTBits - 1,
		low:    make([]bool, p.Connections),
		alone:  make([]bool, p.Connections),
	}
	r.apart = bench.NewDistances(len(kindNames), distances, p.Connections, r.Reached[ptDistance:])
	r.Always(append(x.counter[:], x.ready, x.flushReady, x.valid, x.failValid, x.evtIllegal)...)
	return r, nil
}

// Step implements cosim.Predictor. A reset acts one cycle after rst; what comes with rst is
// forgotten, what comes in that cycle is not taken.
func (r *predictor) Step(in, want, care []uint64) {
	x := r.pins
	if r.Known {
		r.show(want, care)
	}
	rst := x.rst.On(in)
	if r.reset {
		r.m.Reset()
		r.Known, r.cleared = true, 0
		r.ring = [8]late{}
		clear(r.Want)
		clear(r.low)
		clear(r.alone)
		r.fresh = r.fresh[:0]
	}
	cur := &r.ring[r.Cycle&7]
	*cur = late{}
	if r.Known {
		r.take(in, want, cur, rst)
	}
	switch {
	case rst:
		r.ready = false
	case r.Known && !r.ready && !r.reset:
		r.cleared++
		r.ready = r.cleared == r.p.Connections
	}
	r.reset = rst
	r.Cycle++
}

// show writes the outputs of earlier cycles.
func (r *predictor) show(want, care []uint64) {
	x := r.pins
	events := &r.ring[(r.Cycle-params.CountLatency)&7]
	verdicts := &r.ring[(r.Cycle-params.VerdictLatency-1)&7]
	if events.any || verdicts.any {
		for i := range x.counter {
			e := events
			if i == countFail || i == countCongestion {
				e = verdicts
			}
			if n := e.events[i]; n != 0 {
				x.counter[i].Add(r.Want, uint64(n))
			}
		}
	}
	copy(want, r.Want)
	copy(care, r.Care)
	if r.ready {
		x.ready.Raise(want)
	}
	if events.events[countIllegal] != 0 {
		x.evtIllegal.Raise(want)
	}
	if v := &r.ring[(r.Cycle-params.VerdictLatency)&7]; v.timeout {
		x.valid.Raise(want)
		x.conn.Put(want, v.conn)
		x.conn.Put(care, ^uint64(0))
		x.failConn.Put(want, v.conn)
		x.failConn.Put(care, ^uint64(0))
		x.cause.Put(want, uint64(v.cause))
		x.cause.Put(care, ^uint64(0))
		if v.cause == model.Failure {
			x.failValid.Raise(want)
		}
	}
}

// take executes the events of a cycle. In a cycle of reset nothing lasts, but the
// handshake still shows.
func (r *predictor) take(in, want []uint64, cur *late, rst bool) {
	x, m := r.pins, r.m
	rtt, timeout, flush := x.rttValid.On(in), x.timeoutValid.On(in), x.flushValid.On(in)
	if r.ready && !rtt {
		x.flushReady.Raise(want)
	}
	switch {
	case rst:
		switch {
		case r.ready:
			r.Reached[ptReset]++
		case !r.reset:
			r.Reached[ptResetEmptying]++
		}
		return
	case !r.ready:
		r.drop(cur, rtt, timeout)
		return
	}
	now := x.now.Get(in)
	if now < r.lastNow {
		r.Reached[ptTimeWrap]++
	}
	r.lastNow = now

	before := m.Count
	var high, flushed bool
	conn := uint32(x.rttConn.Get(in))
	tconn := uint32(x.timeoutConn.Get(in))
	was, _ := m.State(tconn) // before anything happens in this cycle
	switch {
	case rtt:
		r.Accepted++
		m.Settings.Threshold = x.threshold.Get(in)
		ns := x.rtt.Get(in)
		high = m.RTT(conn, ns, now)
		if !r.Bare {
			r.coverRTT(conn, ns, high, flush)
		}
	case flush:
		r.Accepted++
		conn, flushed = uint32(x.flushConn.Get(in)), true
		if !r.Bare {
			r.coverFlush(conn)
		}
		m.Flush(conn)
	}
	if timeout {
		r.Accepted++
		m.Settings.Trimming = x.trimming.On(in)
		m.Settings.Window = x.window.Get(in)
		if !r.Bare {
			r.coverTimeout(tconn, now)
			r.coverSame(rtt, high, flushed, conn, tconn, was, now)
		}
		cur.timeout, cur.conn = true, uint64(tconn)
		cur.cause = m.Timeout(tconn, now)
	}
	if !rtt && !flush && !timeout {
		return
	}
	if !r.Bare {
		on := [kinds]bool{high, flushed && m.Legal(conn), timeout && m.Legal(tconn)}
		r.apart.Cycle(r.Cycle, on[:], []uint32{conn, conn, tconn})
	}
	cur.any = true
	c, b := &m.Count, &before
	cur.events = [8]uint8{
		uint8(c.RTT - b.RTT), uint8(c.High - b.High), uint8(c.Timeout - b.Timeout), uint8(c.Fail - b.Fail),
		uint8(c.Congestion - b.Congestion), uint8(c.Flush - b.Flush), uint8(c.IllegalConn - b.IllegalConn),
	}
	if cur.events[countIllegal] == 2 {
		r.Reached[ptIllegalTwo]++
	}
}

// drop counts the events of a cycle in which the unit is not ready. A flush waits.
func (r *predictor) drop(cur *late, rtt, timeout bool) {
	for _, event := range []bool{rtt, timeout} {
		if event {
			cur.any = true
			cur.events[countNotReady]++
		}
	}
	if !cur.any {
		return
	}
	r.Reached[ptNotReady]++
	if r.reset {
		r.Reached[ptNotReadyFirst]++
	}
	if rtt && timeout {
		r.Reached[ptNotReadyTwo]++
	}
}

// Explain implements cosim.Predictor: the state of the connections named in in.
func (r *predictor) Explain(in []uint64) string {
	x := r.pins
	var b strings.Builder
	fmt.Fprintf(&b, "cycle %d, now %d ns, ready %t", r.Cycle, x.now.Get(in), r.ready)
	for _, e := range []struct {
		name        string
		valid, conn bench.Pin
	}{{"RTT", x.rttValid, x.rttConn}, {"flush", x.flushValid, x.flushConn}, {"timeout", x.timeoutValid, x.timeoutConn}} {
		if !e.valid.On(in) {
			continue
		}
		c := uint32(e.conn.Get(in))
		if s, ok := r.m.State(c); ok {
			fmt.Fprintf(&b, "\n%s of connection %d: %v", e.name, c, s)
		} else {
			fmt.Fprintf(&b, "\n%s of connection %d: there are only %d connections", e.name, c, r.p.Connections)
		}
	}
	for k := uint64(1); k <= params.VerdictLatency && k <= r.Cycle; k++ {
		if v := &r.ring[(r.Cycle-k)&7]; v.timeout {
			fmt.Fprintf(&b, "\ntimeout of %d cycles ago, connection %d: %v", k, v.conn, v.cause)
		}
	}
	return b.String()
}
