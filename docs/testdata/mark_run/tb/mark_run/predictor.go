// SPDX-License-Identifier: Apache-2.0

package markrun

import (
	"fmt"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/mark_run"
	model "github.com/nicgen/nicgen/model/mark_run"
	"github.com/nicgen/nicgen/tb/bench"
)

// answer is what an ACK leads to.
type answer struct {
	valid, hot, illegal bool
	conn, run           uint64
}

// predictor is the golden model behind the unit's ports.
type predictor struct {
	p      *params.Params
	pins   *pins
	m      *model.Counter
	cycle  uint64
	events uint64
	hits   []uint64
	bare   bool // coverage is not counted
	apart  *bench.Distances

	known   bool      // there was a reset: before it nothing is known
	ready   bool      // the runs are cleared
	cleared int64     // of them, so far
	ring    [8]answer // by cycle, modulo 8
	want    []uint64  // counters and sts_ready: what stays from cycle to cycle
	care    []uint64  // what always counts
}

func newPredictor(p *params.Params, l *cosim.Layout, bare bool) (cosim.Predictor, error) {
	x, err := newPins(l)
	if err != nil {
		return nil, err
	}
	r := &predictor{p: p, pins: x, m: model.New(p), bare: bare, hits: make([]uint64, len(points(p))),
		want: make([]uint64, l.OutWords), care: make([]uint64, l.OutWords)}
	r.apart = bench.NewDistances(len(kinds), span, p.Connections, r.hits[ptDistance:])
	for _, s := range []bench.Pin{x.ready, x.mValid, x.evtIllegal, x.acks, x.marked, x.hots, x.illegals} {
		s.Put(r.care, ^uint64(0))
	}
	return r, nil
}

// Hits implements cosim.Predictor.
func (r *predictor) Hits() []uint64 { return r.hits }

// Events implements cosim.Predictor.
func (r *predictor) Events() uint64 { return r.events }

// Step implements cosim.Predictor.
func (r *predictor) Step(in, want, care []uint64) {
	if r.known {
		r.show(want, care)
	}
	now := &r.ring[r.cycle&7]
	*now = answer{}
	rst, valid := r.pins.rst.On(in), r.pins.valid.On(in)
	switch {
	case rst:
		if r.ready && valid {
			r.hits[ptReset]++
		}
		r.m.Reset()
		r.known, r.ready, r.cleared = true, false, 0
		r.ring = [8]answer{}
		clear(r.want)
	case !r.known:
	case r.ready && valid:
		r.take(in, now)
	case !r.ready:
		if valid {
			r.hits[ptNotReady]++
		}
		if r.cleared++; r.cleared == r.p.Connections {
			r.ready = true
			r.pins.ready.Raise(r.want)
		}
	}
	r.cycle++
}

// take executes an ACK.
func (r *predictor) take(in []uint64, a *answer) {
	x := r.pins
	conn, marked, threshold := x.conn.Get(in), x.ecn.On(in), x.threshold.Get(in)
	was, _ := r.m.Run(conn)
	r.events++
	a.conn = conn
	a.run, a.hot, a.valid = r.m.ACK(conn, marked, threshold)
	a.illegal = !a.valid
	if !r.bare {
		r.cover(a, was, threshold)
	}
}

// show writes what earlier cycles caused.
func (r *predictor) show(want, care []uint64) {
	x := r.pins
	if c := &r.ring[(r.cycle-params.Latency-1)&7]; c.valid {
		x.acks.Add(r.want, 1)
		if c.run > 0 {
			x.marked.Add(r.want, 1)
		}
		if c.hot {
			x.hots.Add(r.want, 1)
		}
	} else if c.illegal {
		x.illegals.Add(r.want, 1)
	}
	copy(want, r.want)
	copy(care, r.care)
	a := &r.ring[(r.cycle-params.Latency)&7]
	if a.illegal {
		x.evtIllegal.Raise(want)
	}
	if a.valid {
		x.mValid.Raise(want)
		x.mConn.Put(want, a.conn)
		x.mRun.Put(want, a.run)
		if a.hot {
			x.mHot.Raise(want)
		}
		for _, s := range []*bench.Pin{&x.mConn, &x.mRun, &x.mHot} {
			s.Put(care, ^uint64(0))
		}
	}
}

// Explain implements cosim.Predictor.
func (r *predictor) Explain(in []uint64) string {
	text := fmt.Sprintf("cycle %d, ready %t", r.cycle, r.ready)
	if r.pins.valid.On(in) {
		conn := r.pins.conn.Get(in)
		run, ok := r.m.Run(conn)
		text += fmt.Sprintf("\nACK of connection %d, which exists %t, with a run of %d before it", conn, ok, run)
	}
	return text
}
