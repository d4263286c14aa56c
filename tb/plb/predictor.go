// SPDX-License-Identifier: Apache-2.0

package plb

import (
	"fmt"
	"strings"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/plb"
	model "github.com/nicgen/nicgen/model/plb"
	"github.com/nicgen/nicgen/model/reps"
	"github.com/nicgen/nicgen/tb/bench"
)

// late are outputs that appear some cycles after their cause.
type late struct {
	sent    bool // a SEND was taken
	none    bool // a SEND of a connection that does not exist
	conn    uint32
	cause   model.Cause
	label   uint32
	verdict model.Verdict
	ack     bool
	rto     bool
	open    bool
	full    bool // the balance was at its bound
	jump    bool
	illegal uint64
	dropped uint64
}

// Places of the counters, in the order of params.CounterNames.
const (
	countACK = iota
	countRTO
	countSend
	countCongested
	countClean
	countIdle
	countForced
	countRestart
	countOpen
	countSaturated
	countIllegal
	countJump
	countNotReady
)

// ringMask is the mask of a cycle's place among those that still show.
const ringMask = 15

// predictor is the golden model behind the unit's ports.
type predictor struct {
	bench.Golden
	p     *params.Params
	pins  *pins
	m     *model.PLB
	words reps.Random

	now     uint64 // the time of the cycle before
	reset   bool   // rst was up in the cycle before: the unit resets now
	ready   bool   // connections are opened
	cleared int64  // of them, so far

	ring [ringMask + 1]late // by cycle, modulo its length

	cover *coverage
}

func newPredictor(p *params.Params, l *cosim.Layout, bare bool) (cosim.Predictor, error) {
	x, err := newPins(l)
	if err != nil {
		return nil, err
	}
	r := &predictor{
		p: p, pins: x, m: model.New(p), words: reps.NewRandom(params.WordBits, uint64(p.RandomSeed)),
		Golden: bench.NewGolden(l, len(points(p)), bare),
	}
	if !bare {
		r.cover = newCoverage(p, r.m, r.Reached)
	}
	r.Always(append(x.counter[:], x.ready, x.valid, x.evtIllegal)...)
	return r, nil
}

