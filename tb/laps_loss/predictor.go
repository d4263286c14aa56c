// SPDX-License-Identifier: Apache-2.0

package lapsloss

import (
	"fmt"
	"strings"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/laps_loss"
	model "github.com/nicgen/nicgen/model/laps_loss"
	"github.com/nicgen/nicgen/tb/bench"
)

// Counters, in the order of params.CounterNames.
const (
	cntSend = iota
	cntFull
	cntAck
	cntSkip
	cntIgnored
	cntLost
	cntTimeout
	cntExpired
	cntIllegal
	cntNotReady
	counters
)

// event is a send or an ACK.
type event struct {
	on      bool
	path    uint32
	seg     model.Segment
	latency uint64
	now     uint64
	rtoMin  uint64
}

// visit is an ACK or a timer check in the barrel.
type visit struct {
	on       bool
	timer    bool
	first    bool // an ACK in its first pass
	follow   bool // an ACK of its path has entered behind it
	apart    int  // cycles from the ACK of its path before it, if that was in the barrel
	event         // the ACK; of a timer, path
	tail     uint64
	cause    model.Cause
	passes   int             // in which the ring is still searched
	lost     []model.Segment // what is reported
	reported int             // of these
	release  int             // places of the ring that are free at the end
	was      uint64          // of an ACK that skips: the timer before it
	sent     uint64          // and how many segments had been stored on its path
	count    [counters]uint8 // what the model counted with it
}

// busy reports whether an ACK of the path must not enter behind it.
func (v *visit) busy() bool { return v.on && !v.first }

// queue holds ACKs that wait, or may have to wait again: of acks, those from keep
// to wr, of which those from rd on are in the queue.
type queue struct {
	acks         []event
	wr, rd, keep uint64
	some         bool // one may be read
	blocked      bool // its oldest waits for what is in the barrel of its path
}

// at is the ACK in a place.
func (q *queue) at(i uint64) *event { return &q.acks[i&uint64(len(q.acks)-1)] }

// loss is a lost segment on its way to the sender.
type loss struct {
	path  uint32
	timer bool
	seg   model.Segment
}

// late is what shows some cycles after its cause.
type late struct {
	sent, stored bool
	done         bool
	any          bool // some increment is not zero
	cause        model.Cause
	count        [counters]uint8
	path         uint32 // of the ACK, and of places that are free from a later cycle on
	release      int
	seg          model.Segment
}

// predictor is the golden model behind the unit's ports. The model executes a send
// in the cycle in which the tail is written, a timer check in the one after it enters, and an ACK at the end of its first pass, as before the sends that
// came since its pointers were read; what the predictor adds is when that shows.
type predictor struct {
	bench.Golden
	p     *params.Params
	pins  *pins
	m     *model.Detector
	phase int // cycle modulo the slots
	last  int // step in which the scan of a timer ends

	resets  bool  // the reset of the cycle before acts in this one
	ready   bool  // rings are emptied
	cleared int64 // cycles since the reset
	lastNow uint64

	sends  [8]event // by cycle in which they are taken, modulo 8
	queues []queue  // of ACKs that wait
	after  int      // whose turn was last
	e0, e1 *event   // on their way from a queue to the barrel
	slots  []visit
	taken  int    // slots that are on
	walks  int    // and those that are busy
	entry  *visit // the one in stage 0
	read   *visit // the one in stage 1, whose pointers are read
	noted  uint64 // the time of the cycle before
	lost   []loss // a ring, from lostRd to lostWr
	lostRd, lostWr,
	popped uint64 // segments that the sender took in the last cycle
	begin  []uint16 // where the ring of a path begins, modulo the depth
	stored []uint64 // segments stored on a path
	scan   struct {
		path    uint32
		step    int  // cycles since the time was noted, up to last
		expired bool // what came of that
		want    bool // a timer check requests a slot
		held    bool // and must not, in this cycle
		busy    bool // it is in the barrel
	}

	ring [8]late // by cycle, modulo 8

	apart *bench.Distances
	full  []bool // the last send of a path found no room
	acked []bool // an ACK has set the timer of a path, and no send since
	ever  []bool // an ACK has set it at some time
}

