// SPDX-License-Identifier: Apache-2.0

package powertcp

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/powertcp"
	model "github.com/nicgen/nicgen/model/powertcp"
	"github.com/nicgen/nicgen/tb/bench"
)

// ringN is the number of cycles that are looked back; a power of two above the
// latency of a window.
const ringN = 128

// Counters, in the order of the bits of an event set.
const (
	ctAck = iota
	ctFirst
	ctPath
	ctNoSample
	ctStaleHop
	ctExcess
	ctRateCode
	ctLow
	ctHigh
	ctInRTT
	ctFlush
	ctIllegal
	ctNotReady
	counters
)

var counterNames = [counters]string{"ack", "first", "path", "no_sample", "stale_hop", "excess", "rate_code",
	"clamp_low", "clamp_high", "in_rtt", "flush", "illegal_conn", "not_ready"}

// events are the counter increments of a cycle.
type events struct {
	set            uint16 // one to each of these
	stale, unknown uint8  // hops of these kinds beyond the first
	offers         uint8  // before the unit is ready
}

// pending is an ACK between its last beat and its window.
type pending struct {
	valid bool
	conn  uint32
	theta bool
	step  model.Step
}

// predictor is the golden model behind the unit's ports.
type predictor struct {
	bench.Golden
	p    *params.Params
	pins *pins
	m    *model.Unit

	front front
	ack   model.Ack  // the ACK whose beats come in
	step  model.Step // of that ACK
	hops  [maxHops]model.Hop

	latency  uint64 // last beat to window
	events   uint64 // beat or flush to counter
	queue    [ringN]pending
	answered model.Result  // the last answer
	counted  [ringN]events // by cycle in which they show
	place    [counters]*bench.Pin
	answer   []uint64 // outputs compared in the cycle of a window

	tableFree uint64 // first cycle in which the link-rate table can be written
	tableHold uint64 // cycles for which a write occupies it

	set   history
	cover *cover
}

func newPredictor(p *params.Params, l *cosim.Layout, bare bool) (cosim.Predictor, error) {
	x, err := newPins(p, l)
	if err != nil {
		return nil, err
	}
	r := &predictor{
		p: p, pins: x, m: model.New(p), Golden: bench.NewGolden(l, len(points(p)), bare), front: newFront(p), latency: uint64(p.WindowLatency()), events: uint64(p.EventLatency()), tableHold: uint64(p.RateHold()),
		answer: make([]uint64, l.OutWords),
	}
	if r.latency >= ringN {
		return nil, fmt.Errorf("tb/powertcp: a window takes %d cycles, want fewer than %d", r.latency, ringN)
	}
	names := p.CounterNames()
	for i, name := range counterNames {
		if at := slices.Index(names, name); at >= 0 {
			r.place[i] = &x.counter[at]
		}
	}
	r.Always(append(slices.Clone(x.counter), x.corrected, x.correctedCount, x.ready, x.ackReady, x.flushReady, x.rateReady, x.winValid)...) // nothing is corrected: there are no upsets
	copy(r.answer, r.Care)
	for _, s := range []bench.Pin{x.winConn, x.window, x.pace, x.norm, x.power, x.winHop, x.cause} {
		s.Put(r.answer, ^uint64(0))
	}
	r.set = newHistory(p, x, &r.m.Settings)
	if !bare {
		r.cover = newCover(r)
	}
	return r, nil
}

// Overwrites implements cosim.Overwriter.
func (r *predictor) Overwrites() {}

// Step implements cosim.Predictor.
func (r *predictor) Step(in, want, care []uint64) {
	x := r.pins
	r.set.note(in, r.Cycle)
	tableReady := r.Cycle >= r.tableFree
	if r.p.HasINT() {
		r.table(in)
	}
	if !r.Known {
		clear(want)
		clear(care)
		if r.front.rst {
			r.reset()
		}
		r.front.rst = x.rst.On(in)
		r.Cycle++
		r.front.cycle++
		return
	}
	r.show(want, care)
	r.queue[r.Cycle%ringN].valid = false
	if tableReady {
		x.rateReady.Raise(want)
	}
	o := offer{rst: x.rst.On(in), ack: x.ackValid.On(in), flush: x.flushValid.On(in)}
	if o.ack {
		o.ackConn = uint32(x.ackConn.Get(in))
		o.beats = r.beats(in)
	}
	o.flushConn = uint32(x.flushConn.Get(in))
	r.front.step(&o)
	if o.ackReady {
		x.ackReady.Raise(want)
	}
	if o.flushReady {
		x.flushReady.Raise(want)
	}
	if r.cover != nil {
		r.cover.cycle(in, &o)
	}
	switch {
	case o.ready:
		x.ready.Raise(want)
	case !o.rst:
		r.early(&o)
	}
	switch {
	case o.rst:
		r.reset()
	case o.ack && o.ackReady:
		r.take(in, &o)
	case o.flushed:
		r.Accepted++
		if r.m.Flush(o.flushConn) {
			r.count(r.events, 1<<ctFlush)
		} else {
			r.count(r.events, 1<<ctIllegal)
		}
	}
	r.Cycle++
}

