// SPDX-License-Identifier: Apache-2.0

package dcsimresponder

import (
	"fmt"
	"strings"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/dcsim_responder"
	model "github.com/nicgen/nicgen/model/dcsim_responder"
	"github.com/nicgen/nicgen/tb/bench"
)

// Counters, in the order of their ports.
const (
	ctSIM = iota
	ctSIMMissed
	ctData
	ctDataMissed
	ctDataAck
	ctDataAckTimed
	ctAcked
	ctBadClass
	ctBadFlow
	ctBadLength
	ctNotReady
)

// fact is what shows some cycles later.
type fact struct {
	counts          [11]uint64
	illegal, missed bool
}

// facts is a power of two above the longest delay of a fact.
const facts = 4

// packet is one that arrived.
type packet struct {
	valid                         bool
	class, flow, port, tag, bytes uint64
	verdict                       model.Verdict
}

// recorded is a DATA that was recorded in the cycle before.
type recorded struct {
	valid   bool
	flow    uint64
	waiting int
}

// made are the tags of a DATA-ACK: what DATAs arrive at sees them after the time that a memory
// takes.
type made struct {
	flow uint64
	n    int
}

// dataAck is a DATA-ACK that is sent.
type dataAck struct {
	flow uint64
	left int // tags that follow the next one
}

// simAck and beat are what the ports show.
type (
	simAck struct{ flow, port uint64 }
	beat   struct{ flow, tag, left uint64 }
)

// state is what a reset clears.
type state struct {
	m *model.Responder

	p0, p1, pd packet // pd: with a ram_latency of 2 only
	pe         recorded
	simAcks    offers[simAck]

	ready, lapped, last, cleared bool
	phase                        int64
	scan                         uint64 // the next flow of the scan
	scanned                      bool   // the flow that is read is the scan's
	reading                      uint64
	view                         model.View
	bells                        queue[uint64]
	byBell                       bool // the view is for a bell

	clocks uint64
	ticked uint64 // advances of the count in this lap
	count  uint64

	made      [2]made // by visits, one and two cycles ago
	next, now *dataAck
	sending   [3]*beat // a tag was read one, two cycles ago
	held      int      // tags in the queue and on the way there
	outs      offers[beat]
}

// predictor is the golden model behind the unit's ports.
type predictor struct {
	bench.Golden
	p    *params.Params
	pins *pins
	s    state

	reset bool // rst was high in the cycle before
	facts [facts]fact
	cov   coverage
}

func newPredictor(p *params.Params, l *cosim.Layout, bare bool) (cosim.Predictor, error) {
	x, err := newPins(l)
	if err != nil {
		return nil, err
	}
	r := &predictor{p: p, pins: x, Golden: bench.NewGolden(l, len(points(p)), bare)}
	r.Always(append(x.counter[:], x.ready, x.simValid, x.dataValid, x.illegal, x.missed)...)
	r.clear()
	return r, nil
}

// clear is what a reset does.
func (r *predictor) clear() {
	r.s = state{m: model.New(r.p)}
	s := &r.s
	s.simAcks.depth, s.outs.depth, s.bells.depth = int(r.p.SIMAcks), params.OutWords, params.Bells
	r.facts = [facts]fact{}
	r.cov.clear()
	clear(r.Want)
}

// count shows an event on a counter, some cycles later.
func (r *predictor) count(in uint64, counter int) { r.facts[(r.Cycle+in)%facts].counts[counter]++ }