func newPredictor(p *params.Params, l *cosim.Layout, bare bool) (cosim.Predictor, error) {
	x, err := newPins(l)
	if err != nil {
		return nil, err
	}
	r := &predictor{
		p: p, pins: x, m: model.New(p), Golden: bench.NewGolden(l, len(points(p)), bare),
		queues: make([]queue, p.AckQueues), after: int(p.AckQueues) - 1,
		last:   p.ScanCycles() - 1,
		slots:  make([]visit, p.Slots()),
		lost:   make([]loss, p.LostQueue),
		stored: make([]uint64, p.Paths),
		begin:  make([]uint16, p.Paths),
		full:   make([]bool, p.Paths),
		acked:  make([]bool, p.Paths),
		ever:   make([]bool, p.Paths),
	}
	for i := range r.queues {
		r.queues[i].acks = make([]event, p.AckQueue)
	}
	for i := range r.slots {
		r.slots[i].lost = make([]model.Segment, 0, p.Depth)
	}
	r.apart = bench.NewDistances(kinds, distances(p), p.Paths, r.Reached[ptDistance(p):])
	r.Always(append(x.counter[:], x.ready, x.ackReady, x.sentValid, x.doneValid, x.lostValid)...)
	return r, nil
}

// Step implements cosim.Predictor.
func (r *predictor) Step(in, want, care []uint64) {
	x := r.pins
	rst := x.rst.On(in)
	if r.Known {
		r.show(want, care)
		r.advance(in, want, rst)
	}
	switch {
	case r.resets:
		if r.ready {
			r.Reached[ptReset]++
		}
		r.reset()
		if x.sendValid.On(in) && !rst {
			r.drop()
		}
	case r.Known && !r.ready:
		r.cleared++
		if r.cleared == r.p.Paths+r.p.ReadyDelay()-1 {
			r.ready = true
		}
	}
	r.resets = rst
	r.Cycle++
	if r.phase++; r.phase == len(r.slots) {
		r.phase = 0
	}
}

// drop notes a send that comes before the unit is ready.
func (r *predictor) drop() {
	cur := &r.ring[r.Cycle&7]
	cur.any = true
	cur.count[cntNotReady]++
}

// reset is the state after the cycle in which a reset acts.
func (r *predictor) reset() {
	r.m.Reset()
	r.Known, r.ready, r.cleared = true, false, 0
	r.sends, r.ring = [8]event{}, [8]late{}
	for i := range r.slots {
		r.slots[i].on, r.slots[i].first = false, false
	}
	for i := range r.queues {
		q := &r.queues[i]
		*q = queue{acks: q.acks}
	}
	r.e0, r.e1, r.after, r.taken, r.walks = nil, nil, int(r.p.AckQueues)-1, 0, 0
	r.lostRd, r.lostWr, r.popped, r.entry, r.read = 0, 0, 0, nil, nil
	r.scan.path, r.scan.step = 0, 0
	r.scan.expired, r.scan.want, r.scan.held, r.scan.busy = false, false, false, false
	clear(r.Want)
	clear(r.begin)
	clear(r.stored)
	clear(r.full)
	clear(r.acked)
	clear(r.ever)
}

