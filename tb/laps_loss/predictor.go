// SPDX-License-Identifier: Apache-2.0

package lapsloss

import (
	"fmt"
	"slices"
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

// visit is an ACK or a look at a timer in the barrel.
type visit struct {
	on     bool
	timer  bool
	event  // the ACK; of a timer, path and now
	cause  model.Cause
	passes int             // in which the ring is still searched
	lost   []model.Segment // still to be reported
	freed  int             // places of the ring that are free at the end
}

// queue holds ACKs that wait.
type queue struct {
	acks   []event
	oldest event // behind them
}

// loss is a lost segment on its way to the sender.
type loss struct {
	path  uint32
	seg   model.Segment
	timer bool
}

// late is what shows some cycles after its cause.
type late struct {
	sent, stored bool
	done         bool
	ack          event
	cause        model.Cause
	any          bool // some increment is not zero
	count        [counters]uint8
	freed        int // places that are free from a later cycle on, on path
	path         uint32
}

// predictor is the golden model behind the unit's ports. The model executes a send
// in the cycle in which the tail is written, and an ACK or a look at a timer in that in
// which the pointers are read; what the predictor adds is when that shows.
type predictor struct {
	p      *params.Params
	pins   *pins
	m      *model.Detector
	cycle  uint64
	events uint64
	hits   []uint64
	bare   bool // coverage is not counted

	known   bool  // a reset has been seen: before it nothing is known
	ready   bool  // rings are emptied
	cleared int64 // cycles since the reset
	lastNow uint64

	sends  [4]event // by cycle in which they are taken, modulo 4
	queues []queue  // of ACKs that wait
	next   int      // whose oldest may enter the barrel; -1: none
	last   int      // whose oldest was the last that might
	slots  [params.Slots]visit
	entry  *visit // the one that enters in this cycle
	lost   []loss
	popped int      // segments that the sender took in the last cycle
	begin  []uint16 // where the ring of a path begins, modulo the depth
	scan   struct {
		path uint32
		busy bool
		wait int
	}

	ring [4]late  // by cycle, modulo 4
	want []uint64 // counters and sts_ready: what stays from cycle to cycle
	care []uint64 // what always counts

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
		p: p, pins: x, m: model.New(p), bare: bare,
		want:   make([]uint64, l.OutWords),
		care:   make([]uint64, l.OutWords),
		hits:   make([]uint64, len(points(p))),
		queues: make([]queue, p.AckQueues), next: -1, last: int(p.AckQueues) - 1,
		begin: make([]uint16, p.Paths),
		full:  make([]bool, p.Paths),
		acked: make([]bool, p.Paths),
		ever:  make([]bool, p.Paths),
	}
	r.apart = bench.NewDistances(kinds, distances, p.Paths, r.hits[ptDistance:])
	for _, s := range append(x.counter[:], x.ready, x.ackReady, x.sentValid, x.doneValid, x.lostValid) {
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
	x := r.pins
	rst := x.rst.On(in)
	if r.known {
		r.show(want, care)
		r.advance(in, want, rst)
	}
	switch {
	case rst:
		if r.ready {
			r.hits[ptReset]++
		}
		r.reset()
	case r.known && !r.ready:
		r.cleared++
		if r.cleared == r.p.Paths+params.ReadyDelay {
			r.ready = true
			r.pins.ready.Raise(r.want)
		}
	}
	r.cycle++
}

// reset is the state after a cycle of reset.
func (r *predictor) reset() {
	r.m.Reset()
	r.known, r.ready, r.cleared = true, false, 0
	r.sends, r.slots, r.ring = [4]event{}, [params.Slots]visit{}, [4]late{}
	for i := range r.queues {
		r.queues[i].acks, r.queues[i].oldest = r.queues[i].acks[:0], event{}
	}
	r.next, r.last = -1, int(r.p.AckQueues)-1
	r.lost, r.entry, r.popped = r.lost[:0], nil, 0
	r.scan.path, r.scan.busy, r.scan.wait = 0, false, 0
	clear(r.want)
	clear(r.begin)
	clear(r.full)
	clear(r.acked)
	clear(r.ever)
}

// show writes what earlier cycles caused.
func (r *predictor) show(want, care []uint64) {
	x := r.pins
	if c := &r.ring[(r.cycle-params.CountDelay)&3]; c.any {
		for i, n := range c.count {
			if n != 0 {
				x.counter[i].Add(r.want, uint64(n))
			}
		}
	}
	copy(want, r.want)
	copy(care, r.care)
	a := &r.ring[(r.cycle-params.AnswerDelay)&3]
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
		put(x.donePath, uint64(a.ack.path))
		put(x.doneFlow, uint64(a.ack.seg.Flow))
		put(x.doneSeq, a.ack.seg.Seq)
		put(x.cause, uint64(a.cause))
	}
	if len(r.lost) > 0 {
		l := &r.lost[0]
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
	cur := &r.ring[r.cycle&3]
	*cur = late{}
	if f := &r.ring[(r.cycle-params.FreeDelay)&3]; f.freed > 0 {
		r.m.Free(f.path, f.freed)
	}
	room := len(r.wait(uint32(x.ackPath.Get(in))).acks) < int(r.p.AckQueue)
	if r.ready && room {
		x.ackReady.Raise(want)
	}
	r.send(cur)
	r.enter()

	// What ends in this cycle, and what takes its slot.
	queued, busy := len(r.lost), r.scan.busy
	v := &r.slots[r.cycle%params.Slots]
	if v.on {
		r.decide(v, cur, queued)
	}
	next := r.choose()
	went := r.admit(v, busy, x.now.Get(in), x.rtoMin.Get(in))

	// The queues.
	for i := range r.queues {
		if q := &r.queues[i]; !q.oldest.on || went && i == r.next {
			q.oldest = event{}
			if len(q.acks) > 0 {
				q.oldest = q.acks[0]
				q.acks = q.acks[:copy(q.acks, q.acks[1:])]
			}
		}
	}
	if r.next = next; next >= 0 {
		r.last = next
	}
	r.popped = 0
	if queued > 0 {
		if x.lostReady.On(in) {
			r.lost = r.lost[:copy(r.lost, r.lost[1:])]
			r.popped = 1
		} else {
			r.hits[ptLostWaits]++
		}
	}
	r.take(in, room, rst)
}

// take notes the events at the ports.
func (r *predictor) take(in []uint64, room, rst bool) {
	x := r.pins
	send, ack := x.sendValid.On(in), x.ackValid.On(in)
	r.sends[r.cycle&3] = event{}
	if !r.ready {
		if (send || ack) && !rst {
			r.hits[ptNotReady]++
		}
		return
	}
	if rst {
		return
	}
	now := x.now.Get(in)
	if now < r.lastNow {
		r.hits[ptTimeWrap]++
	}
	r.lastNow = now
	var on [kinds]bool
	var path [kinds]uint32
	if send {
		r.events++
		e := event{
			on: true, path: uint32(x.sendPath.Get(in)), latency: x.sendLatency.Get(in), now: now, rtoMin: x.rtoMin.Get(in),
			seg: model.Segment{Flow: uint32(x.sendFlow.Get(in)), Seq: x.sendSeq.Get(in)},
		}
		r.sends[r.cycle&3] = e
		on[kindSend], path[kindSend] = r.m.Legal(e.path), e.path
	}
	if ack && !room {
		r.hits[ptAckFull]++
	} else if ack {
		r.events++
		e := event{
			on: true, path: uint32(x.ackPath.Get(in)), latency: x.ackLatency.Get(in), now: now,
			seg: model.Segment{Flow: uint32(x.ackFlow.Get(in)), Seq: x.ackSeq.Get(in)},
		}
		q := r.wait(e.path)
		q.acks = append(q.acks, e)
		on[kindAck], path[kindAck] = r.m.Legal(e.path), e.path
	}
	if !r.bare && (send || ack) {
		r.apart.Cycle(r.cycle, on[:], path[:])
	}
}

// send executes the send whose tail is written in this cycle.
func (r *predictor) send(cur *late) {
	e := &r.sends[(r.cycle-params.SendWrite)&3]
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
	stored := m.Send(e.path, e.seg, e.latency, e.now)
	cur.sent, cur.stored, cur.any = true, stored, true
	switch {
	case !m.Legal(e.path):
		cur.count[cntIllegal]++
		r.hits[ptIllegalSend]++
		return
	case !stored:
		cur.count[cntFull]++
	}
	cur.count[cntSend]++
	if !r.bare {
		r.coverSend(e, stored, before, armed, was)
	}
}

// enter executes the ACK or the look at a timer whose pointers are read in this
// cycle.
func (r *predictor) enter() {
	v, m := r.entry, r.m
	r.entry = nil
	if v == nil {
		return
	}
	v.passes = 1
	if v.timer {
		if !r.bare {
			r.coverTimer(v.path, v.now)
		}
		v.lost = slices.Clone(m.Expire(v.path, v.now))
		v.freed = len(v.lost)
		r.retire(v)
		return
	}
	m.RTOMin = v.rtoMin
	var was uint64
	var n, at int
	if m.Legal(v.path) {
		out := m.Outstanding(v.path)
		was, n, at = m.Deadline(v.path), len(out), r.find(v.path, v.seg)
		v.passes = (r.lane(v.path)+at)/int(r.p.Lanes) + 1
		if !r.bare {
			r.coverAck(v, at, n)
		}
	} else {
		r.hits[ptIllegalAck]++
	}
	cause, lost := m.Ack(v.path, v.seg, v.latency, v.now)
	v.cause, v.lost = cause, slices.Clone(lost)
	if v.cause == model.Order || v.cause == model.Skip {
		v.freed = at + 1
		if !r.bare {
			r.coverSet(v.path, v.latency, v.rtoMin, was)
			r.acked[v.path], r.ever[v.path] = true, true
		}
	}
	r.retire(v)
}

// find is the place of a segment in a path's ring, or the number of segments there
// if it is not among them.
func (r *predictor) find(path uint32, s model.Segment) int {
	out := r.m.Outstanding(path)
	for i, o := range out {
		if o == s {
			return i
		}
	}
	return len(out)
}

// retire holds the room of what left the ring, and moves its beginning.
func (r *predictor) retire(v *visit) {
	if v.freed > 0 {
		r.m.Hold(v.path, v.freed)
		r.begin[v.path] = uint16((int(r.begin[v.path]) + v.freed) % int(r.p.Depth))
	}
}

// lane is that of the oldest segment of a path.
func (r *predictor) lane(path uint32) int { return int(r.begin[path]) % int(r.p.Lanes) }

// decide ends a pass; queued segments are on their way to the sender.
func (r *predictor) decide(v *visit, cur *late, queued int) {
	switch {
	case v.passes > 1:
		v.passes--
		return
	case v.passes == 1:
		v.passes = 0
		if v.timer && len(v.lost) > 0 {
			cur.any = true
			cur.count[cntTimeout]++
		}
		if len(v.lost) > 0 {
			return
		}
	case queued+r.popped >= int(r.p.LostQueue):
		r.hits[ptLostFull]++
		return
	default:
		r.lost = append(r.lost, loss{v.path, v.lost[0], v.timer})
		r.events++
		if !r.bare {
			r.coverReport(v)
		}
		cur.any = true
		if v.timer {
			cur.count[cntExpired]++
		} else {
			cur.count[cntLost]++
		}
		if v.lost = v.lost[1:]; len(v.lost) > 0 {
			return
		}
	}
	v.on = false
	cur.freed, cur.path = v.freed, v.path
	if v.timer {
		r.scan.busy = false
		return
	}
	cur.done, cur.any, cur.ack, cur.cause = true, true, v.event, v.cause
	switch v.cause {
	case model.Skip:
		cur.count[cntAck]++
		cur.count[cntSkip]++
	case model.Order:
		cur.count[cntAck]++
	case model.Ignored:
		cur.count[cntIgnored]++
	case model.None:
		cur.count[cntIllegal]++
	}
}

// wait is the queue of a path's ACKs.
func (r *predictor) wait(path uint32) *queue { return &r.queues[int64(path)&(r.p.AckQueues-1)] }

// stage is what is in a stage of the barrel in this cycle, before its end; that in the
// last stage ends its pass.
func (r *predictor) stage(n uint64) *visit {
	return &r.slots[(r.cycle+2*params.Slots-1-n)%params.Slots]
}

// choose says whose oldest ACK may enter the barrel in the next cycle: the first after
// the last, if its path is not in one of the first stages.
func (r *predictor) choose() int {
	for i := 1; i <= len(r.queues); i++ {
		g := (r.last + i) % len(r.queues)
		q := &r.queues[g]
		if !q.oldest.on || g == r.next {
			continue
		}
		held := false
		for n := range uint64(params.Slots - 2) {
			v := r.stage(n)
			held = held || v.on && v.path == q.oldest.path
		}
		if !held {
			return g
		}
		r.hits[ptAckHeld]++
	}
	return -1
}

// admit gives slot v, if it is free, to a look at a timer or to the ACK whose turn it
// is. It reports whether it was the ACK. busy is whether a look was in the barrel at the
// beginning of the cycle.
func (r *predictor) admit(v *visit, busy bool, now, rtoMin uint64) (ack bool) {
	s := &r.scan
	scanHeld, taken := false, 0
	for i := range r.slots {
		if o := &r.slots[i]; o.on {
			taken++
			scanHeld = scanHeld || o != v && o.path == s.path
		}
	}
	if taken == params.Slots {
		r.hits[ptBarrelFull]++
	}
	var oldest event
	ackHeld := false
	if r.next >= 0 {
		oldest = r.queues[r.next].oldest
		first := r.stage(0)
		ackHeld = first.on && first.path == oldest.path
	}
	due := s.wait == params.ScanPatience-1
	can := r.ready && !busy && !scanHeld
	look := !v.on && can && (due || !oldest.on)
	ack = !v.on && oldest.on && !ackHeld && !(can && due)
	if !v.on {
		if oldest.on && ackHeld {
			r.hits[ptAckOvertaken]++
		}
		if oldest.on && look {
			r.hits[ptScanDue]++
		}
		if r.ready && !busy && scanHeld && due {
			r.hits[ptScanHeld]++
		}
	}
	switch {
	case busy:
		s.wait = 0
	case !due:
		s.wait++
	}
	switch {
	case look:
		*v = visit{on: true, timer: true, event: event{path: s.path, now: now}}
		r.entry = v
		s.busy, s.wait = true, 0
		if s.path++; int64(s.path) == r.p.Paths {
			s.path = 0
		}
	case ack:
		*v = visit{on: true, event: oldest}
		v.rtoMin = rtoMin
		r.entry = v
	}
	return ack
}

// Explain implements cosim.Predictor: what is where, and the rings of the paths named
// in in.
func (r *predictor) Explain(in []uint64) string {
	x := r.pins
	var b strings.Builder
	fmt.Fprintf(&b, "cycle %d, now %d ns, ready %t; %d lost segments wait; the timer of path %d is next",
		r.cycle, x.now.Get(in), r.ready, len(r.lost), r.scan.path)
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
		q := &r.queues[i]
		if q.oldest.on {
			fmt.Fprintf(&b, "\nqueue %d: ACK of path %d, %v, and %d behind it", i, q.oldest.path, q.oldest.seg, len(q.acks))
		}
	}
	for i := range uint64(params.Slots) {
		v := &r.slots[(r.cycle+i)%params.Slots]
		switch {
		case v.on && v.timer:
			fmt.Fprintf(&b, "\nends a pass in %d cycles: timer of path %d, lost %v", i, v.path, v.lost)
		case v.on:
			fmt.Fprintf(&b, "\nends a pass in %d cycles: ACK of path %d, %v: %v, %d passes, lost %v", i, v.path, v.seg, v.cause, v.passes, v.lost)
		}
	}
	return b.String()
}