// Step implements cosim.Predictor. The unit registers rst: what a reset clears is clear from
// the second cycle after it on.
func (r *predictor) Step(in, want, care []uint64) {
	rst := r.pins.rst.On(in)
	if r.Known {
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
	r.reset = rst
	r.Cycle++
}

// taking reports whether the unit is ready.
func (r *predictor) taking() bool { return r.s.ready && !r.reset }

// show writes what the registers show in this cycle.
func (r *predictor) show(want, care []uint64) {
	s, x := &r.s, r.pins
	now := &r.facts[r.Cycle%facts]
	for i, n := range now.counts {
		if n > 0 {
			x.counter[i].Add(r.Want, n)
		}
	}
	copy(want, r.Want)
	copy(care, r.Care)
	put := func(pin *bench.Pin, v uint64) {
		pin.Put(want, v)
		pin.Put(care, ^uint64(0))
	}
	if now.illegal {
		x.illegal.Raise(want)
	}
	if now.missed {
		x.missed.Raise(want)
	}
	*now = fact{}
	if r.taking() {
		x.ready.Raise(want)
	}
	if s.simAcks.offered {
		x.simValid.Raise(want)
		put(&x.simFlow, s.simAcks.head.flow)
		put(&x.simPort, s.simAcks.head.port)
	}
	if s.outs.offered {
		x.dataValid.Raise(want)
		put(&x.dataFlow, s.outs.head.flow)
		put(&x.dataTag, s.outs.head.tag)
		put(&x.dataLeft, s.outs.head.left)
		last := uint64(0)
		if s.outs.head.left == 0 {
			last = 1
		}
		put(&x.dataLast, last)
	}
}

// run takes a cycle's inputs and makes the registers of the next cycle. A visit reads what
// earlier cycles wrote, a DATA that arrives too: hence the order.
func (r *predictor) run(in []uint64) {
	s, x := &r.s, r.pins
	every := int(x.every.Get(in)) + 1
	nextFree, held, ready, taking := s.next == nil, s.held, s.ready, r.taking()

	step := s.phase == r.p.RAMLatency
	var seen model.View
	useBell := s.scanned && s.ready && s.bells.any(r.Cycle)
	bellsRoom := s.bells.room()
	if step && s.ready {
		seen = s.m.Look(s.reading, s.count)
	}
	r.sims(in)
	data := r.data()
	s.made = [2]made{{}, s.made[0]}
	waits := s.phase == 0 && r.decide(every, nextFree)
	r.send(held, nextFree, in)
	lap := r.slot(step, waits, useBell, seen)
	r.time(x.tick.Get(in), lap, ready)
	r.bell(every, bellsRoom)
	s.pe = data
	r.arrive(in, taking)
}

// arrive takes a packet, and checks the one of the cycle before.
func (r *predictor) arrive(in []uint64, taking bool) {
	s, x := &r.s, r.pins
	s.pd, s.p1 = s.p1, s.p0
	if p := &s.p1; p.valid {
		dataBytes := x.dataBytes.Get(in)
		p.verdict = s.m.Check(p.class, p.flow, p.bytes, dataBytes)
		if !r.Bare {
			r.coverCheck(p, dataBytes)
		}
	}
	valid := x.valid.On(in)
	s.p0 = packet{valid: valid && taking, class: x.class.Get(in), flow: x.flow.Get(in), port: x.port.Get(in), tag: x.tag.Get(in), bytes: x.bytes.Get(in)}
	if s.p0.valid {
		r.Accepted++
	} else if valid {
		r.count(2, ctNotReady)
		r.hit(ptNotReady, true)
	}
}

// sims answers the SIM that is checked, and counts what is wrong.
func (r *predictor) sims(in []uint64) {
	s, p := &r.s, &r.s.p1
	room := s.simAcks.room()
	before := s.simAcks.offered
	taken, _ := s.simAcks.cycle(r.Cycle, r.pins.simReady.On(in))
	if !r.Bare {
		r.coverSIMAck(before, taken)
	}
	switch {
	case !p.valid:
	case p.verdict != model.Good:
		r.facts[(r.Cycle+1)%facts].illegal = true
		r.count(2, ctBadClass+int(p.verdict-model.BadClass))
	case p.class == params.SIM && room:
		s.simAcks.push(r.Cycle, simAck{p.flow, p.port})
		r.count(2, ctSIM)
	case p.class == params.SIM:
		r.facts[(r.Cycle+1)%facts].missed = true
		r.count(2, ctSIMMissed)
		r.hit(ptSIMMissed, true)
	}
}

// data records the DATA whose flow's pointers have been read.
func (r *predictor) data() recorded {
	s, p := &r.s, &r.s.p1
	if r.p.RAMLatency == 2 {
		p = &s.pd
	}
	if !p.valid || p.verdict != model.Good || p.class != params.Data {
		return recorded{}
	}
	waiting, ok := s.m.Data(p.flow, p.tag)
	for _, made := range s.made[:r.p.RAMLatency] {
		if made.flow == p.flow {
			waiting += made.n
		}
	}
	if !r.Bare {
		r.coverData(p, waiting, ok)
	}
	if !ok {
		r.facts[(r.Cycle+1)%facts].missed = true
		r.count(2, ctDataMissed)
		return recorded{}
	}
	r.count(2, ctData)
	return recorded{true, p.flow, waiting}
}

// bell rings for a flow with enough, if there is room.
func (r *predictor) bell(every int, room bool) {
	s := &r.s
	over := s.pe.waiting - (every - 1)
	if !s.pe.valid || over < 0 || over >= params.RingBells {
		return
	}
	if room {
		s.bells.push(r.Cycle, s.pe.flow)
	}
	if !r.Bare {
		r.coverBell(over, room)
	}
}

// decide ends the visit whose flow was read; it reports whether it has to wait.
func (r *predictor) decide(every int, free bool) (waits bool) {
	s := &r.s
	if !s.ready {
		return false
	}
	wants, timed := s.view.Wants(every)
	if !r.Bare {
		r.coverVisit(every, wants, timed, free)
	}
	switch {
	case !wants:
		s.m.Rest(s.view)
		return false
	case !free:
		return true
	}
	n := s.m.Make(s.view)
	s.made[0] = made{s.view.Flow, n}
	s.next = &dataAck{flow: s.view.Flow, left: n - 1}
	r.count(2, ctDataAck)
	if timed {
		r.count(2, ctDataAckTimed)
	}
	return false
}

// slot goes on to the next visit; lap tells that the scan has come to its last flow.
func (r *predictor) slot(step, waits, useBell bool, seen model.View) (lap bool) {
	s := &r.s
	if !waits {
		s.phase++
	}
	if !step {
		return false
	}
	s.phase = 0
	s.view, s.byBell = seen, !s.scanned
	s.ready, s.cleared, s.last = s.cleared, s.last, s.lapped
	if useBell {
		s.reading = s.bells.pop()
	} else {
		s.reading = s.scan
		lap = s.scan == uint64(r.p.Flows)-1
		if s.scan++; lap {
			s.scan, s.lapped = 0, true
		}
	}
	s.scanned = !useBell
	return lap
}

// grain is what ticks are counted in, in clocks.
const grain = 1 << params.GrainBits

// time counts clocks and ticks: no more than params.LapTicks in a lap.
func (r *predictor) time(tick uint64, lap, ready bool) {
	s := &r.s
	over := s.clocks%grain == grain-1 && s.clocks/grain >= tick
	full := s.ticked == params.LapTicks
	r.hit(ptTickMost, over && ready && s.ticked == params.LapTicks-1)
	r.hit(ptTickLost, over && ready && full)
	r.hit(ptTickLap, over && ready && !full && lap)
	if over && ready && !full {
		s.count = (s.count + 1) % (1 << params.StampBits)
		s.ticked++
	}
	if lap {
		s.ticked = 0
	}
	if s.clocks++; over {
		s.clocks = 0
	}
}

// send reads tags, and offers them.
func (r *predictor) send(held int, free bool, in []uint64) {
	s := &r.s
	before := s.outs.offered
	taken, load := s.outs.cycle(r.Cycle, r.pins.dataReady.On(in))
	if taken {
		r.count(2, ctAcked)
	}
	if b := s.sending[r.p.RAMLatency-1]; b != nil {
		s.outs.push(r.Cycle, *b)
	}
	s.sending = [3]*beat{nil, s.sending[0], s.sending[1]}
	was := s.now
	goes := s.now != nil && held < params.OutWords
	if !r.Bare {
		r.coverSend(before, taken, goes, free)
	}
	if goes {
		s.sending[0] = &beat{flow: was.flow, tag: s.m.Next(was.flow), left: uint64(was.left)}
		s.held++
		if was.left--; was.left < 0 {
			s.now = nil
		}
	}
	if load {
		s.held--
	}
	if !free && s.now == nil {
		s.now, s.next = s.next, nil
	}
}

// Explain implements cosim.Predictor.
func (r *predictor) Explain([]uint64) string {
	s := &r.s
	var b strings.Builder
	fmt.Fprintf(&b, "cycle %d, ready %t, %d SIM-ACKs wait, %d tags to leave, %d bells, phase %d, flow %d is read, view %+v, count %d, clocks %d",
		r.Cycle, s.ready, len(s.simAcks.words), s.held, len(s.bells.words), s.phase, s.reading, s.view, s.count, s.clocks)
	for i := range min(uint64(r.p.Flows), 8) {
		fmt.Fprintf(&b, "\nflow %d: %+v", i, *s.m.Flow(i))
	}
	if s.now != nil {
		fmt.Fprintf(&b, "\nsent: %+v", *s.now)
	}
	if s.next != nil {
		fmt.Fprintf(&b, "\nnext: %+v", *s.next)
	}
	return b.String()
}