// show writes what earlier cycles caused.
func (r *predictor) show(want, care []uint64) {
	x := r.pins
	if c := &r.ring[(r.Cycle-params.CountDelay)&7]; c.any {
		for i, n := range c.count {
			if n != 0 {
				x.counter[i].Add(r.Want, uint64(n))
			}
		}
	}
	copy(want, r.Want)
	copy(care, r.Care)
	if r.ready && !r.resets {
		x.ready.Raise(want)
	}
	a := &r.ring[(r.Cycle-params.AnswerDelay)&7]
	if a.sent {
		x.sentValid.Raise(want)
		x.stored.Raise(care)
		if a.stored {
			x.stored.Raise(want)
		}
	}
	if a.done {
		x.doneValid.Raise(want)
		put := func(p bench.Pin, v uint64) {
			p.Put(want, v)
			p.Put(care, ^uint64(0))
		}
		put(x.donePath, uint64(a.path))
		put(x.doneFlow, uint64(a.seg.Flow))
		put(x.doneSeq, a.seg.Seq)
		put(x.cause, uint64(a.cause))
	}
	if r.lostRd != r.lostWr {
		l := &r.lost[r.lostRd&uint64(len(r.lost)-1)]
		x.lostValid.Raise(want)
		x.lostPath.Put(want, uint64(l.path))
		x.lostPath.Put(care, ^uint64(0))
		x.lostFlow.Put(want, uint64(l.seg.Flow))
		x.lostFlow.Put(care, ^uint64(0))
		x.lostSeq.Put(want, l.seg.Seq)
		x.lostSeq.Put(care, ^uint64(0))
		x.out.Raise(care)
		if l.timer {
			x.out.Raise(want)
		}
	}
}

// advance executes what happens in a cycle.
func (r *predictor) advance(in, want []uint64, rst bool) {
	x := r.pins
	cur := &r.ring[r.Cycle&7]
	*cur = late{}
	if f := &r.ring[(r.Cycle-uint64(r.p.FreeDelay()))&7]; f.release > 0 {
		r.m.Free(f.path, f.release)
	}
	to := r.wait(uint32(x.ackPath.Get(in)))
	room := r.queues[to].wr-r.queues[to].keep < uint64(r.p.AckQueue)
	open := r.ready && !r.resets
	if open && room {
		x.ackReady.Raise(want)
	}
	// With two cycles to a word the pointers that come are those after the send of this one.
	if r.p.RAMLatency == 1 {
		r.look()
	}
	r.send(cur)
	if r.p.RAMLatency == 2 {
		r.look()
	}
	r.read, r.entry, r.noted = r.entry, nil, x.now.Get(in)
	shown := r.lostRd != r.lostWr
	r.move(cur, x.rtoMin.Get(in), r.take(in, open, room, rst), to)
	r.popped = 0
	if shown {
		if x.lostReady.On(in) {
			r.lostRd++
			r.popped = 1
		} else {
			r.Reached[ptLostWaits]++
		}
	}
}

// take notes the events at the ports, and reports whether an ACK is taken.
func (r *predictor) take(in []uint64, open, room, rst bool) bool {
	x := r.pins
	send, ack := x.sendValid.On(in), x.ackValid.On(in)
	at := &r.sends[r.Cycle&7]
	at.on = false
	if !open {
		if (send || ack) && !rst {
			r.Reached[ptNotReady]++
		}
		if send && !rst && !r.resets {
			r.drop()
		}
		return false
	}
	if rst {
		return false
	}
	now := x.now.Get(in)
	if now < r.lastNow {
		r.Reached[ptTimeWrap]++
	}
	r.lastNow = now
	var on [kinds]bool
	var path [kinds]uint32
	if send {
		r.Accepted++
		*at = event{
			on: true, path: uint32(x.sendPath.Get(in)), latency: x.sendLatency.Get(in), now: now, rtoMin: x.rtoMin.Get(in),
			seg: model.Segment{Flow: uint32(x.sendFlow.Get(in)), Seq: x.sendSeq.Get(in)},
		}
		on[kindSend], path[kindSend] = r.m.Legal(at.path), at.path
	}
	if ack && !room {
		r.Reached[ptAckFull]++
		ack = false
	}
	if ack {
		r.Accepted++
		e := event{
			on: true, path: uint32(x.ackPath.Get(in)), latency: x.ackLatency.Get(in), now: now,
			seg: model.Segment{Flow: uint32(x.ackFlow.Get(in)), Seq: x.ackSeq.Get(in)},
		}
		q := &r.queues[r.wait(e.path)]
		*q.at(q.wr) = e
		on[kindAck], path[kindAck] = r.m.Legal(e.path), e.path
	}
	if !r.Bare && (send || ack) {
		r.apart.Cycle(r.Cycle, on[:], path[:])
	}
	return ack
}

