// SPDX-License-Identifier: Apache-2.0

package reps

import (
	"fmt"
	"strings"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/reps"
	model "github.com/nicgen/nicgen/model/reps"
	"github.com/nicgen/nicgen/tb/bench"
)

// Event kinds in the order in which they act within a cycle.
const (
	kindAck = iota
	kindFail
	kindSend
	kinds
)

// ack is an ACK that waits in the queue of the carry variant.
type ack struct {
	conn  uint32
	count uint8
	ecn   uint16
	ev    [16]uint16
}

// returned is an EV that comes back with an ACK.
type returned struct {
	conn uint32
	ev   uint16
	ecn  bool
}

// late is the delayed output of a cycle.
type late struct {
	ev      uint16 // the answer to a SEND
	src     model.Source
	sent    bool  // there is one
	illegal uint8 // events for connections or NIC ports that do not exist
	events  model.Events
}

// Cycles from an event to its pulse and its counter; freezes and thaws are counted
// one cycle later than the rest.
const (
	counterLatency   = 3
	freezeLatency    = 4
	countedAfterward = model.EvFreeze | model.EvThaw
	illegalCounter   = 7 // place of the one counter that can gain more than one
)

// predictor is the golden model behind the unit's ports.
type predictor struct {
	bench.Golden
	p     *params.Params
	pins  *pins
	m     *model.Buffer
	carry bool

	ready   bool
	cleared int64 // cycles since the reset; every connection is gone through twice

	late  [8]late       // by cycle, modulo 8
	last  []uint64      // the settings, in place
	cfg   []uint64      // where they are
	steps [512][]uint64 // increment of want for each set of events
	room  int64         // cycles until a counter may wrap

	queue []ack    // carry: waiting ACKs
	now   ack      // carry: the ACK that hands out its EVs
	left  uint8    // carry: EVs that it still has
	back  returned // carry: the EV that enters the buffer in this cycle

	lastNow   uint64
	mask, top uint64 // of a time; the largest timeout
	seen      []tracked
	apart     *bench.Distances
}

// tracked is the history of a connection for the coverage points.
type tracked struct {
	burst  uint8 // good ACKs since the last SEND
	reused uint8 // packets that the oldest valid EV has served
}

func newPredictor(p *params.Params, l *cosim.Layout, bare bool) (*predictor, error) {
	x, err := newPins(l)
	if err != nil {
		return nil, err
	}
	r := &predictor{
		p: p, pins: x, m: model.New(p), Golden: bench.NewGolden(l, len(points(p)), bare), carry: p.Coalescing == params.Carry,

		last: make([]uint64, l.InWords), cfg: make([]uint64, l.InWords),
		mask: ^uint64(0) >> (64 - p.TimerBits), top: 1<<(p.TimerBits-1) - 1,
		seen: make([]tracked, p.Connections),
	}
	r.apart = bench.NewDistances(kinds, distances, p.Connections, r.Reached[ptDistance:])
	set := []bench.Pin{x.ready, x.flushReady, x.evValid, x.evtFreeze, x.evtThaw, x.evtIllegal}
	if r.carry {
		set = append(set, x.ackReady)
	}
	set = append(set, x.corrected, x.correctedCount) // zero: there are no upsets
	r.Always(append(set, x.counter[:]...)...)
	for _, c := range []bench.Pin{x.base, x.num, x.freezing.Pin, x.timeout, x.mode} {
		r.cfg[c.Word] |= c.Mask << c.Shift
	}
	r.settings(make([]uint64, l.InWords))
	r.tabulate()
	return r, nil
}

func (r *predictor) reset() {
	r.m.Reset(uint64(r.p.RandomSeed))
	r.Known, r.ready, r.cleared = true, false, 0
	r.late = [8]late{}
	clear(r.Want)
	r.room = 0
	r.queue, r.left = r.queue[:0], 0
	for i := range r.seen {
		r.seen[i].burst, r.seen[i].reused = 0, 0
	}
}

// Overwrites implements cosim.Overwriter.
func (r *predictor) Overwrites() {}

// Step implements cosim.Predictor.
func (r *predictor) Step(in, want, care []uint64) {
	if !r.Known {
		clear(want)
		clear(care)
		if r.pins.rst.On(in) {
			r.reset()
		}
		r.Cycle++
		return
	}
	r.show(want, care)
	x := r.pins
	r.late[r.Cycle&7] = late{}
	f := x.flags(in)
	rst := f&x.rst.in != 0
	ack := f&x.ackValid.in != 0
	if r.carry {
		r.back, ack = r.carried(in, want, rst)
	}
	if r.ready && !ack {
		x.flushReady.Raise(want)
	}
	switch {
	case rst:
		if r.ready {
			r.Reached[ptReset]++
		}
		r.reset()
	case r.ready:
		if r.changed(in) {
			r.settings(in)
		}
		r.take(in, f, ack)
	default:
		r.wait(in)
	}
	r.Cycle++
}

