// SPDX-License-Identifier: Apache-2.0

package spray

import (
	"fmt"
	"strings"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/spray"
	model "github.com/nicgen/nicgen/model/spray"
	"github.com/nicgen/nicgen/tb/bench"
)

// Places of the counters, in the order of params.CounterNames.
const (
	countACK = iota
	countECN
	countFail
	countSend
	countFlush
	countNew
	countIllegal
	countNotReady
	countJump
)

// sent is a SEND with what it depends on.
type sent struct {
	pkt model.Packet
	set model.Settings
	now uint64
}

// late are outputs that appear some cycles after their cause.
type late struct {
	sent             bool // a SEND is answered
	source           model.Source
	ev               uint64
	ack, ecn, fail   bool
	flush, jump      bool
	seeded           bool
	illegal, dropped uint64
}

// ringMask is the mask of a cycle's place among those that still show.
const ringMask = 7

// predictor is the golden model behind the unit's ports.
type predictor struct {
	bench.Golden
	p     *params.Params
	pins  *pins
	m     *model.Spray
	apart *bench.Distances
	owner []uint64 // of an entry: who used it last

	reset   bool   // rst was up in the cycle before: the unit resets now
	cleared int64  // entries
	wait    int    // cycles since all are
	ready   bool   // the unit is
	draw    bool   // a word was drawn in the cycle before
	evs     uint64 // the setting of the cycle before

	ring [ringMask + 1]late // by cycle, modulo its length
}

func newPredictor(p *params.Params, l *cosim.Layout, bare bool) (cosim.Predictor, error) {
	x, err := newPins(l)
	if err != nil {
		return nil, err
	}
	r := &predictor{
		p: p, pins: x, m: model.NewSpray(p), owner: make([]uint64, p.Entries()),
		Golden: bench.NewGolden(l, len(points(p)), bare),
	}
	r.apart = bench.NewDistances(kindCount, span, p.Entries(), r.Reached[ptDistance:])
	r.Always(append(x.counter[:], x.ready, x.flushReady, x.valid, x.evtIllegal, x.seeded)...)
	return r, nil
}

// Step implements cosim.Predictor. A reset acts one cycle after rst: what comes with rst is
// forgotten, what comes in the next cycle is not taken. The first entry is cleared with the
// setting of the last cycle with rst.
func (r *predictor) Step(in, want, care []uint64) {
	x := r.pins
	if r.Known {
		r.show(in, want, care)
	}
	rst, evs := x.rst.On(in), x.evs.Get(in)
	cur := &r.ring[r.Cycle&ringMask]
	if r.reset {
		if r.cleared > 1 && r.cleared < r.p.Entries() {
			r.Reached[ptResetSweep]++
		}
		r.ring = [ringMask + 1]late{}
		clear(r.Want)
		r.m.Reset()
		r.m.Clear(0, r.evs)
		r.Known, r.cleared, r.wait, r.draw = true, 1, 0, true
	}
	*cur = late{}
	switch {
	case x.seedValid.On(in):
		r.m.Words.Load(uint32(x.seedWord.Get(in)))
		cur.seeded = !rst
		r.Reached[ptSeed]++
		if r.draw {
			r.Reached[ptSeedDraw]++
		}
	case r.draw:
		r.m.Words.Next()
	}
	r.draw = false
	if r.Known {
		r.take(in, cur, rst)
		if !rst && r.cleared < r.p.Entries() {
			r.m.Clear(r.cleared, evs)
			r.draw = true
			r.cleared++
		}
		if r.cleared == r.p.Entries() {
			if r.wait++; r.wait == 3 {
				r.ready = true
			}
		}
	}
	if rst {
		r.ready, r.wait = false, 4
	}
	r.reset, r.evs = rst, evs
	r.Cycle++
}

// show writes the outputs of earlier cycles.
func (r *predictor) show(in, want, care []uint64) {
	x := r.pins
	add := func(counter int, on bool) {
		if on {
			x.counter[counter].Add(r.Want, 1)
		}
	}
	e := &r.ring[(r.Cycle-params.EventLatency)&ringMask]
	add(countACK, e.ack)
	add(countECN, e.ecn)
	add(countFail, e.fail)
	add(countFlush, e.flush)
	add(countSend, e.sent && e.source != model.None)
	x.counter[countIllegal].Add(r.Want, e.illegal)
	x.counter[countNotReady].Add(r.Want, e.dropped)
	if e.seeded && !x.seeded.On(r.Want) {
		x.seeded.Raise(r.Want)
	}
	s := &r.ring[(r.Cycle-params.SendLatency)&ringMask]
	add(countNew, s.sent && s.source == model.New)
	add(countJump, r.ring[(r.Cycle-params.JumpLatency)&ringMask].jump)
	copy(want, r.Want)
	copy(care, r.Care)
	if r.ready {
		x.ready.Raise(want)
		if !x.sendValid.On(in) {
			x.flushReady.Raise(want)
		}
	}
	if e.illegal > 0 {
		x.evtIllegal.Raise(want)
	}
	if s.sent {
		x.valid.Raise(want)
		x.ev.Put(want, s.ev)
		x.source.Put(want, uint64(s.source))
		x.ev.Put(care, ^uint64(0))
		x.source.Put(care, ^uint64(0))
	}
}