// send executes the send whose tail is written in this cycle.
func (r *predictor) send(cur *late) {
	e := &r.sends[(r.Cycle-uint64(r.p.SendWrite()))&7]
	if !e.on {
		return
	}
	m := r.m
	before := 0
	was, armed := uint64(0), false
	if legal := m.Legal(e.path); legal {
		before = len(m.Outstanding(e.path))
		was, armed = m.Deadline(e.path), before > 0
	}
	m.RTOMin = e.rtoMin
	counted := m.Count
	stored := m.Send(e.path, e.seg, e.latency, e.now)
	cur.sent, cur.stored, cur.any = true, stored, true
	for i, n := range since(&counted, &m.Count) {
		cur.count[i] += n
	}
	if !m.Legal(e.path) {
		r.Reached[ptIllegalSend]++
		return
	}
	if stored {
		r.stored[e.path]++
	}
	if !r.Bare {
		r.coverSend(e, stored, before, armed, was)
	}
}

// look reads the pointers for the ACK or the timer check that has entered, and executes
// the check; and it reads the timer whose turn it is. Both at the time of the cycle before.
func (r *predictor) look() {
	v, m, now := r.read, r.m, r.noted
	r.read = nil
	switch {
	case v == nil:
	case v.timer:
		if !r.Bare {
			r.coverTimerCheck(v.path, now)
		}
		counted := m.Count
		v.lost = append(v.lost[:0], m.Expire(v.path, now)...)
		v.release = len(v.lost)
		v.count = since(&counted, &m.Count)
		r.retire(v)
	case m.Legal(v.path):
		v.tail = r.stored[v.path]
	}
	if s := &r.scan; r.ready && s.step == 1 && !s.busy {
		s.expired = r.expired(s.path, now)
		if !r.Bare {
			r.coverTimer(s.path, now)
		}
	}
}

// expired reports what the memory of timers tells of one that is read at time now: an
// ACK that skips is written there at its end.
func (r *predictor) expired(path uint32, now uint64) bool {
	if r.walks > 0 {
		for i := range r.slots {
			if v := &r.slots[i]; v.busy() && v.path == path && v.cause == model.Skip && !v.timer && r.stored[path] == v.sent {
				mask := ^uint64(0) >> (64 - r.p.TimeBits)
				late := (now - v.was) & mask
				return late != 0 && late <= mask>>1
			}
			// With a segment stored since, the ring is not empty and its timer is that of the send.
		}
	}
	return r.m.Expired(path, now)
}

// resolve executes an ACK at the end of its first pass.
func (r *predictor) resolve(v *visit) {
	m := r.m
	v.passes, v.release, v.lost, v.reported = 0, 0, v.lost[:0], 0
	m.RTOMin = v.rtoMin
	counted := m.Count
	if !m.Legal(v.path) {
		r.Reached[ptIllegalAck]++
		v.cause, _ = m.Ack(v.path, v.seg, v.latency, v.now)
		v.count = since(&counted, &m.Count)
		return
	}
	v.sent = r.stored[v.path]
	later := int(v.sent - v.tail)
	out := m.Outstanding(v.path)
	n, at := len(out)-later, 0
	v.was = m.Deadline(v.path)
	lane := int(r.begin[v.path]) & (int(r.p.Lanes) - 1)
	if !r.Bare {
		r.coverAck(v, out[:n], lane)
	}
	cause, lost := m.AckBefore(v.path, v.seg, v.latency, v.now, later)
	v.count = since(&counted, &m.Count)
	switch v.cause = cause; cause {
	case model.Ignored:
		at = n
	case model.Skip:
		v.lost = append(v.lost, lost...)
		at = len(lost)
		fallthrough
	case model.Order:
		v.release = at + 1
		if !r.Bare && later == 0 {
			r.coverSet(v.path, v.latency, v.rtoMin, v.was)
			r.acked[v.path], r.ever[v.path] = true, true
		}
	}
	v.passes = (lane + at) / int(r.p.Lanes)
	r.retire(v)
}