// show writes the outputs of earlier cycles. All counters of a word advance together:
// one addition, as long as none of them is about to wrap.
func (r *predictor) show(want, care []uint64) {
	x := r.pins
	events := r.late[(r.Cycle-counterLatency)&7].events
	counted := events&^countedAfterward | r.late[(r.Cycle-freezeLatency)&7].events&countedAfterward
	all, mask := r.Want, r.Care[:len(r.Want)]
	step := r.steps[counted&(1<<len(x.counter)-1)][:len(all)]
	want, care = want[:len(all)], care[:len(all)]
	if r.room--; r.room < 0 {
		r.wrap(step)
		step = r.steps[0][:len(all)]
	}
	for i, w := range all {
		w += step[i]
		all[i], want[i], care[i] = w, w, mask[i]
	}
	if events&(model.EvFreeze|model.EvThaw|model.EvIllegalConn|model.EvIllegalEV) != 0 {
		if events&model.EvFreeze != 0 {
			x.evtFreeze.Raise(want)
		}
		if events&model.EvThaw != 0 {
			x.evtThaw.Raise(want)
		}
		if events&(model.EvIllegalConn|model.EvIllegalEV) != 0 {
			x.evtIllegal.Raise(want)
		}
		if events&model.EvIllegalConn != 0 {
			if n := uint64(r.late[(r.Cycle-counterLatency)&7].illegal); n > 1 {
				c := &x.counter[illegalCounter]
				c.Add(r.Want, n-1)
				c.Add(want, n-1)
				r.room = 0
			}
		}
	}
	if at := &r.late[(r.Cycle-params.SendLatency)&7]; at.sent {
		x.evValid.Raise(want)
		x.ev.Put(want, uint64(at.ev))
		x.evSource.Put(want, uint64(at.src))
		x.ev.Put(care, ^uint64(0))
		x.evSource.Put(care, ^uint64(0))
	}
}

// wrap adds step to the counters with the carries between them cut, and finds out
// for how many cycles they then need no such care.
func (r *predictor) wrap(step []uint64) {
	r.room = 1 << 40
	for i := range r.pins.counter {
		c := &r.pins.counter[i]
		if n := c.Get(step); n != 0 {
			c.Add(r.Want, n)
		}
		r.room = min(r.room, int64(min(c.Mask-c.Get(r.Want), 1<<40)))
	}
}

// tabulate prepares show: the counter increments of each set of events.
func (r *predictor) tabulate() {
	for e := range r.steps {
		r.steps[e] = make([]uint64, len(r.Want))
		for i := range r.pins.counter {
			if e>>i&1 != 0 {
				r.pins.counter[i].Put(r.steps[e], 1)
			}
		}
	}
}

// wait is a cycle in which connections are still being emptied: only the random
// generator listens.
func (r *predictor) wait(in []uint64) {
	x := r.pins
	if x.ackValid.On(in) || x.failValid.On(in) || x.sendValid.On(in) || x.flushValid.On(in) {
		r.Reached[ptNotReady]++
	}
	if x.seedValid.On(in) {
		r.m.Random.Load(uint16(x.seedWord.Get(in)))
		r.Reached[ptSeed]++
	}
	if r.cleared++; r.cleared == 2*r.p.Connections {
		r.ready = true
		x.ready.Raise(r.Want)
	}
}

// changed reports whether a setting has changed.
func (r *predictor) changed(in []uint64) bool {
	last, cfg := r.last[:len(in)], r.cfg[:len(in)]
	var diff uint64
	for i, w := range in {
		diff |= w&cfg[i] ^ last[i]
	}
	return diff != 0
}

// take executes the events of a cycle.
func (r *predictor) take(in []uint64, f uint64, ack bool) {
	x, m, l := r.pins, r.m, &r.late[r.Cycle&7]
	if f&x.seedValid.in != 0 {
		m.Random.Load(uint16(x.seedWord.Get(in)))
	}
	now := x.now.Get(in)
	if !r.Bare {
		r.coverCycle(in, ack)
	}
	var acked, failed, sent model.Events
	var n uint64
	var a returned
	switch {
	case ack:
		if a = r.back; !r.carry {
			a = returned{uint32(x.ackConn.Get(in)), uint16(x.ackEV.Get(in)), x.ackECN.On(in)}
		}
		if !r.Bare {
			r.coverAck(a.conn, a.ev, a.ecn, now)
		}
		acked = m.Ack(a.conn, a.ev, a.ecn, now)
		n++
	case f&x.flushValid.in != 0:
		a.conn = uint32(x.flushConn.Get(in))
		if !r.Bare {
			r.coverFlush(a.conn)
		}
		acked = m.Flush(a.conn)
		n++
	}
	var fconn, sconn uint32
	if f&x.failValid.in != 0 {
		fconn = uint32(x.failConn.Get(in))
		if !r.Bare {
			r.coverFail(fconn, now)
		}
		failed = m.Fail(fconn, now)
		n++
	}
	if f&x.sendValid.in != 0 {
		sconn = uint32(x.sendConn.Get(in))
		sent = r.send(l, in, f, sconn)
		n++
	}
	r.Accepted += n
	l.events = acked | failed | sent
	if l.events&model.EvIllegalConn != 0 {
		l.illegal = uint8(acked>>illegalCounter&1 + failed>>illegalCounter&1 + sent>>illegalCounter&1)
	}
	if !r.Bare {
		flush, fail, send := f&x.flushValid.in != 0, f&x.failValid.in != 0, f&x.sendValid.in != 0
		r.coverPairs(ack, flush && !ack, fail, send, l.events, a.conn, fconn, sconn)
	}
}

