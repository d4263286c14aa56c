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
	bench.Golden
	p     *params.Params
	pins  *pins
	m     *model.Counter
	apart *bench.Distances

	ready   bool      // the runs are cleared
	cleared int64     // of them, so far
	ring    [8]answer // by cycle, modulo 8
}

func newPredictor(p *params.Params, l *cosim.Layout, bare bool) (cosim.Predictor, error) {
	x, err := newPins(l)
	if err != nil {
		return nil, err
	}
	r := &predictor{Golden: bench.NewGolden(l, len(points(p)), bare), p: p, pins: x, m: model.New(p)}
	r.apart = bench.NewDistances(len(kinds), span, p.Connections, r.Reached[ptDistance:])
	r.Always(x.ready, x.mValid, x.evtIllegal, x.acks, x.marked, x.hots, x.illegals)
	return r, nil
}

// Step implements cosim.Predictor.
func (r *predictor) Step(in, want, care []uint64) {
	if r.Known {
		r.show(want, care)
	}
	now := &r.ring[r.Cycle&7]
	*now = answer{}
	rst, valid := r.pins.rst.On(in), r.pins.valid.On(in)
	switch {
	case rst:
		if r.ready && valid {
			r.Reached[ptReset]++
		}
		r.m.Reset()
		r.Known, r.ready, r.cleared = true, false, 0
		r.ring = [8]answer{}
		clear(r.Want)
	case !r.Known:
	case r.ready && valid:
		r.take(in, now)
	case !r.ready:
		if valid {
			r.Reached[ptNotReady]++
		}
		if r.cleared++; r.cleared == r.p.Connections {
			r.ready = true
			r.pins.ready.Raise(r.Want)
		}
	}
	r.Cycle++
}

// take executes an ACK.
func (r *predictor) take(in []uint64, a *answer) {
	x := r.pins
	conn, marked, threshold := x.conn.Get(in), x.ecn.On(in), x.threshold.Get(in)
	was, _ := r.m.Run(conn)
	r.Accepted++
	a.conn = conn
	a.run, a.hot, a.valid = r.m.ACK(conn, marked, threshold)
	a.illegal = !a.valid
	if !r.Bare {
		r.cover(a, was, threshold)
	}
}

// show writes what earlier cycles caused.
func (r *predictor) show(want, care []uint64) {
	x := r.pins
	if c := &r.ring[(r.Cycle-params.Latency-1)&7]; c.valid {
		x.acks.Add(r.Want, 1)
		if c.run > 0 {
			x.marked.Add(r.Want, 1)
		}
		if c.hot {
			x.hots.Add(r.Want, 1)
		}
	} else if c.illegal {
		x.illegals.Add(r.Want, 1)
	}
	copy(want, r.Want)
	copy(care, r.Care)
	a := &r.ring[(r.Cycle-params.Latency)&7]
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
	text := fmt.Sprintf("cycle %d, ready %t", r.Cycle, r.ready)
	if r.pins.valid.On(in) {
		conn := r.pins.conn.Get(in)
		run, ok := r.m.Run(conn)
		text += fmt.Sprintf("\nACK of connection %d, which exists %t, with a run of %d before it", conn, ok, run)
	}
	return text
}