// retire holds the room of what left the ring, and moves its beginning.
func (r *predictor) retire(v *visit) {
	if v.release > 0 {
		r.m.Hold(v.path, v.release)
		r.begin[v.path] = uint16((int(r.begin[v.path]) + v.release) & (int(r.p.Depth) - 1))
	}
}

// decide ends a pass.
func (r *predictor) decide(v *visit, cur *late) {
	switch {
	case v.first:
		v.first = false
		r.resolve(v)
		if v.passes > 0 || len(v.lost) > 0 {
			r.walks++
			return
		}
	case v.passes > 0:
		if v.passes--; v.passes > 0 {
			return
		}
		if v.timer && len(v.lost) > 0 {
			cur.any = true
			cur.count[cntTimeout] += v.count[cntTimeout]
		}
		if len(v.lost) > 0 {
			return
		}
		r.walks--
	case r.lostWr-r.lostRd+r.popped >= uint64(r.p.LostQueue):
		r.Reached[ptLostFull]++
		return
	default:
		*r.lostAt(r.lostWr) = loss{v.path, v.timer, v.lost[v.reported]}
		r.lostWr++
		r.Accepted++
		if !r.Bare {
			r.coverReport(v)
		}
		cur.any = true
		if v.timer {
			cur.count[cntExpired]++
		} else {
			cur.count[cntLost]++
		}
		if v.reported++; v.reported < len(v.lost) {
			return
		}
		r.walks--
	}
	v.on = false
	r.taken--
	cur.release, cur.path = v.release, v.path
	if v.timer {
		cur.count[cntExpired] += v.count[cntExpired] - uint8(len(v.lost)) // each was counted as it was reported
		return
	}
	cur.done, cur.any, cur.seg, cur.cause = true, true, v.seg, v.cause
	v.count[cntLost] -= uint8(len(v.lost))
	for i, n := range v.count {
		cur.count[i] += n
	}
}

// since is what was counted from one reading of the model's counters to another.
func since(from, to *model.Counters) [counters]uint8 {
	return [counters]uint8{
		cntSend: uint8(to.Send - from.Send), cntFull: uint8(to.Full - from.Full), cntAck: uint8(to.Ack - from.Ack),
		cntSkip: uint8(to.Skip - from.Skip), cntIgnored: uint8(to.Ignored - from.Ignored), cntLost: uint8(to.Lost - from.Lost),
		cntTimeout: uint8(to.Timeout - from.Timeout), cntExpired: uint8(to.Expired - from.Expired), cntIllegal: uint8(to.IllegalPath - from.IllegalPath),
	}
}

// lostAt is a place on the way to the sender.
func (r *predictor) lostAt(i uint64) *loss { return &r.lost[i&uint64(len(r.lost)-1)] }

// wait is the number of the queue of a path's ACKs.
func (r *predictor) wait(path uint32) int { return int(int64(path) & (r.p.AckQueues - 1)) }

// stage is what is in a stage of the barrel in this cycle, before its end; that in the
// last stage ends its pass.
func (r *predictor) stage(n int) *visit {
	i := r.phase + len(r.slots) - 1 - n
	if i >= len(r.slots) {
		i -= len(r.slots)
	}
	return &r.slots[i]
}

