// SPDX-License-Identifier: Apache-2.0

package lapsrate

import (
	"fmt"
	"strings"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/laps_rate"
	model "github.com/nicgen/nicgen/model/laps_rate"
	"github.com/nicgen/nicgen/tb/bench"
)

// kind is what was taken in a cycle.
type kind uint8

const (
	nothing kind = iota
	ack
	open
	clearing // an opening after reset
)

// event is what was taken in a cycle, and later its answer.
type event struct {
	kind     kind
	flow     uint32
	now      uint64
	extremes model.Extremes

	answer    model.Result
	congested bool
	counted   model.Counters // with it
}

// slots is a power of two above the latency.
const slots = 32

// predictor is the golden model behind the unit's ports.
type predictor struct {
	bench.Golden
	p    *params.Params
	pins *pins
	m    *model.Limiter
	mask uint64 // of the time

	decide, show uint64 // cycles from an event to its settings, and to its answer

	ready    bool  // flows are opened
	cleared  int64 // of them, so far
	reset    bool  // rst was high in the cycle before
	refused  bool  // an ACK was dropped in the cycle before: not counted as yet
	counting bool  // the same, one cycle later
	lastNow  uint64

	ring  [slots]event // by cycle
	paths []model.Path // of the ACK of this cycle

	apart   *bench.Distances
	history []past // by flow
	opened  uint64 // openings so far
}

func newPredictor(p *params.Params, l *cosim.Layout, bare bool) (cosim.Predictor, error) {
	x, err := newPins(l)
	if err != nil {
		return nil, err
	}
	r := &predictor{
		p: p, pins: x, m: model.New(p), Golden: bench.NewGolden(l, len(points(p)), bare),
		mask:   ^uint64(0) >> (64 - p.TimeBits),
		decide: uint64(p.SettingsDelay()), show: uint64(p.RateLatency()),
		paths:   make([]model.Path, p.Paths),
		history: make([]past, p.Flows),
	}
	r.apart = bench.NewDistances(len(kindNames), distances, p.Flows, r.Reached[ptDistance:])
	r.Always(append(x.counter[:], x.ready, x.openReady, x.valid, x.evtIllegal)...)
	return r, nil
}

// at is the event of some cycles ago.
func (r *predictor) at(ago uint64) *event { return &r.ring[(r.Cycle-ago)%slots] }

// Step implements cosim.Predictor. The unit registers rst: what a reset clears is clear
// from the second cycle after it on, and the events of its own cycle go no further.
func (r *predictor) Step(in, want, care []uint64) {
	rst := r.pins.rst.On(in)
	if r.Known {
		r.answer(want, care)
	}
	*r.at(0) = event{}
	r.counting, r.refused = r.refused, false
	switch {
	case r.reset:
		r.m.ClearCounters()
		r.Known, r.ready, r.cleared, r.counting = true, false, 0, false
		r.ring = [slots]event{}
		clear(r.Want)
	case r.Known:
		r.execute(in)
	}
	if r.Known {
		r.take(in, want, rst)
	}
	if r.Known && !r.ready && !r.reset {
		r.cleared++
		r.ready = r.cleared == r.p.Flows
	}
	r.reset = rst
	r.Cycle++
}

// answer writes what earlier cycles caused.
func (r *predictor) answer(want, care []uint64) {
	x := r.pins
	r.count(r.at(r.show + 1))
	if r.counting {
		r.pins.counter[len(r.pins.counter)-1].Add(r.Want, 1)
	}
	copy(want, r.Want)
	if r.taking() {
		r.pins.ready.Raise(want)
	}
	copy(care, r.Care)
	e := r.at(r.show)
	if e.kind != ack && e.kind != open {
		return
	}
	x.valid.Raise(want)
	if e.answer.Cause == model.None {
		x.evtIllegal.Raise(want)
	}
	for _, o := range []struct {
		pin *bench.Pin
		v   uint64
	}{{&x.flow, uint64(e.flow)}, {&x.cause, uint64(e.answer.Cause)}, {&x.current, e.answer.Current}, {&x.expected, e.answer.Expected}} {
		o.pin.Put(want, o.v)
		o.pin.Put(care, ^uint64(0))
	}
}

// taking reports whether the unit is ready: not in the cycle after a reset either.
func (r *predictor) taking() bool { return r.ready && !r.reset }

// count shows the model's counters after an event that was answered in the cycle before.
func (r *predictor) count(e *event) {
	if e.kind != ack && e.kind != open {
		return
	}
	n := &e.counted
	for i, to := range []uint64{n.ACK, n.Congested, n.Decrease, n.Increase, n.Hyper, n.NoPath, n.Open, n.IllegalFlow} {
		pin := &r.pins.counter[i]
		pin.Add(r.Want, to-pin.Get(r.Want))
	}
}

