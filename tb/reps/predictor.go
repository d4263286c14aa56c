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
	port  int
	count uint8
	ecn   uint16
	ev    [16]uint32
}

// returned is an EV that comes back with an ACK.
type returned struct {
	conn uint32
	port int
	ev   uint32
	ecn  bool
}

// late is the delayed output of a cycle.
type late struct {
	ev      uint32 // the answer to a SEND
	src     model.Source
	sent    bool  // there is one
	seeded  bool  // a seed word
	illegal uint8 // events for connections or NIC ports that do not exist
	dropped uint8 // events that the unit was not ready for
	events  model.Events
}

// Freezes and thaws are counted one cycle later than the rest.
const (
	countedAfterward = model.EvFreeze | model.EvThaw
	countedEvents    = 9 // counters of one of the model's events each: the first ones
	illegalCounter   = 7 // places of the counters that can gain more than one
	notReadyCounter  = 9
)

// predictor is the golden model behind the unit's ports.
type predictor struct {
	bench.Golden
	p      *params.Params
	pins   *pins
	m      *model.Buffer
	carry  bool
	answer uint64 // cycles from a SEND to its EV

	resetting bool // rst was high in the cycle before: the unit registers it
	ready     bool
	cleared   int64 // cycles since the reset; every connection is gone through twice

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
		p: p, pins: x, m: model.New(p), Golden: bench.NewGolden(l, len(points(p)), bare), carry: p.Coalescing == params.Carry, answer: uint64(p.SendLatency()),

		last: make([]uint64, l.InWords), cfg: make([]uint64, l.InWords),
		mask: ^uint64(0) >> (64 - p.TimerBits), top: 1<<(p.TimerBits-1) - 1,
		seen: make([]tracked, p.Connections*p.NICPorts),
	}
	r.apart = bench.NewDistances(kinds, distances, p.Connections*p.NICPorts, r.Reached[ptDistance:])
	set := []bench.Pin{x.ready, x.flushReady, x.evValid, x.evtFreeze, x.evtThaw, x.evtIllegal, x.seeded}
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
	x := r.pins
	f := x.flags(in)
	if r.Known {
		r.show(want, care)
	} else {
		clear(want)
		clear(care)
	}
	r.late[r.Cycle&7] = late{}
	rst := f&x.rst.in != 0
	if r.resetting {
		r.restart(in, want, rst)
	} else if r.Known {
		r.accept(in, want, f, rst)
	}
	r.resetting = rst
	r.Cycle++
}

// restart is the cycle after one with rst: all registers are reset at its end, and
// events are dropped already.
func (r *predictor) restart(in, want []uint64, rst bool) {
	ready := r.pins.ready
	want[ready.Word] &^= ready.Bit
	r.reset()
	if !rst {
		r.drop(in)
	}
}

// accept is a cycle of the unit out of reset; events of one in which rst rises are lost.
func (r *predictor) accept(in, want []uint64, f uint64, rst bool) {
	x := r.pins
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
	case r.ready:
		if r.changed(in) {
			r.settings(in)
		}
		r.take(in, f, ack)
	default:
		r.wait(in)
	}
}

// show writes the outputs of earlier cycles. All counters of a word advance together:
// one addition, as long as none of them is about to wrap.
func (r *predictor) show(want, care []uint64) {
	x := r.pins
	before := &r.late[(r.Cycle-params.EventLatency)&7]
	events := before.events
	counted := events&^countedAfterward | r.late[(r.Cycle-params.FreezeLatency)&7].events&countedAfterward
	all, mask := r.Want, r.Care[:len(r.Want)]
	step := r.steps[counted&(1<<countedEvents-1)][:len(all)]
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
		if n := before.illegal; n > 1 {
			r.count(illegalCounter, n-1, want)
		}
	}
	if before.dropped != 0 {
		r.count(notReadyCounter, before.dropped, want)
	}
	if before.seeded {
		x.seeded.Raise(r.Want)
		x.seeded.Raise(want)
	}
	if at := &r.late[(r.Cycle-r.answer)&7]; at.sent {
		x.evValid.Raise(want)
		x.ev.Put(want, uint64(at.ev))
		x.evSource.Put(want, uint64(at.src))
		x.ev.Put(care, ^uint64(0))
		x.evSource.Put(care, ^uint64(0))
	}
}

// count adds n to a counter.
func (r *predictor) count(counter int, n uint8, want []uint64) {
	c := &r.pins.counter[counter]
	c.Add(r.Want, uint64(n))
	c.Add(want, uint64(n))
	r.room = 0
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
		for i := range countedEvents {
			if e>>i&1 != 0 {
				r.pins.counter[i].Put(r.steps[e], 1)
			}
		}
	}
}

// wait is a cycle in which connections are still being emptied.
func (r *predictor) wait(in []uint64) {
	r.drop(in)
	if r.cleared++; r.cleared == 2*r.p.Rows() {
		r.ready = true
		r.pins.ready.Raise(r.Want)
	}
}

// drop counts the events of a cycle in which the unit is not ready; only the random
// generator listens.
func (r *predictor) drop(in []uint64) {
	x, l := r.pins, &r.late[r.Cycle&7]
	for _, valid := range []*flag{&x.ackValid, &x.failValid, &x.sendValid} {
		if valid.On(in) && !(r.carry && valid == &x.ackValid) { // which then waits
			l.dropped++
		}
	}
	if l.dropped != 0 {
		r.Reached[ptNotReady]++
	}
	if x.seedValid.On(in) {
		r.seed(in)
		r.Reached[ptSeed]++
	}
}