// turn is the queue whose turn it is to be read: the first after the last; -1: none.
func (r *predictor) turn() int {
	n := len(r.queues)
	for i := r.after + 1; i < n; i++ {
		if r.queues[i].some {
			return i
		}
	}
	for i := range r.after + 1 {
		if r.queues[i].some {
			return i
		}
	}
	return -1
}

// move ends a pass, and moves ACKs and looks at timers towards the barrel and into it.
// pushed tells that an ACK has been put into queue to.
func (r *predictor) move(cur *late, rtoMin uint64, pushed bool, to int) {
	s := &r.scan
	end := len(r.slots) - 1 // the last stage
	held := false           // for the next cycle
	if s.step == r.last {
		held = r.e1 != nil && r.e1.path == s.path
		for n := range r.slots {
			v := r.stage(n)
			held = held || n != end-1 && v.on && v.path == s.path
		}
	}
	if r.taken == len(r.slots) {
		r.Reached[ptBarrelFull]++
	}

	// What ends.
	v := r.stage(end)
	wasOn, wasTimer, settled := v.on, v.timer, v.on && v.first
	if wasOn {
		r.decide(v, cur)
	}
	free, done := !v.on, r.wait(v.path)
	replay := settled && v.follow && (v.cause == model.Skip || v.cause == model.Ignored)
	ends := wasOn && !settled && free

	// What enters.
	e0, e1 := r.e0, r.e1
	from0, from1 := -1, -1
	if e0 != nil {
		from0 = r.wait(e0.path)
	}
	heldNow := false
	if e1 != nil {
		from1 = r.wait(e1.path)
		heldNow = s.want && e1.path == s.path
		if heldNow {
			r.Reached[ptBackWant]++
		}
		if r.walks > 0 {
			for n := range end {
				if o := r.stage(n); o.busy() && o.path == e1.path {
					heldNow = true
					r.coverBack(o, n)
				}
			}
		}
	}
	check := free && s.want && !s.held
	back := e1 != nil && heldNow
	enter := e1 != nil && !heldNow && free && !check && !(replay && from1 == done)
	load1 := e1 == nil || enter || back
	load0 := e0 == nil || load1
	turn := r.turn()
	keep0 := e0 != nil && !(back && from0 == from1) && !(replay && from0 == done)
	keepTurn := load0 && turn >= 0 && !(back && turn == from1) && !(replay && turn == done)

	switch {
	case load1 && keep0:
		r.e1 = e0
	case load1, replay && from1 == done:
		r.e1 = nil
	}
	switch {
	case keepTurn:
		r.e0 = r.queues[turn].at(r.queues[turn].rd)
	case load0, !keep0:
		r.e0 = nil
	}
	for i := range r.queues {
		q := &r.queues[i]
		read, more := load0 && i == turn, q.rd != q.wr
		next := q.rd
		if read {
			more = q.rd+1 != q.wr
			next++
		}
		q.some = (more || pushed && i == to) && !q.blocked
		if back && i == from1 {
			next = q.rd - 1
			if from0 == i {
				next--
				r.Reached[ptBackTwo]++
			}
			q.some, q.blocked = false, true
		} else if ends && i == done {
			q.blocked = false
		}
		if replay && i == done {
			next = q.keep + 1
			q.some = false
		}
		if settled && i == done {
			q.keep++
		}
		q.rd = next
		if pushed && i == to {
			q.wr++
		}
	}
	if load0 && turn >= 0 {
		r.after = turn
	}
	if replay {
		r.sendBack(v, done)
	}
	switch {
	case check:
		*v = visit{on: true, timer: true, passes: 1, event: event{path: s.path}, lost: v.lost}
		r.entry = v
		r.taken++
		r.walks++
	case enter:
		lost := v.lost
		before := 0
		for n := range end {
			if o := r.stage(n); o.first && o.path == e1.path {
				o.follow = true
				if before == 0 {
					before = n + 1
				}
			}
		}
		if before == 0 && settled && v.path == e1.path {
			before = end + 1
		}
		*v = visit{on: true, first: true, apart: before, event: *e1, lost: lost}
		v.rtoMin = rtoMin
		r.entry = v
		r.taken++
	}
	r.scanned(check, ends && wasTimer)
	s.held = held
}

