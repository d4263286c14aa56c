// SPDX-License-Identifier: Apache-2.0

package reps

import (
	"fmt"
	"strings"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/reps"
	model "github.com/nicgen/nicgen/model/reps"
)

// Event kinds in the order in which they act within a cycle.
const (
	kindAck = iota
	kindFail
	kindSend
)

// ack is an ACK that waits in the queue of the carry variant.
type ack struct {
	conn  uint32
	count uint8
	ecn   uint16
	ev    [16]uint16
}

// answer is what a SEND gets.
type answer struct {
	valid bool
	ev    uint16
	src   model.Source
}

// late are outputs that appear some cycles after their cause.
type late struct {
	ev                    answer
	freeze, thaw, illegal bool
	events                [9]uint8 // increments, in the order of params.CounterNames
	any                   bool     // some increment is not zero
}

// predictor is the golden model behind the unit's ports.
type predictor struct {
	p      *params.Params
	pins   *pins
	m      *model.Buffer
	words  int // of an output vector
	carry  bool
	ports  int
	maxT   uint64
	cycle  uint64
	events uint64
	hits   []uint64

	known   bool // a reset has been seen: before it nothing is known
	ready   bool
	cleared int64 // cycles since the reset; every connection is gone through twice

	ring    [8]late  // by cycle, modulo 8
	want    []uint64 // counters, sts_ready: what does not change in most cycles
	care    []uint64
	count   [9]uint64
	queue   []ack // carry: waiting ACKs
	now     ack   // carry: the ACK that hands out its EVs
	left    uint8 // carry: EVs that it still has
	lastNow uint64

	last   []uint64 // cycle+1 of the last event, by connection and kind
	burst  []uint8  // good ACKs since the last SEND, by connection
	reused []uint8  // how often the oldest EV was used, by connection
}

func newPredictor(p *params.Params, l *cosim.Layout) (*predictor, error) {
	x, err := newPins(p, l)
	if err != nil {
		return nil, err
	}
	r := &predictor{
		p: p, pins: x, m: model.New(p), words: l.OutWords,
		carry: p.Coalescing == params.Carry, ports: int(p.NICPorts),
		maxT:  1<<(p.TimerBits-1) - 1,
		hits:  make([]uint64, len(points(p))),
		want:  make([]uint64, l.OutWords),
		care:  make([]uint64, l.OutWords),
		last:  make([]uint64, 3*p.Connections),
		burst: make([]uint8, p.Connections), reused: make([]uint8, p.Connections),
	}
	set := []cosim.Slot{x.ready, x.flushReady, x.evValid, x.evtFreeze, x.evtThaw, x.evtIllegal}
	if r.carry {
		set = append(set, x.ackReady)
	}
	for _, s := range append(set, x.counter[:]...) {
		s.Set(r.care, ^uint64(0))
	}
	return r, nil
}

// Hits implements cosim.Predictor.
func (r *predictor) Hits() []uint64 { return r.hits }

// Events implements cosim.Predictor.
func (r *predictor) Events() uint64 { return r.events }

func (r *predictor) reset() {
	r.m.Reset(uint64(r.p.RandomSeed))
	r.known, r.ready, r.cleared = true, false, 0
	r.ring = [8]late{}
	r.count = [9]uint64{}
	clear(r.want)
	r.queue, r.left = r.queue[:0], 0
	clear(r.burst)
	clear(r.reused)
}

