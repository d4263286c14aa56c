// SPDX-License-Identifier: Apache-2.0

package dcsimsource

import (
	"fmt"
	"strings"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/dcsim_source"
	"github.com/nicgen/nicgen/model/dcsim"
	model "github.com/nicgen/nicgen/model/dcsim_source"
	"github.com/nicgen/nicgen/tb/bench"
)

// sent is a DATA that was sent.
type sent struct {
	flow  uint32
	seq   uint64
	tag   uint64
	stamp uint64
	acked uint64 // the cycle in which its mark is written; 0: not acknowledged
}

// flying is a SIM that was sent, with the time that its place in the ring has.
type flying struct {
	sim   *model.SIM
	stamp uint64
}

// offer is DATAs that wait to be taken to their flow.
type offer struct {
	valid, legal bool
	flow, count  uint64
}

// fact is what shows some cycles later.
type fact struct {
	counts  [12]uint64
	illegal bool
}

// facts is a power of two above the longest delay of a fact.
const facts = 8

// Counters, in the order of their ports.
const (
	ctData = iota
	ctSIM
	ctSIMAck
	ctSIMTimeout
	ctDataSent
	ctDataAck
	ctDataTimeout
	ctLost
	ctSIMAckMissed
	ctDataAckMissed
	ctRefused
	ctNotReady
)

// state is what a reset clears.
type state struct {
	m      *model.Source
	bucket *dcsim.Bucket
	ready  bool
	swept  uint64
	void   bool // a setting was beyond its limits: nothing is known until the next reset

	fresh    offer
	list     timed[uint32] // flows that want a SIM
	queued   uint64        // SIMs in the queue
	slot     uint64        // of the next SIM
	oldest   uint64        // slot in use
	slotRoom bool
	served   *model.SIM // in the cycle before
	sims     timed[*model.SIM]
	offered  *model.SIM
	took     *model.SIM // a SIM was sent in the cycle before

	ack      bool // a SIM-ACK came in the cycle before
	ackPort  uint64
	flight   timed[flying]
	due      bool          // the oldest SIM in flight
	leaving  [3]*model.SIM // it fell due one, two, three cycles ago
	after    uint64        // the slot behind the last that left
	coming   uint64        // DATAs that left and were not sent
	acks     timed[*model.SIM]
	step     [3]bool    // the match has been under way for one, two, three cycles
	matching *model.SIM // nil: a DATA that timed out goes to the head

	datas     timed[*model.SIM]
	look      bool
	found     bool
	data      *model.SIM
	dataTook  *model.SIM // a DATA was sent in the cycle before
	dataAck   bool
	dataTag   uint64
	copies    timed[*sent]
	live      map[uint64]*sent
	tail      uint64 // the next tag
	copyRoom  bool
	copyLook  bool
	copySeen  bool
	copyDue   bool
	left      [2]*sent // it left one, two cycles ago
	again     *sent    // a DATA that timed out
	againHead bool     // it is to go to the head of its flow,
	againWant bool     // and to be counted
	lost      bool     // there was no place for it
	space     bool     // for one that times out
}

// predictor is the golden model behind the unit's ports.
type predictor struct {
	bench.Golden
	p    *params.Params
	pins *pins
	s    state

	reset           bool // rst was high in the cycle before
	gain, cost      int64
	rttMax, timeout uint64 // of the cycle before
	facts           [facts]fact
	cov             coverage
}

func newPredictor(p *params.Params, l *cosim.Layout, bare bool) (cosim.Predictor, error) {
	return newPrediction(p, l, bare)
}

func newPrediction(p *params.Params, l *cosim.Layout, bare bool) (*predictor, error) {
	x, err := newPins(l)
	if err != nil {
		return nil, err
	}
	r := &predictor{p: p, pins: x, Golden: bench.NewGolden(l, len(points(p)), bare)}
	r.Always(append(x.counter[:], x.ready, x.newReady, x.simValid, x.dataValid, x.lost, x.illegal)...)
	r.clear()
	return r, nil
}

// clear is what a reset does.
func (r *predictor) clear() {
	r.s = state{m: model.New(r.p), bucket: dcsim.NewBucket(r.p.Bucket), live: map[uint64]*sent{}}
	s := &r.s
	s.list.delay, s.flight.delay, s.acks.delay, s.datas.delay, s.copies.delay = params.QueueDelay, params.QueueDelay, params.QueueDelay, params.QueueDelay, params.QueueDelay
	s.sims.delay = 1
	s.copyRoom, s.space = true, true
	r.facts = [facts]fact{}
	clear(r.Want)
}

// count shows an event on a counter, some cycles later.
func (r *predictor) count(in uint64, counter int, n uint64) {
	r.facts[(r.Cycle+in)%facts].counts[counter] += n
}

// wrong shows an event that was refused or missed: a pulse, and in the next cycle the count.
func (r *predictor) wrong(in uint64, counter int) {
	r.facts[(r.Cycle+in)%facts].illegal = true
	r.count(in+1, counter, 1)
}

