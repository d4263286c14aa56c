// SPDX-License-Identifier: Apache-2.0

package repsdetector

import (
	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/reps_detector"
	model "github.com/nicgen/nicgen/model/reps_detector"
	"github.com/nicgen/nicgen/tb/bench"
)

// golden is the failure detector behind its contract.
type golden struct {
	m        *model.Detector
	time     params.Time
	verdicts bench.Out[params.Verdict]
	fails    bench.Out[params.Fail]
	failConn bench.Pin // has the connection of a verdict, be it a failure or not
	cover    *coverage // nil: nobody counts
}

func newPredictor(p *params.Params, l *cosim.Layout, bare bool) (cosim.Predictor, error) {
	g := &golden{m: model.New(p)}
	f, err := bench.NewFrame(unitName, l, len(points(p)), bare, bench.Model{
		Holds:    g,
		Contract: p.Contract(),
		Settings: bench.Into(params.SettingPorts, &g.m.Settings), Ambient: bench.Into(params.TimePorts, &g.time),
		Rules: []bench.Rule{
			bench.On(params.RTTs, g.rtt, func(e *params.RTT) string { return g.conn(e.Conn) }),
			bench.On(params.Flushes, g.flush, func(e *params.Flush) string { return g.conn(e.Conn) }),
			bench.On(params.Timeouts, g.timeout, func(e *params.Timeout) string { return g.conn(e.Conn) }),
		},
		Bind:  []bench.Binder{bench.Emits(params.Verdicts, &g.verdicts), bench.Emits(params.Fails, &g.fails), bench.WirePin("m_fail_conn", &g.failConn)},
		Reset: g.reset,
	})
	if err != nil || bare {
		return f, err
	}
	g.cover = newCoverage(p, g.m, &g.time, f)
	f.AtEnd(g.cover.end)
	return f, nil
}

func (g *golden) reset() {
	g.m.Reset()
	if g.cover != nil {
		g.cover.reset()
	}
}

func (g *golden) rtt(n *bench.Now, e *params.RTT) bool {
	if g.cover != nil {
		g.cover.begin(n)
	}
	was := g.m.Count
	high := g.m.RTT(e.Conn, e.NS, g.time.Now)
	now := &g.m.Count
	n.Count(params.CountRTT, now.RTT != was.RTT)
	n.Count(params.CountHigh, now.High != was.High)
	if g.cover != nil {
		g.cover.rtt(n, e, high)
	}
	return now.IllegalConn == was.IllegalConn
}

func (g *golden) flush(n *bench.Now, e *params.Flush) bool {
	if g.cover != nil {
		g.cover.begin(n)
		g.cover.flush(e.Conn)
	}
	was := g.m.Count
	g.m.Flush(e.Conn)
	now := &g.m.Count
	n.Count(params.CountFlush, now.Flush != was.Flush)
	return now.IllegalConn == was.IllegalConn
}

func (g *golden) timeout(n *bench.Now, e *params.Timeout) bool {
	if g.cover != nil {
		g.cover.timeout(e.Conn)
	}
	was := g.m.Count
	cause := g.m.Timeout(e.Conn, g.time.Now)
	now := &g.m.Count
	n.Count(params.CountTimeout, now.Timeout != was.Timeout)
	n.Count(params.CountFail, now.Fail != was.Fail)
	n.Count(params.CountCongestion, now.Congestion != was.Congestion)
	g.verdicts.Emit(n, &params.Verdict{Conn: e.Conn, Cause: uint8(cause)})
	if cause == model.Failure {
		g.fails.Emit(n, &params.Fail{Conn: e.Conn})
	} else {
		want, care := n.Later(params.VerdictLatency)
		g.failConn.Put(want, uint64(e.Conn))
		g.failConn.Put(care, ^uint64(0))
	}
	return now.IllegalConn == was.IllegalConn
}

// conn describes a connection.
func (g *golden) conn(c uint32) string {
	if s, ok := g.m.State(c); ok {
		return s.String()
	}
	return "there is no such connection"
}