// Step implements cosim.Predictor.
func (r *predictor) Step(in, want, care []uint64) {
	x := r.pins
	slot := r.cycle & 7
	if r.known {
		// What earlier cycles caused.
		at := &r.ring[(r.cycle-params.SendLatency)&7]
		e3, e4 := &r.ring[(r.cycle-3)&7], &r.ring[(r.cycle-4)&7]
		if e3.any || e4.any {
			r.bump(e3, e4)
		}
		copy(want, r.want)
		copy(care, r.care)
		if at.ev.valid {
			x.evValid.Set(want, 1)
			x.ev.Set(want, uint64(at.ev.ev))
			x.ev.Set(care, ^uint64(0))
			x.evSource.Set(want, uint64(at.ev.src))
			x.evSource.Set(care, ^uint64(0))
		}
		if e3.freeze {
			x.evtFreeze.Set(want, 1)
		}
		if e3.thaw {
			x.evtThaw.Set(want, 1)
		}
		if e3.illegal {
			x.evtIllegal.Set(want, 1)
		}
	}
	cur := &r.ring[slot]
	*cur = late{}
	rst := x.rst.Get(in) != 0
	if r.known {
		r.take(in, want, cur, rst)
	}
	if rst {
		r.reset()
	} else if r.known && !r.ready {
		if r.cleared++; r.cleared == 2*r.p.Connections {
			r.ready = true
			x.ready.Set(r.want, 1)
		}
	}
	r.cycle++
}

// bump moves the counters on by what happened three cycles ago, and by the
// freezes of four cycles ago.
func (r *predictor) bump(e3, e4 *late) {
	for i := range r.count {
		e := e3
		if i == 5 || i == 6 { // freeze, thaw
			e = e4
		}
		if n := e.events[i]; n != 0 {
			r.count[i] += uint64(n)
			r.pins.counter[i].Set(r.want, r.count[i])
		}
	}
}

// take executes the events of a cycle. In a cycle of reset nothing lasts, but the
// handshakes still show.
func (r *predictor) take(in, want []uint64, cur *late, rst bool) {
	x, m := r.pins, r.m
	valid := x.ackValid.Get(in) != 0
	conn := uint32(x.ackConn.Get(in))
	ev := uint16(x.ackEV.Get(in))
	ecn := x.ackECN.Get(in)&1 != 0
	if r.carry {
		valid, conn, ev, ecn = r.carried(in, want)
	}
	flush := x.flushValid.Get(in) != 0
	if r.ready && !valid {
		x.flushReady.Set(want, 1)
	}
	if !r.ready {
		if !rst && valid || flush {
			r.hits[ptNotReady]++
		}
		if x.seedValid.Get(in) != 0 && !rst {
			m.Random.Load(uint16(x.seedWord.Get(in)))
			r.hits[ptSeed]++
		}
		return
	}
	if rst {
		r.hits[ptReset]++
		return
	}
	now := x.now.Get(in)
	if now < r.lastNow {
		r.hits[ptTimeWrap]++
	}
	r.lastNow = now

	m.Settings.EVBase = uint16(x.base.Get(in))
	m.Settings.NumPkts = uint32(x.num.Get(in))
	if m.Settings.EVBase != 0 && valid {
		r.hits[ptBase]++
	}

	// The generator: a seed word is the word of this cycle.
	var random uint16
	seeded := x.seedValid.Get(in) != 0
	if seeded {
		w := uint16(x.seedWord.Get(in))
		m.Random.Load(w)
		random = w | 1
		r.hits[ptSeed]++
	}

	before := m.Count
	fail := x.failValid.Get(in) != 0
	fconn := uint32(x.failConn.Get(in))
	send := x.sendValid.Get(in) != 0
	sconn := uint32(x.sendConn.Get(in))
	thaw, freeze, flushed := false, false, false

	switch {
	case valid:
		r.events++
		r.coverAck(conn, ev, ecn, now)
		thaw = m.Ack(conn, ev, ecn, now)
		cur.thaw = thaw
		if thaw {
			r.coverNum()
		}
		if flush {
			r.hits[ptFlushWaits]++
		}
	case flush:
		r.events++
		conn, flushed = uint32(x.flushConn.Get(in)), true
		r.coverFlush(conn)
		m.Flush(conn)
	}
	if fail {
		r.events++
		m.Settings.Freezing = x.freezing.Get(in) != 0
		m.Settings.Timeout = x.timeout.Get(in)
		r.coverFail(fconn)
		freeze = m.Fail(fconn, now)
		cur.freeze = freeze
		if freeze {
			r.coverFreeze(now)
		}
	}
	if send {
		r.events++
		port := int(x.sendPort.Get(in))
		if m.Legal(sconn, port) {
			m.Settings.Mode[port] = modes[word(x.mode, in, 2*port, 2)]
			if !seeded {
				random = m.Random.Next()
			} else {
				r.hits[ptSeedSend]++
			}
			if x.sendInject.Get(in) != 0 {
				random = uint16(x.sendRandom.Get(in))
				r.hits[ptInject]++
			}
		}
		st := r.coverBefore(sconn)
		cur.ev.valid = true
		cur.ev.ev, cur.ev.src = m.Send(sconn, port, random)
		r.coverSend(sconn, port, st, cur.ev.src)
	}
	if valid || flush || fail || send {
		r.coverPairs(valid, flushed, fail, send, thaw, freeze, conn, fconn, sconn)
		r.tally(cur, &before)
	}
}