// sendBack sends all ACKs of a queue that are in their first pass back to it, behind
// that of visit v.
func (r *predictor) sendBack(v *visit, queue int) {
	for n := range len(r.slots) - 1 {
		if o := r.stage(n); o.first && r.wait(o.path) == queue {
			o.on, o.first = false, false
			r.taken--
			if o.path != v.path {
				r.Reached[ptReplayOther]++
			}
		}
	}
	r.coverReplay(v)
}

// scanned moves the timers on: check tells that a timer check enters the barrel, ended that it
// has come to its end.
func (r *predictor) scanned(check, ended bool) {
	s := &r.scan
	next := ended
	if !s.busy {
		next = s.step == r.last && !s.want && !s.expired
	}
	switch {
	case s.step != r.last:
		s.step++
	case !s.busy && s.expired:
		s.want = true
	}
	if check {
		s.want, s.busy, s.step = false, true, 0
	}
	if next {
		s.busy, s.step = false, 0
		if s.path++; int64(s.path) == r.p.Paths {
			s.path = 0
		}
	}
	if !r.ready {
		s.path, s.step, s.want, s.busy = 0, 0, false, false
	}
}

// Explain implements cosim.Predictor: what is where, and the rings of the paths named
// in in.
func (r *predictor) Explain(in []uint64) string {
	x := r.pins
	var b strings.Builder
	fmt.Fprintf(&b, "cycle %d, now %d ns, ready %t; %d lost segments wait; the timer of path %d is read, step %d, a timer check requests a slot: %t",
		r.Cycle, x.now.Get(in), r.ready, r.lostWr-r.lostRd, r.scan.path, r.scan.step, r.scan.want)
	for _, e := range []struct {
		name        string
		valid, path bench.Pin
	}{{"send", x.sendValid, x.sendPath}, {"ACK", x.ackValid, x.ackPath}} {
		if !e.valid.On(in) {
			continue
		}
		c := uint32(e.path.Get(in))
		if r.m.Legal(c) {
			fmt.Fprintf(&b, "\n%s of path %d: outstanding %v, timer %d ns", e.name, c, r.m.Outstanding(c), r.m.Deadline(c))
		} else {
			fmt.Fprintf(&b, "\n%s of path %d: there are only %d paths", e.name, c, r.p.Paths)
		}
	}
	for i := range r.queues {
		if q := &r.queues[i]; q.wr != q.keep {
			fmt.Fprintf(&b, "\nqueue %d, blocked %t: ACKs of", i, q.blocked)
			for j := q.keep; j != q.wr; j++ {
				if j == q.rd {
					b.WriteString(" |") // those before are beyond the queue, and may come back
				}
				fmt.Fprintf(&b, " %v@%d", q.at(j).seg, q.at(j).path)
			}
		}
	}
	for i, e := range []*event{r.e0, r.e1} {
		if e != nil {
			fmt.Fprintf(&b, "\ne%d: ACK of path %d, %v", i, e.path, e.seg)
		}
	}
	for n := range r.slots {
		switch v := r.stage(n); {
		case v.on && v.timer:
			fmt.Fprintf(&b, "\nstage %d: timer of path %d, lost %v", n, v.path, v.lost)
		case v.on && v.first:
			fmt.Fprintf(&b, "\nstage %d: ACK of path %d, %v", n, v.path, v.seg)
		case v.on:
			fmt.Fprintf(&b, "\nstage %d: ACK of path %d, %v: %v, %d passes, lost %v", n, v.path, v.seg, v.cause, v.passes, v.lost[v.reported:])
		}
	}
	return b.String()
}