// take executes the events of a cycle.
func (r *predictor) take(in []uint64, cur *late, rst bool) {
	x := r.pins
	ack, fail, send, flush := x.ackValid.On(in), x.failValid.On(in), x.sendValid.On(in), x.flushValid.On(in)
	if rst {
		if r.ready && (ack || fail || send || flush) {
			r.Reached[ptReset]++
		}
		return
	}
	if !r.ready {
		for _, on := range []bool{ack, fail, send} {
			if on {
				cur.dropped++
				r.Reached[ptNotReady]++
			}
		}
		return
	}
	was := r.m.Turns()
	cur.jump = r.m.Tick(x.now.Get(in))
	r.coverTime(was, cur.jump)
	legal := func(conn, port *bench.Pin, point int) bool {
		r.Accepted++
		c, n := conn.Get(in), port.Get(in)
		_, ok := r.m.Find(c, n)
		if !ok {
			cur.illegal++
			r.Reached[point]++
			if n >= uint64(r.p.NICPorts) {
				r.Reached[ptIllegalPort]++
			}
		}
		return ok
	}
	defer func() {
		if cur.illegal >= 2 {
			r.Reached[ptIllegalTwo+int(cur.illegal)-2]++
		}
	}()
	if ack && legal(&x.ackConn, &x.ackPort, ptIllegalACK) {
		cur.ecn = x.ackECN.On(in)
		cur.ack = !cur.ecn
		r.Reached[ptACK+btoi(cur.ecn)]++
	}
	if fail && legal(&x.failConn, &x.failPort, ptIllegalFail) {
		cur.fail = true
		r.Reached[ptFail]++
	}
	switch {
	case send:
		ok := legal(&x.sendConn, &x.sendPort, ptIllegalSend)
		r.send(in, cur, ok)
		r.draw = ok
		if flush {
			r.Reached[ptFlushWaits]++
		}
	case flush && legal(&x.flushConn, &x.flushPort, ptIllegalFlush):
		conn, port := x.flushConn.Get(in), x.flushPort.Get(in)
		cur.flush = r.m.Flush(conn, port, x.evs.Get(in))
		r.draw = true
		if !r.Bare {
			e, _ := r.m.Find(conn, port)
			r.Reached[ptFlush]++
			r.note(false, false, true, e)
		}
	}
}

// send executes a SEND.
func (r *predictor) send(in []uint64, cur *late, ok bool) {
	x := r.pins
	port := x.sendPort.Get(in)
	s := sent{
		pkt: model.Packet{Conn: x.sendConn.Get(in), Port: port, Inject: x.inject.On(in), Word: x.injected.Get(in)},
		set: model.Settings{Mode: x.mode.Get(in) >> (2 * port) & 3, EVs: x.evs.Get(in), Timeout: x.timeout.Get(in), HashSeed: x.hash.Get(in)},
		now: x.now.Get(in),
	}
	if ok && !r.Bare {
		e, _ := r.m.Find(s.pkt.Conn, port)
		r.coverSend(e, &s)
	}
	cur.sent = true
	cur.ev, cur.source = r.m.Send(s.pkt, s.set, s.now)
	cur.ev += x.base.Get(in)
}

// coverTime counts the points of a time.
func (r *predictor) coverTime(was int64, jump bool) {
	switch {
	case jump && r.m.Early():
		r.Reached[ptJumpEarly]++
	case jump:
		r.Reached[ptJumpFar]++
	case r.m.Turns() != was:
		r.Reached[ptQuarter]++
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Explain implements cosim.Predictor.
func (r *predictor) Explain(in []uint64) string {
	x := r.pins
	var b strings.Builder
	fmt.Fprintf(&b, "ready %t, time %d, quarter %d", r.ready, x.now.Get(in), r.m.Turns())
	if conn, port := x.sendConn.Get(in), x.sendPort.Get(in); x.sendValid.On(in) {
		fmt.Fprintf(&b, "; SEND of connection %d on port %d", conn, port)
		if e, ok := r.m.Find(conn, port); ok {
			fmt.Fprintf(&b, ", entry %d is now %+v", e, r.m.Entry(e))
		}
	}
	return b.String()
}