// Step implements cosim.Predictor. A reset acts one cycle after rst; what comes with rst is
// forgotten, what comes in that cycle is not taken.
func (r *predictor) Step(in, want, care []uint64) {
	x := r.pins
	if r.Known {
		r.show(want, care)
	}
	r.relabel()
	rst := x.rst.On(in)
	if r.reset {
		r.m.Reset()
		r.Known, r.cleared = true, 0
		r.ring = [ringMask + 1]late{}
		clear(r.Want)
		r.words.Reset(uint64(r.p.RandomSeed))
		if r.cover != nil {
			r.cover.reset()
		}
	} else if x.seedValid.On(in) {
		r.words.Load(uint32(x.seedWord.Get(in)))
		r.Reached[ptSeed]++
	} else {
		r.words.Next()
	}
	cur := &r.ring[r.Cycle&ringMask]
	*cur = late{}
	now := x.now.Get(in)
	jump := r.m.Tick(now) && r.ready && !rst
	if r.Known {
		r.take(in, cur, rst)
	}
	if cur.jump = jump; jump {
		r.coverJump(now)
	}
	r.now = now
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

// relabel gives the SEND whose word is out now its label.
func (r *predictor) relabel() {
	e := &r.ring[(r.Cycle-params.WordLatency)&ringMask]
	if !e.sent {
		return
	}
	if e.cause != model.None {
		r.m.Relabel(e.conn, r.words.Last())
	}
	e.label = r.m.Label(e.conn)
}

// show writes the outputs of earlier cycles.
func (r *predictor) show(want, care []uint64) {
	x := r.pins
	add := func(counter int, on bool) {
		if on {
			x.counter[counter].Add(r.Want, 1)
		}
	}
	e := &r.ring[(r.Cycle-params.CountLatency)&ringMask]
	add(countACK, e.ack)
	add(countRTO, e.rto)
	add(countOpen, e.open)
	add(countSend, e.sent)
	if e.illegal+e.dropped > 0 {
		x.counter[countIllegal].Add(r.Want, e.illegal)
		x.counter[countNotReady].Add(r.Want, e.dropped)
	}
	add(countJump, r.ring[(r.Cycle-params.JumpLatency)&ringMask].jump)
	add(countSaturated, r.ring[(r.Cycle-params.RoundLatency)&ringMask].full)
	v := r.ring[(r.Cycle-params.RoundLatency)&ringMask].verdict
	add(countCongested, v == model.Congested)
	add(countClean, v == model.Clean)
	if c := &r.ring[(r.Cycle-params.LabelLatency)&ringMask]; c.sent {
		add(countIdle, c.cause == model.Idle)
		add(countForced, c.cause == model.Forced)
		add(countRestart, c.cause == model.Restart)
	}
	copy(want, r.Want)
	copy(care, r.Care)
	if r.ready {
		x.ready.Raise(want)
	}
	if e.illegal > 0 {
		x.evtIllegal.Raise(want)
	}
	s := &r.ring[(r.Cycle-params.SendLatency)&ringMask]
	if s.none {
		x.valid.Raise(want)
		x.cause.Put(want, uint64(model.Illegal))
		for _, pin := range []*bench.Pin{&x.cause, &x.fresh} {
			pin.Put(care, ^uint64(0))
		}
	}
	if s.sent {
		x.valid.Raise(want)
		x.conn.Put(want, uint64(s.conn))
		x.label.Put(want, uint64(s.label))
		x.udp.Put(want, model.Port(r.p, s.label))
		x.cause.Put(want, uint64(s.cause))
		if s.cause != model.None {
			x.fresh.Raise(want)
		}
		for _, pin := range []*bench.Pin{&x.conn, &x.label, &x.udp, &x.cause, &x.fresh} {
			pin.Put(care, ^uint64(0))
		}
	}
}

// take executes the events of a cycle: ACK, RTO, SEND.
func (r *predictor) take(in []uint64, cur *late, rst bool) {
	x, m := r.pins, r.m
	ack, rto, send := x.ackValid.On(in), x.rtoValid.On(in), x.sendValid.On(in)
	switch {
	case rst:
		switch {
		case r.ready:
			r.Reached[ptReset]++
		case !r.reset:
			r.Reached[ptResetOpening]++
		}
		return
	case !r.ready:
		r.drop(cur, ack, rto, send)
		return
	case !ack && !rto && !send:
		return
	}
	m.Settings = model.Settings{
		Mode: x.mode.Get(in), RTTDetector: x.detector.On(in), Fraction: x.fraction.Get(in), Target: x.target.Get(in),
		Idle: x.idles.Get(in), Forced: x.forced.Get(in), Pause: x.pause.Get(in),
	}
	e := events{
		now: x.now.Get(in), ack: ack, rto: rto, send: send, open: x.rtoOpen.On(in), idle: x.idle.On(in),
		conn: [kinds]uint32{uint32(x.ackConn.Get(in)), uint32(x.rtoConn.Get(in)), uint32(x.sendConn.Get(in))},
	}
	if r.cover != nil {
		r.cover.begin(&e, r.Cycle)
	}
	bad := func(ok bool) bool {
		r.Accepted++
		if !ok {
			cur.illegal++
		}
		return ok
	}
	if ack {
		e.what = model.ACK{Pkts: x.ackPkts.Get(in), ECE: x.ackECE.On(in), RTT: x.ackRTT.Get(in), UNA: uint32(x.ackUNA.Get(in)), NXT: uint32(x.ackNXT.Get(in))}
		if r.cover != nil {
			r.cover.ack(&e)
		}
		var ok bool
		cur.verdict, ok = m.ACK(e.conn[kindACK], e.what, e.now)
		cur.ack = bad(ok)
		cur.full = m.DidSaturate()
		e.verdict = cur.verdict
		if r.cover != nil {
			r.cover.verdict(&e)
		}
	}
	if rto {
		if r.cover != nil {
			r.cover.rto(&e)
		}
		ok := bad(m.RTO(e.conn[kindRTO], e.open, r.words.Last(), e.now))
		cur.rto, cur.open = ok && !e.open, ok && e.open
	}
	if send {
		if r.cover != nil {
			r.cover.send(&e)
		}
		cur.conn = e.conn[kindSend]
		var ok bool
		cur.cause, ok = m.Send(cur.conn, e.idle)
		cur.sent, cur.none = bad(ok), !ok
		e.cause = cur.cause
	}
	if r.cover != nil {
		r.cover.end(&e, r.Cycle)
		if cur.illegal == 3 {
			r.Reached[ptIllegalThree]++
		}
	}
}

// coverJump counts the points of a time that jumps.
func (r *predictor) coverJump(now uint64) {
	if half := uint64(1) << (r.p.TimerBits - 1); (now-r.now)&(2*half-1) >= half {
		r.Reached[ptTimeBack]++
	} else {
		r.Reached[ptTimeFar]++
	}
}

// drop counts the events of a cycle in which the unit is not ready.
func (r *predictor) drop(cur *late, on ...bool) {
	for _, event := range on {
		if event {
			cur.dropped++
		}
	}
	if cur.dropped == 0 {
		return
	}
	r.Reached[ptNotReady]++
	if r.reset {
		r.Reached[ptNotReadyFirst]++
	}
	if cur.dropped == 3 {
		r.Reached[ptNotReadyThree]++
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
	}{{"ACK", x.ackValid, x.ackConn}, {"RTO", x.rtoValid, x.rtoConn}, {"SEND", x.sendValid, x.sendConn}} {
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
	for k := uint64(1); k <= params.SendLatency && k <= r.Cycle; k++ {
		if s := &r.ring[(r.Cycle-k)&ringMask]; s.sent {
			fmt.Fprintf(&b, "\nSEND of %d cycles ago, connection %d: %v", k, s.conn, s.cause)
		}
	}
	return b.String()
}
