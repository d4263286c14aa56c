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

// simAck takes the SIM-ACK of the cycle before, and notes this cycle's.
func (r *predictor) simAck(in []uint64) {
	s, x, c := &r.s, r.pins, r.Cycle
	if s.ack {
		if sim := s.m.Ack(s.ackPort); sim != nil {
			s.acks.push(c+2, sim)
			r.count(3, ctSIMAck, 1)
		} else {
			r.wrong(2, ctSIMAckMissed)
		}
	}
	valid := x.simAck.On(in)
	s.ack, s.ackPort = valid && r.taking(), x.simAckPort.Get(in)
	if s.ack {
		r.Accepted++
	} else if valid {
		r.count(2, ctNotReady, 1)
	}
}

// dataAck does the same with DATA-ACKs.
func (r *predictor) dataAck(in []uint64) {
	s, x, c := &r.s, r.pins, r.Cycle
	if s.dataAck {
		if f := s.live[s.dataTag]; f != nil && f.acked == 0 {
			f.acked = c + 1
			r.count(3, ctDataAck, 1)
		} else {
			r.wrong(2, ctDataAckMissed)
		}
	}
	valid := x.dataAck.On(in)
	s.dataAck, s.dataTag = valid && r.taking(), x.dataAckTag.Get(in)
	if s.dataAck {
		r.Accepted++
	} else if valid {
		r.count(2, ctNotReady, 1)
	}
}

// flows is the lane that counts what flows want.
func (r *predictor) flows(in []uint64, d *decisions) {
	s, x, c := &r.s, r.pins, r.Cycle
	join := func(flow uint32, joins bool) {
		if joins {
			s.list.push(c+2, flow)
		}
	}
	if s.served != nil { // it was chosen in the cycle before
		s.m.Number(s.served)
		s.sims.push(c, s.served)
	}
	if x.seed.On(in) {
		s.m.Seed(x.seedWord.Get(in))
	} else if s.served != nil {
		s.m.Step()
	}
	room := (s.slot-s.oldest)%uint64(r.p.Outstanding) < uint64(r.p.Outstanding)-2
	s.served = nil
	switch {
	case d.late:
		flow := s.leaving[2].Flow
		join(flow, s.m.Late(flow))
	case d.again:
		s.againWant = false
		join(s.again.flow, s.m.Again(s.again.flow))
	case d.serve:
		flow, _ := s.list.take(c)
		sim, stays := s.m.Queue(flow)
		s.served = sim
		join(flow, stays)
		s.queued++
		s.slot++
	case d.fresh:
		accepted, joins := s.m.Data(s.fresh.flow, int64(s.fresh.count))
		join(uint32(s.fresh.flow), joins)
		if accepted {
			r.count(3, ctData, s.fresh.count)
			r.Accepted++
		} else {
			r.wrong(2, ctRefused)
		}
	}
	s.slotRoom = room
	switch f := &s.fresh; {
	case !f.valid:
		*f = offer{valid: x.newValid.On(in) && r.taking(), flow: x.newFlow.Get(in), count: x.newCount.Get(in)}
		f.legal = f.flow < uint64(r.p.Flows) && f.count > 0
	case !f.legal:
		r.wrong(1, ctRefused)
		f.valid = false
	case d.fresh:
		f.valid = false
	}
}

// match gives SIM-ACKs their DATAs, and takes those that timed out.
func (r *predictor) match(d *decisions) {
	s, c := &r.s, r.Cycle
	if s.step[2] {
		if s.matching != nil {
			s.m.Match(s.matching, c)
		} else {
			s.m.Head(s.again.flow, s.again.seq)
		}
	}
	s.step = [3]bool{d.matchAgain || d.matchAck, s.step[0], s.step[1]}
	switch {
	case d.matchAgain:
		s.matching, s.againHead = nil, false
		s.m.Reserve()
	case d.matchAck:
		s.matching, _ = s.acks.take(c)
	}
}

// sendSIM offers and sends SIMs.
func (r *predictor) sendSIM(d *decisions) {
	s, c := &r.s, r.Cycle
	if s.took != nil {
		s.flight.push(c, flying{s.took, c})
		s.m.Send(s.took, c-1)
		r.count(1, ctSIM, 1)
	}
	s.took = nil
	if d.simTake {
		s.took, s.offered = s.offered, nil
		s.queued--
		r.Accepted++
	}
	if d.simLoad {
		s.offered, _ = s.sims.take(c)
	}
}

// leave takes SIMs out of the ring when they fall due.
func (r *predictor) leave(d *decisions) {
	s, c := &r.s, r.Cycle
	left := s.leaving[2]
	free := s.coming == 0
	after := s.after
	if left != nil {
		s.after = (left.Slot + 1) % uint64(r.p.Outstanding)
		if left.Acked {
			s.coming++
			s.datas.push(c+params.Settle, left)
		} else {
			r.count(1, ctSIMTimeout, 1)
		}
	}
	switch {
	case d.dataTake:
		s.coming--
		s.oldest = (s.dataTook.Slot + 1) % uint64(r.p.Outstanding)
	case free:
		s.oldest = after
	}
	s.leaving = [3]*model.SIM{nil, s.leaving[0], s.leaving[1]}
	f, any := s.flight.head(c)
	s.due = any && r.due(f.stamp, r.rttMax) && !d.due
	if d.due {
		f, _ := s.flight.take(c)
		s.leaving[0] = f.sim
		s.m.Due(f.sim)
	}
}

// sendData offers and sends DATAs.
func (r *predictor) sendData(d *decisions) {
	s, c := &r.s, r.Cycle
	head, any := s.datas.head(c)
	s.found = s.look && any && head.Matched != 0 && c >= head.Matched+2 && !d.dataLoad
	s.look = any && !d.dataLoad
	room := s.tail-s.closed() < uint64(r.p.Copies)-2
	if s.dataTook != nil {
		f := &sent{flow: s.dataTook.Flow, seq: s.dataTook.Seq, tag: s.tail, stamp: c}
		s.copies.push(c, f)
		s.live[s.tail] = f
		s.tail = (s.tail + 1) & (1<<r.p.TagBits - 1)
		r.count(1, ctDataSent, 1)
	}
	s.copyRoom = room
	s.dataTook = nil
	if d.dataTake {
		s.dataTook, s.data = s.data, nil
		r.Accepted++
	}
	if d.dataLoad {
		s.data, _ = s.datas.take(c)
	}
}

// closed is the tag of the oldest DATA that is in flight, or the next one.
func (s *state) closed() uint64 { return s.tail - uint64(s.copies.len()) }

// copy takes DATAs out of those that wait for DATA-ACKs.
func (r *predictor) copy(d *decisions) {
	s, c := &r.s, r.Cycle
	s.lost = false
	if f := s.left[1]; f != nil {
		if f.acked == 0 {
			if s.space {
				s.againHead, s.againWant = true, true
				r.count(2, ctDataTimeout, 1)
			} else {
				s.lost = true
				r.count(2, ctLost, 1)
			}
		}
		s.again = f
	}
	head, any := s.copies.head(c)
	s.copyDue = any && r.due(head.stamp, r.timeout) && !d.copyLeaves
	s.copySeen = s.copyLook && any && head.acked != 0 && head.acked < c && !d.copyLeaves
	s.copyLook = any && s.left[0] == nil && !d.copyLeaves
	s.left = [2]*sent{nil, s.left[0]}
	if d.copyLeaves {
		f, _ := s.copies.take(c)
		s.left[0] = f
		delete(s.live, f.tag)
	}
	s.space = s.m.Space()
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