// early counts what is offered before the unit is ready.
func (r *predictor) early(o *offer) {
	at := &r.counted[(r.Cycle+params.OfferLatency)%ringN].offers
	for _, offered := range []bool{o.ack, o.flush} {
		if offered {
			*at++
		}
	}
}

// reset drops what is in the pipeline.
func (r *predictor) reset() {
	r.m.Reset()
	r.Known = true
	r.front.reset()
	for i := range r.queue {
		r.queue[i].valid = false
	}
	r.counted = [ringN]events{}
	clear(r.Want)
}

// table writes the link-rate table: beats of the same cycle see it.
func (r *predictor) table(in []uint64) {
	x := r.pins
	if !x.rateValid.On(in) {
		return
	}
	taken := r.Cycle >= r.tableFree
	if r.cover != nil {
		r.cover.table(in, taken)
	}
	if !taken {
		return
	}
	r.m.Links[x.rateCode.Get(in)] = model.LinkOf(x.rateEntry.Get(in))
	r.tableFree = r.Cycle + 1 + r.tableHold
}

// beats is the number of beats of an ACK.
func (r *predictor) beats(in []uint64) int {
	if !r.p.HasINT() || r.p.Variant == params.Both && r.pins.theta.On(in) {
		return 1
	}
	return int(r.pins.hopCnt.Get(in))
}

// count adds to counters after some cycles.
func (r *predictor) count(after uint64, set uint16) {
	r.counted[(r.Cycle+after)%ringN].set |= set
}

// header reads the fields that all beats of an ACK share.
func (r *predictor) header(in []uint64, a *model.Ack) {
	x := r.pins
	a.Conn, a.Path = uint32(x.ackConn.Get(in)), uint32(x.path.Get(in))
	a.Seq, a.SndNxt = uint32(x.seq.Get(in)), uint32(x.sndNxt.Get(in))
	a.Theta = r.p.Variant == params.Theta || r.p.Variant == params.Both && x.theta.On(in)
	if a.Theta {
		a.RTTValid, a.RTT, a.Now = x.rttValid.On(in), uint32(x.rtt.Get(in)), x.now.Get(in)
		return
	}
	a.HopCnt = int(x.hopCnt.Get(in))
	if a.RTTValid, a.RTT = false, 0; r.p.Observes() {
		a.RTTValid, a.RTT = x.rttValid.On(in), uint32(x.rtt.Get(in))
	}
}

// same reports whether two beats belong to one ACK.
func same(a, b *model.Ack) bool {
	return a.Conn == b.Conn && a.Path == b.Path && a.Seq == b.Seq && a.SndNxt == b.SndNxt && a.Theta == b.Theta && a.HopCnt == b.HopCnt &&
		(a.Theta || a.RTTValid == b.RTTValid && a.RTT == b.RTT)
}

// take executes a beat of an ACK, up to the first use of a setting.
func (r *predictor) take(in []uint64, o *offer) {
	if o.first {
		r.header(in, &r.ack)
		r.step = r.m.Begin(&r.ack)
		if r.cover != nil {
			r.cover.header(&r.ack, &r.step)
		}
	} else {
		var now model.Ack
		if r.header(in, &now); !same(&now, &r.ack) {
			r.Known = false // not an ACK: nothing is said about the rest
			return
		}
	}
	var e events
	lanes := int(r.p.Lanes())
	for lane := range lanes {
		if i := o.beat + lane; i < r.step.Count {
			e.hop(r.hop(in, lane, i))
		}
	}
	if o.last {
		r.Accepted++
		e.set |= r.last()
		r.queue[r.Cycle%ringN] = pending{true, r.ack.Conn, r.ack.Theta, r.step}
		if r.cover != nil {
			r.cover.ack(&r.ack, &r.step)
		}
	}
	r.counted[(r.Cycle+r.events)%ringN] = e
}