// send executes a SEND on connection c and puts the answer into l.
func (r *predictor) send(l *late, in []uint64, f uint64, c uint32) model.Events {
	x, m := r.pins, r.m
	port := int(x.sendPort.Get(in))
	l.sent = true
	if !m.Legal(c, port) {
		l.ev, l.src = m.Send(c, port, 0)
		if !r.Bare {
			r.coverSend(c, nil, l.src)
		}
		return model.EvIllegalConn
	}
	// The generator: a seed word is the word of its cycle.
	random := m.Random.Last()
	if f&x.seedValid.in == 0 {
		random = m.Random.Next()
	}
	if f&x.sendInject.in != 0 {
		random = uint16(x.sendRandom.Get(in))
	}
	if r.Bare {
		l.ev, l.src = m.Send(c, port, random)
		return model.EvSend
	}
	was := *m.Conn(c)
	l.ev, l.src = m.Send(c, port, random)
	r.coverSend(c, &was, l.src)
	return model.EvSend
}

// settings hands changed settings to the model.
func (r *predictor) settings(in []uint64) {
	for i, mask := range r.cfg {
		r.last[i] = in[i] & mask
	}
	x, s := r.pins, &r.m.Settings
	s.EVBase = uint16(x.base.Get(in))
	s.NumPkts = uint32(x.num.Get(in))
	s.Freezing = x.freezing.On(in)
	s.Timeout = x.timeout.Get(in)
	for i := range s.Mode {
		s.Mode[i] = modes[x.mode.Get(in)>>(2*i)&3]
	}
}

var modes = [4]model.Mode{model.REPS, model.OPS, model.ECMP, model.OPS}

// carried is the queue of coalesced ACKs: it takes the ACK of this cycle and
// gives the EV that enters the buffer.
func (r *predictor) carried(in, want []uint64, rst bool) (e returned, valid bool) {
	x := r.pins
	n := uint8(r.p.Ratio)
	room := len(r.queue) < int(r.p.CarryDepth)
	if room && r.ready {
		x.ackReady.Raise(want)
	}
	if rst {
		return e, r.left > 0
	}
	// The ACK that waits longest moves up when the one before it ends.
	var next ack
	moved := r.left <= 1 && len(r.queue) > 0
	if moved {
		next = r.queue[0]
	}
	if valid = r.left > 0; valid {
		e.conn, e.ev, e.ecn = r.now.conn, r.now.ev[0], r.now.ecn&1 != 0
		copy(r.now.ev[:], r.now.ev[1:])
		r.now.ecn >>= 1
		r.left--
	}
	if moved {
		r.queue = append(r.queue[:0], r.queue[1:]...)
		r.now, r.left = next, next.count
	}
	if !x.ackValid.On(in) || !r.ready {
		return e, valid
	}
	if !room {
		r.Reached[ptCarryFull]++
		return e, valid
	}
	a := ack{conn: uint32(x.ackConn.Get(in)), count: min(uint8(x.ackCount.Get(in)), n),
		ecn: uint16(x.ackECN.Bits(in, 0, int(n)))}
	for i := range int(n) {
		a.ev[i] = uint16(x.ackEV.Bits(in, 16*i, 16))
	}
	switch a.count {
	case 0:
		r.Reached[ptCarryNone]++
	case n:
		r.Reached[ptCarryMost]++
	}
	r.queue = append(r.queue, a)
	return e, valid
}

// Explain implements cosim.Predictor: the state of the connections named in in.
func (r *predictor) Explain(in []uint64) string {
	x := r.pins
	var b strings.Builder
	fmt.Fprintf(&b, "cycle %d, now %d ns, ready %t", r.Cycle, x.now.Get(in), r.ready)
	seen := map[uint32]bool{}
	for _, e := range []struct {
		name        string
		valid, conn bench.Pin
	}{{"ACK", x.ackValid.Pin, x.ackConn}, {"flush", x.flushValid.Pin, x.flushConn},
		{"FAIL", x.failValid.Pin, x.failConn}, {"SEND", x.sendValid.Pin, x.sendConn}} {
		if !e.valid.On(in) {
			continue
		}
		c := uint32(e.conn.Get(in))
		fmt.Fprintf(&b, "\n%s on connection %d", e.name, c)
		if seen[c] {
			continue
		}
		seen[c] = true
		if s, ok := r.m.State(c); ok {
			fmt.Fprintf(&b, ": %v", s)
		} else {
			fmt.Fprintf(&b, ": there are only %d connections", r.p.Connections)
		}
	}
	for k := uint64(1); k <= params.SendLatency && k <= r.Cycle; k++ {
		if a := &r.late[(r.Cycle-k)&7]; a.sent {
			fmt.Fprintf(&b, "\nSEND of %d cycles ago: EV %d, %v", k, a.ev, a.src)
		}
	}
	return b.String()
}