// execute runs the event whose settings are those of this cycle.
func (r *predictor) execute(in []uint64) {
	e := r.at(r.decide)
	if e.kind == nothing {
		return
	}
	x, m := r.pins, r.m
	m.Settings = model.Settings{Max: x.maxRate.Get(in), Min: x.minRate.Get(in), Stages: uint8(x.stages.Get(in))}
	if e.kind == clearing {
		m.Start(e.flow, e.now)
		r.history[e.flow] = newPast(r.opened)
		return
	}
	r.Accepted++
	was, legal := m.State(e.flow)
	switch e.kind {
	case open:
		e.answer = m.Open(e.flow, e.now)
	case ack:
		e.answer = m.ACK(e.flow, e.now, e.extremes)
		e.congested = e.extremes.Any && e.extremes.Congested()
	}
	e.counted = m.Count
	if r.Bare {
		return
	}
	if !legal {
		r.Reached[map[kind]int{ack: ptIllegalACK, open: ptIllegalOpen}[e.kind]]++
		return
	}
	r.cover(e, &was)
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
	r.apart.Cycle(r.Cycle, on[:], []uint32{e.flow, e.flow, e.flow, e.flow})
}

// take notes the event of a cycle. In a cycle of reset nothing lasts, but the
// handshake still shows.
func (r *predictor) take(in, want []uint64, rst bool) {
	x := r.pins
	isACK, isOpen := x.ackValid.On(in), x.openValid.On(in)
	ready := r.taking()
	if ready && !isACK {
		x.openReady.Raise(want)
	}
	now := x.now.Get(in)
	switch {
	case rst && ready:
		r.Reached[ptReset]++
		return
	case rst:
		return
	}
	if now < r.lastNow {
		r.Reached[ptTimeWrap]++
	}
	r.lastNow = now
	e := r.at(0)
	e.now = now
	switch {
	case !ready:
		if isACK {
			r.refused = true
		}
		if isACK || isOpen {
			r.Reached[ptNotReady]++
		}
		if !r.reset {
			e.kind, e.flow = clearing, uint32(r.cleared)
		}
	case isACK:
		if isOpen {
			r.Reached[ptOpenWaits]++
		}
		e.kind, e.flow = ack, uint32(x.ackFlow.Get(in))
		e.extremes = r.reduce(in)
	case isOpen:
		e.kind, e.flow = open, uint32(x.openFlow.Get(in))
	}
}

// reduce reads the extremes of an ACK's latencies from the ports.
func (r *predictor) reduce(in []uint64) model.Extremes {
	x, p := r.pins, r.p
	if p.Operands == params.ExtremesOp {
		e := model.Extremes{Any: x.usable.On(in), Least: x.leastReady.Get(in), Base: x.topBase.Get(in), Most: x.mostReady.Get(in)}
		return e
	}
	n, usable, each := int(p.LatBits), x.usable.Get(in), p.Operands == params.PathsOp
	top := x.topBase.Get(in) // 0 if each path has its own
	for i := range r.paths {
		w := &r.paths[i]
		w.Valid, w.BaseVal = usable>>i&1 == 1, top
		if r.Bare && !w.Valid {
			continue // coverage alone looks at it
		}
		w.RealVal = x.latency.Bits(in, i*n, n)
		if each {
			w.BaseVal = x.base.Bits(in, i*n, n)
		}
	}
	e := model.Reduce(r.paths)
	if !r.Bare && e.Any {
		r.coverPaths(e)
	}
	return e
}

// Explain implements cosim.Predictor: the state of the flows named in in, and of the
// events that are under way.
func (r *predictor) Explain(in []uint64) string {
	x := r.pins
	var b strings.Builder
	fmt.Fprintf(&b, "cycle %d, now %d ns, ready %t", r.Cycle, x.now.Get(in), r.ready)
	for _, e := range []struct {
		name        string
		valid, flow *bench.Pin
	}{{"ACK", &x.ackValid, &x.ackFlow}, {"opening", &x.openValid, &x.openFlow}} {
		if !e.valid.On(in) {
			continue
		}
		c := uint32(e.flow.Get(in))
		if s, ok := r.m.State(c); ok {
			fmt.Fprintf(&b, "\n%s of flow %d: %v", e.name, c, s)
		} else {
			fmt.Fprintf(&b, "\n%s of flow %d: there are only %d flows", e.name, c, r.p.Flows)
		}
	}
	for k := uint64(1); k <= r.show+1 && k <= r.Cycle; k++ {
		e := r.at(k)
		switch {
		case e.kind == nothing || e.kind == clearing:
			continue
		case k < r.decide:
			fmt.Fprintf(&b, "\n%d cycles ago, flow %d at %d ns: not yet executed", k, e.flow, e.now)
		default:
			fmt.Fprintf(&b, "\n%d cycles ago, flow %d at %d ns, %+v: %v", k, e.flow, e.now, e.extremes, e.answer)
		}
	}
	return b.String()
}