// seed shifts a word into the generator.
func (r *predictor) seed(in []uint64) {
	r.m.Random.Load(uint32(r.pins.seedWord.Get(in)))
	r.late[r.Cycle&7].seeded = true
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
		r.seed(in)
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
			a = returned{uint32(x.ackConn.Get(in)), int(x.ackPort.Get(in)), uint32(x.ackEV.Get(in)), x.ackECN.On(in)}
		}
		if !r.Bare {
			r.coverAck(a, now)
		}
		acked = m.Ack(a.conn, a.port, a.ev, a.ecn, now)
		n++
	case f&x.flushValid.in != 0:
		a.conn, a.port = uint32(x.flushConn.Get(in)), int(x.flushPort.Get(in))
		if !r.Bare {
			r.coverFlush(a.conn, a.port)
		}
		acked = m.Flush(a.conn, a.port)
		n++
	}
	var fconn, sconn uint32
	var fport, sport int
	if f&x.failValid.in != 0 {
		fconn, fport = uint32(x.failConn.Get(in)), int(x.failPort.Get(in))
		if !r.Bare {
			r.coverFail(fconn, fport, now)
		}
		failed = m.Fail(fconn, fport, now)
		n++
	}
	if f&x.sendValid.in != 0 {
		sconn, sport = uint32(x.sendConn.Get(in)), int(x.sendPort.Get(in))
		sent = r.send(l, in, f, sconn, sport)
		n++
	}
	r.Accepted += n
	l.events = acked | failed | sent
	if l.events&model.EvIllegalConn != 0 {
		l.illegal = uint8(acked>>illegalCounter&1 + failed>>illegalCounter&1 + sent>>illegalCounter&1)
	}
	if !r.Bare {
		flush, fail, send := f&x.flushValid.in != 0, f&x.failValid.in != 0, f&x.sendValid.in != 0
		r.coverPairs(ack, flush && !ack, fail, send, l.events, r.row(a.conn, a.port), r.row(fconn, fport), r.row(sconn, sport))
	}
}

// row is the place of a connection on a NIC port in what the predictor keeps of them; -1
// if it does not exist.
func (r *predictor) row(c uint32, port int) int {
	if !r.m.Legal(c, port) {
		return -1
	}
	return int(c)*int(r.p.NICPorts) + port
}

// send executes a SEND on connection c and NIC port port, and puts the answer into l.
func (r *predictor) send(l *late, in []uint64, f uint64, c uint32, port int) model.Events {
	x, m := r.pins, r.m
	l.sent = true
	if !m.Legal(c, port) {
		l.ev, l.src = m.Send(c, port, 0)
		if !r.Bare {
			r.coverSend(c, port, nil, l.src)
		}
		return model.EvIllegalConn
	}
	// The generator: a seed word is the word of its cycle.
	random := m.Random.Last()
	if f&x.seedValid.in == 0 {
		random = m.Random.Next()
	}
	if f&x.sendInject.in != 0 {
		random = uint32(x.sendRandom.Get(in))
	}
	if r.Bare {
		l.ev, l.src = m.Send(c, port, random)
		return model.EvSend
	}
	was := *m.Conn(c, port)
	l.ev, l.src = m.Send(c, port, random)
	r.coverSend(c, port, &was, l.src)
	return model.EvSend
}

// settings hands changed settings to the model.
func (r *predictor) settings(in []uint64) {
	for i, mask := range r.cfg {
		r.last[i] = in[i] & mask
	}
	x, s := r.pins, &r.m.Settings
	s.EVBase = uint32(x.base.Get(in))
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
		e.conn, e.port, e.ev, e.ecn = r.now.conn, r.now.port, r.now.ev[0], r.now.ecn&1 != 0
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
	a := ack{conn: uint32(x.ackConn.Get(in)), port: int(x.ackPort.Get(in)), count: min(uint8(x.ackCount.Get(in)), n),
		ecn: uint16(x.ackECN.Bits(in, 0, int(n)))}
	for i := range int(n) {
		a.ev[i] = uint32(x.ackEV.Bits(in, r.p.WireBits()*i, r.p.WireBits()))
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
	seen := map[int]bool{}
	for _, e := range []struct {
		name              string
		valid, conn, port bench.Pin
	}{{"ACK", x.ackValid.Pin, x.ackConn, x.ackPort}, {"flush", x.flushValid.Pin, x.flushConn, x.flushPort},
		{"FAIL", x.failValid.Pin, x.failConn, x.failPort}, {"SEND", x.sendValid.Pin, x.sendConn, x.sendPort}} {
		if !e.valid.On(in) {
			continue
		}
		c, port := uint32(e.conn.Get(in)), int(e.port.Get(in))
		fmt.Fprintf(&b, "\n%s on connection %d, NIC port %d", e.name, c, port)
		row := r.row(c, port)
		if seen[row] {
			continue
		}
		seen[row] = row >= 0
		if s, ok := r.m.State(c, port); ok {
			fmt.Fprintf(&b, ": %v", s)
		} else {
			fmt.Fprintf(&b, ": there are only %d connections and %d NIC ports", r.p.Connections, r.p.NICPorts)
		}
	}
	for k := uint64(1); k <= r.answer && k <= r.Cycle; k++ {
		if a := &r.late[(r.Cycle-k)&7]; a.sent {
			fmt.Fprintf(&b, "\nSEND of %d cycles ago: EV %d, %v", k, a.ev, a.src)
		}
	}
	return b.String()
}