// hop reads hop i from its lane and executes it.
func (r *predictor) hop(in []uint64, lane, i int) model.HopEvent {
	f := &r.pins.field[lane]
	h := &r.hops[i]
	h.Qlen, h.Tx, h.Time = uint32(f.qlen.get(in)), uint32(f.bytes.get(in)), uint32(f.time.get(in))
	code := f.rate.get(in)
	h.Link = r.m.Links[code]
	e := r.m.Hop(&r.step, i, h)
	if r.cover != nil {
		r.cover.hop(&r.ack, &r.step, i, h, code, e)
	}
	return e
}

// hop counts the outcome of a hop.
func (e *events) hop(x model.HopEvent) {
	switch x {
	case model.HopStale:
		if e.set&(1<<ctStaleHop) != 0 {
			e.stale++
		}
		e.set |= 1 << ctStaleHop
	case model.HopUnknown:
		if e.set&(1<<ctRateCode) != 0 {
			e.unknown++
		}
		e.set |= 1 << ctRateCode
	}
}

// causeCounters are the counters of each cause.
var causeCounters = [...]uint16{
	model.Updated: 1 << ctAck, model.First: 1 << ctFirst, model.Changed: 1 << ctPath, model.NoSample: 1 << ctNoSample,
	model.Stale: 1 << ctAck, model.WithinRTT: 1 << ctInRTT, model.Illegal: 1 << ctIllegal,
}

// last is the counter increments of an ACK.
func (r *predictor) last() uint16 {
	set := causeCounters[r.step.Cause]
	if r.step.Excess {
		set |= 1 << ctExcess
	}
	return set
}

// show writes the outputs of earlier cycles.
func (r *predictor) show(want, care []uint64) {
	if e := &r.counted[r.Cycle%ringN]; e.set != 0 || e.offers != 0 {
		for set := e.set; set != 0; set &= set - 1 {
			if c := r.place[bits.TrailingZeros16(set)]; c != nil {
				c.Add(r.Want, 1)
			}
		}
		if e.stale|e.unknown != 0 {
			r.place[ctStaleHop].Add(r.Want, uint64(e.stale))
			r.place[ctRateCode].Add(r.Want, uint64(e.unknown))
		}
		if e.offers > 0 {
			r.place[ctNotReady].Add(r.Want, uint64(e.offers))
		}
		*e = events{}
	}
	copy(want, r.Want)
	q := &r.queue[(r.Cycle-r.latency)%ringN]
	if !q.valid {
		copy(care, r.Care)
		return
	}
	copy(care, r.answer)
	mixed := r.set.settle(r.Cycle, r.latency, q.theta)
	r.answered = r.m.Window(&q.step)
	a := &r.answered
	if mixed && r.set.telemetry && !q.theta && a.Cause != model.Illegal {
		a.Rate = model.Pace(a.Window, r.set.pace)
	}
	if r.cover != nil {
		r.cover.window(q, a)
	}
	x := r.pins
	x.winValid.Raise(want)
	x.winConn.Put(want, uint64(q.conn))
	x.window.Put(want, uint64(a.Window))
	x.pace.Put(want, uint64(a.Rate))
	x.norm.Put(want, uint64(a.Norm))
	x.power.Put(want, uint64(a.Power))
	if r.p.HasINT() {
		x.winHop.Put(want, uint64(a.Hop))
	}
	x.cause.Put(want, uint64(a.Cause))
	if a.Low {
		r.count(1, 1<<ctLow)
	}
	if a.High {
		r.count(1, 1<<ctHigh)
	}
}

// Explain implements cosim.Predictor: the state of the connections named in in.
func (r *predictor) Explain(in []uint64) string {
	x := r.pins
	var b strings.Builder
	fmt.Fprintf(&b, "cycle %d, ready %t", r.Cycle, r.front.ready)
	if !r.Known {
		b.WriteString(", nothing is known")
	}
	for _, e := range []struct {
		name        string
		valid, conn *bench.Pin
	}{{"ACK", &x.ackValid, &x.ackConn}, {"flush", &x.flushValid, &x.flushConn}} {
		if e.valid.On(in) {
			c := uint32(e.conn.Get(in))
			fmt.Fprintf(&b, "\n%s on connection %d: %s", e.name, c, r.m.String(c))
		}
	}
	for k := uint64(1); k <= r.latency+1 && k <= r.Cycle; k++ {
		q := &r.queue[(r.Cycle-k)%ringN]
		switch {
		case !q.valid:
		case k > r.latency:
			fmt.Fprintf(&b, "\nanswer to connection %d: cause %d; after it: %s", q.conn, r.answered.Cause, r.m.String(q.conn))
		default:
			fmt.Fprintf(&b, "\nACK of %d cycles ago, connection %d: cause %d so far", k, q.conn, q.step.Cause)
		}
	}
	return b.String()
}