var modes = [4]model.Mode{model.REPS, model.OPS, model.ECMP, model.OPS}

// tally notes what the counters gained.
func (r *predictor) tally(cur *late, b *model.Counters) {
	c := &r.m.Count
	cur.events = [9]uint8{
		uint8(c.Ack - b.Ack), uint8(c.ECN - b.ECN), uint8(c.Fail - b.Fail), uint8(c.Send - b.Send),
		uint8(c.Flush - b.Flush), uint8(c.Freeze - b.Freeze), uint8(c.Thaw - b.Thaw),
		uint8(c.IllegalConn - b.IllegalConn), uint8(c.IllegalEV - b.IllegalEV),
	}
	cur.illegal = cur.events[7] != 0 || cur.events[8] != 0
	cur.any = true
}

// carried is the queue of coalesced ACKs: it takes the ACK of this cycle and
// gives the EV that enters the buffer.
func (r *predictor) carried(in, want []uint64) (valid bool, conn uint32, ev uint16, ecn bool) {
	x := r.pins
	n := uint8(r.p.Ratio)
	room := len(r.queue) < int(r.p.CarryDepth)
	if room && r.ready {
		x.ackReady.Set(want, 1)
	}
	// The ACK that waits longest moves up when the one before it ends.
	next, moved := ack{}, false
	if r.left <= 1 && len(r.queue) > 0 {
		next, moved = r.queue[0], true
	}
	if valid = r.left > 0; valid {
		conn, ev, ecn = r.now.conn, r.now.ev[0], r.now.ecn&1 != 0
		copy(r.now.ev[:], r.now.ev[1:])
		r.now.ecn >>= 1
		r.left--
	}
	if moved {
		r.queue = append(r.queue[:0], r.queue[1:]...)
		r.now, r.left = next, next.count
	}
	if x.ackValid.Get(in) != 0 && r.ready {
		if !room {
			r.hits[ptCarryFull]++
			return
		}
		a := ack{conn: uint32(x.ackConn.Get(in)), count: min(uint8(x.ackCount.Get(in)), n),
			ecn: uint16(word(x.ackECN, in, 0, int(n)))}
		for i := range int(n) {
			a.ev[i] = uint16(word(x.ackEV, in, 16*i, 16))
		}
		switch a.count {
		case 0:
			r.hits[ptCarryNone]++
		case n:
			r.hits[ptCarryMost]++
		}
		r.queue = append(r.queue, a)
	}
	return
}

// Explain implements cosim.Predictor: the state of the connections named in in.
func (r *predictor) Explain(in []uint64) string {
	x := r.pins
	var b strings.Builder
	fmt.Fprintf(&b, "cycle %d, now %d ns, ready %t", r.cycle, x.now.Get(in), r.ready)
	seen := map[uint32]bool{}
	for _, e := range []struct {
		name        string
		valid, conn cosim.Slot
	}{{"ACK", x.ackValid, x.ackConn}, {"flush", x.flushValid, x.flushConn}, {"FAIL", x.failValid, x.failConn}, {"SEND", x.sendValid, x.sendConn}} {
		if e.valid.Get(in) == 0 {
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
	for k := uint64(1); k <= params.SendLatency && k <= r.cycle; k++ {
		l := &r.ring[(r.cycle-k)&7]
		if l.ev.valid {
			fmt.Fprintf(&b, "\nSEND of %d cycles ago: EV %d, %v", k, l.ev.ev, l.ev.src)
		}
	}
	return b.String()
}
