// SPDX-License-Identifier: Apache-2.0

package dcsimport

import (
	"fmt"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/dcsim_port"
	"github.com/nicgen/nicgen/model/dcsim"
	model "github.com/nicgen/nicgen/model/dcsim_port"
	"github.com/nicgen/nicgen/tb/bench"
)

// arrival is a descriptor, and what became of it.
type arrival struct {
	valid   bool
	frame   model.Frame
	outcome model.Outcome
}

// is reports whether a descriptor came to this.
func (a *arrival) is(o model.Outcome) bool { return a.valid && a.outcome == o }

// state is what a reset clears.
type state struct {
	m      *model.Port
	line   model.Line
	bucket *dcsim.Bucket

	came    arrival    // in the cycle before
	judged  [3]arrival // one, two, three cycles ago
	packets int        // of DATAs, as of the beginning of the cycle before
	bytes   uint64
	offered bool
	class   int  // of the frame that is offered
	void    bool // a setting was beyond its limits: nothing is known until the next reset
}

// predictor is the golden model behind the unit's ports.
type predictor struct {
	bench.Golden
	p    *params.Params
	pins *pins
	s    state

	reset                 bool // rst was high in the cycle before
	gain, cost, rate, gap int64
	cov                   coverage
}

func newPredictor(p *params.Params, l *cosim.Layout, bare bool) (cosim.Predictor, error) {
	x, err := newPins(l)
	if err != nil {
		return nil, err
	}
	r := &predictor{p: p, pins: x, Golden: bench.NewGolden(l, len(points(p)), bare)}
	r.Always(append(x.counter[:], x.mValid, x.drop, x.packets, x.bytes, x.illegal)...)
	r.clear()
	return r, nil
}

// clear is what a reset does.
func (r *predictor) clear() {
	r.s = state{m: model.New(r.p), line: model.NewLine(r.p), bucket: dcsim.NewBucket(r.p.Bucket)}
	clear(r.Want)
}

// Step implements cosim.Predictor. The unit registers rst: what a reset clears is clear from
// the second cycle after it on.
func (r *predictor) Step(in, want, care []uint64) {
	x := r.pins
	if r.Known && !r.s.void {
		r.show(want, care)
		r.run(in)
	}
	if r.reset {
		if r.Known && !r.Bare {
			r.coverReset()
		}
		r.Known = true
		r.clear()
	}
	r.reset = x.rst.On(in)
	r.gain, r.cost = int64(x.gain.Get(in)), int64(x.cost.Get(in))
	r.rate, r.gap = int64(x.rate.Get(in)), int64(x.gap.Get(in))
	r.s.void = r.s.void || r.cost == 0 || r.gain > r.cost
	r.Cycle++
}

// show writes what the registers show in this cycle.
func (r *predictor) show(want, care []uint64) {
	s, x := &r.s, r.pins
	if a := &s.judged[2]; a.is(model.Dropped) {
		x.counter[a.frame.Class].Add(r.Want, 1)
	} else if a.is(model.Illegal) {
		x.counter[model.Classes].Add(r.Want, 1)
	}
	copy(want, r.Want)
	copy(care, r.Care)
	put := func(pin *bench.Pin, v uint64) {
		pin.Put(want, v)
		pin.Put(care, ^uint64(0))
	}
	put(&x.packets, uint64(s.packets))
	put(&x.bytes, s.bytes)
	if a := &s.judged[1]; a.is(model.Dropped) {
		x.drop.Raise(want)
		put(&x.dropClass, a.frame.Class)
		put(&x.dropLen, a.frame.Len)
		put(&x.dropTag, a.frame.Tag)
	} else if a.is(model.Illegal) {
		x.illegal.Raise(want)
	}
	if s.offered {
		f := s.m.Head(s.class)
		x.mValid.Raise(want)
		put(&x.mClass, f.Class)
		put(&x.mLen, f.Len)
		put(&x.mTag, f.Tag)
	}
}

// some are the queues with a frame that may be picked: one that came three cycles ago or earlier.
func (r *predictor) some() (some [model.Classes]bool) {
	s := &r.s
	for c := range some {
		n := s.m.Len(c)
		if a := &s.judged[0]; a.is(model.Queued) && a.frame.Class == uint64(c) {
			n--
		}
		some[c] = n > 0
	}
	return some
}

// run takes a cycle's inputs and makes the registers of the next cycle.
func (r *predictor) run(in []uint64) {
	s, x := &r.s, r.pins
	some := r.some()
	class, pick := model.Pick(some, s.bucket.Have() > 0)
	pick = pick && !s.offered && s.line.Free()
	take := s.offered && x.ready.On(in)
	limits := model.Limits{Queue: x.queue.Get(in), DataPackets: x.dataPackets.Get(in), DataBytes: x.dataBytes.Get(in)}
	if !r.Bare {
		r.cover(some, class, pick, take, limits)
	}
	packets, bytes := s.m.Len(model.Data), s.m.Bytes()

	// The descriptor of the cycle before, and the frames that had begun by then.
	a := s.came
	if a.valid {
		a.outcome = s.m.Arrive(a.frame, limits)
		r.Accepted++
	}
	s.judged = [3]arrival{a, s.judged[0], s.judged[1]}
	s.came = arrival{valid: x.valid.On(in), frame: model.Frame{Class: x.class.Get(in), Len: x.length.Get(in), Tag: x.tag.Get(in)}}

	s.bucket.Clock(take && s.class == model.SIM, r.gain, r.cost)
	switch {
	case take:
		f := s.m.Leave(s.class)
		s.line.Begin(int64(f.Len))
		s.offered = false
		r.Accepted++
	case s.offered:
		s.line.Pause()
	case pick:
		s.line.Pick(r.rate, r.gap)
		s.offered, s.class = true, class
	default:
		s.line.Idle(r.rate)
	}
	s.packets, s.bytes = packets, bytes
}

// Explain implements cosim.Predictor.
func (r *predictor) Explain([]uint64) string {
	s := &r.s
	text := fmt.Sprintf("cycle %d, always ready: %d SIMs, %d SIM-ACKs, %d DATA-ACKs, %d DATAs of %d bytes, %d tokens, line %+v", r.Cycle,
		s.m.Len(model.SIM), s.m.Len(model.SIMAck), s.m.Len(model.DataAck), s.m.Len(model.Data), s.m.Bytes(), s.bucket.Have(), s.line)
	if s.offered {
		text += fmt.Sprintf("\noffered: %+v", s.m.Head(s.class))
	}
	return text
}