// Step implements cosim.Predictor. The unit registers rst: what a reset clears is clear from
// the second cycle after it on.
func (r *predictor) Step(in, want, care []uint64) {
	rst := r.pins.rst.On(in)
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
	r.reset = rst
	r.s.void = r.s.void || !r.legal(in)
	r.gain, r.cost = int64(r.pins.gain.Get(in)), int64(r.pins.cost.Get(in))
	r.rttMax, r.timeout = r.pins.rttMax.Get(in), r.pins.dataTimeout.Get(in)
	r.Cycle++
}

// legal reports whether the settings are within the limits that the ports have.
func (r *predictor) legal(in []uint64) bool {
	x := r.pins
	gain, cost, most := x.gain.Get(in), x.cost.Get(in), uint64(1)<<(r.p.TimeBits-1)-1
	time := func(v uint64) bool { return v >= 8 && v <= most }
	return cost > 0 && gain <= cost && time(x.rttMax.Get(in)) && time(x.dataTimeout.Get(in))
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
	*now = fact{}
	if r.taking() {
		x.ready.Raise(want)
		if !s.fresh.valid {
			x.newReady.Raise(want)
		}
	}
	if s.offered != nil {
		x.simValid.Raise(want)
		put(&x.simFlow, uint64(s.offered.Flow))
		put(&x.simPort, s.m.Port(s.offered))
	}
	if s.data != nil {
		x.dataValid.Raise(want)
		put(&x.dataFlow, uint64(s.data.Flow))
		put(&x.dataPort, s.m.Port(s.data))
		put(&x.dataSeq, s.data.Seq)
		put(&x.dataTag, s.tail)
	}
	if s.lost {
		x.lost.Raise(want)
		put(&x.lostFlow, uint64(s.again.flow))
		put(&x.lostSeq, s.again.seq)
	}
}

// due reports whether what was sent will have been in flight for a span in the next cycle,
// modulo the time's range.
func (r *predictor) due(stamp, span uint64) bool {
	return (r.Cycle+1-span-stamp)>>(r.p.TimeBits-1)&1 == 0
}

// decisions are what is decided in a cycle, all from the same registers.
type decisions struct {
	simTake, simLoad, dataTake, dataLoad bool
	late, again, serve, fresh            bool
	due, copyLeaves                      bool
	matchAgain, matchAck                 bool
}

// decide is stage by stage what the unit decides from its registers.
func (r *predictor) decide(in []uint64) (d decisions) {
	s, x, c := &r.s, r.pins, r.Cycle
	d.simTake = s.offered != nil && x.simReady.On(in)
	d.dataTake = s.data != nil && x.dataReady.On(in)
	if _, any := s.sims.head(c); any {
		d.simLoad = s.bucket.Have() > 0 && s.offered == nil
	}
	d.dataLoad = s.found && s.copyRoom && s.data == nil

	left := s.leaving[2]
	d.late = left != nil && !left.Acked
	_, listed := s.list.head(c)
	listed = listed && s.queued < x.simQueue.Get(in) && s.queued < 32 && s.slotRoom
	d.again = !d.late && s.againWant
	d.serve = !d.late && !d.again && listed
	d.fresh = s.fresh.valid && s.fresh.legal && !d.late && !d.again && !d.serve

	d.due = s.due
	d.copyLeaves = (s.copySeen || s.copyDue) && !s.againHead && !s.againWant && s.left == [2]*sent{}
	if free := !s.step[0] && !s.step[1]; free {
		d.matchAgain = s.againHead
		_, any := s.acks.head(c)
		d.matchAck = any && !s.againHead
	}
	return d
}

// run takes a cycle's inputs and makes the registers of the next cycle.
func (r *predictor) run(in []uint64) {
	d := r.decide(in)
	if !r.Bare {
		r.cover(in, &d)
	}
	r.simAck(in)
	r.dataAck(in)
	r.flows(in, &d)
	r.match(&d)
	r.sendSIM(&d)
	r.sendData(&d)
	r.leave(&d)
	r.copy(&d)

	s := &r.s
	s.bucket.Clock(d.simTake, r.gain, r.cost)
	if !s.ready && !r.reset {
		if s.swept++; s.swept == 1<<r.p.SweepBits() {
			s.ready = true
		}
	}
}

// Explain implements cosim.Predictor.
func (r *predictor) Explain([]uint64) string {
	s := &r.s
	var b strings.Builder
	fmt.Fprintf(&b, "cycle %d, ready %t, %d flows in turn, %d SIMs queued, slots %d to %d, %d SIMs in flight, %d SIM-ACKs to match, %d DATAs to send, %d not acknowledged",
		r.Cycle, s.ready, s.list.len(), s.queued, s.oldest, s.slot, s.flight.len(), s.acks.len(), s.coming, s.copies.len())
	if s.offered != nil {
		fmt.Fprintf(&b, "\nSIM offered: %+v", *s.offered)
	}
	if s.data != nil {
		fmt.Fprintf(&b, "\nDATA offered: %+v", *s.data)
	}
	return b.String()
}
