// SPDX-License-Identifier: Apache-2.0

package nicpace

import (
	"fmt"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/nic_pace"
	"github.com/nicgen/nicgen/gen/sv"
	model "github.com/nicgen/nicgen/model/nic_pace"
	"github.com/nicgen/nicgen/tb/bench"
)

// Cycles from the lane's choice to what follows.
const (
	toQueue = 8  // a connection is in the queue of turns
	toList  = 10 // the list of a slot is there
	toFlush = 4  // a flush's outcome is known
	toKeep  = 6  // the scan's result is available
	window  = 16 // cycles that are remembered, more than any of these
)

// Actions of the lane in a cycle.
const (
	opNone = iota
	opDone
	opFlush
	opScan
	opTake
	opLook
	opPush
)

// write is a stage of the lane, as PUSH and the scan see it.
type write struct {
	on  bool // DONE, FLUSH, or the sweep
	idx uint32
}

// golden is the pacer behind its contract: a machine of registers.
type golden struct {
	f    *bench.Frame
	p    *params.Params
	unit *model.Pacer
	mask uint32 // of a connection's bits within the unit

	set                   params.Settings
	time                  params.Time
	dueReady              bench.Pin
	pushReady, flushReady bench.Pin
	dues                  bench.Out[params.Due]
	in                    inputs

	registers
}

// inputs are the events that are offered in a cycle.
type inputs struct {
	pushes  bench.Wires[params.Push]
	dones   bench.Wires[params.Done]
	rates   bench.Wires[params.Rate]
	flushes bench.Wires[params.Flush]

	push, done, rate, flush bool
	pushed                  params.Push
	ended                   params.Done
	rated                   params.Rate
	flushed                 params.Flush
}

// registers holds the registers that a reset clears.
type registers struct {
	sweep   int64         // cycles that are left of it
	queued  [window]int64 // connection + 1 that is in the queue of turns from then on
	illegal [2]bool       // the lane found an illegal event, in this cycle and the one before
	newRate [2]bool       // this cycle's RATE is legal, is not

	// turns
	turns []uint32
	shown bool
	at    uint32 // the one that is shown
	hold  bool

	// connections that want a turn
	pushes  []uint32
	pushOK  bool
	writes  [4]write // p0 to p3
	scanMet [5]bool  // p0 to p4
	scanAt  uint32
	keepAt  uint64 // the cycle from which the scan's result is available; 0: nothing
	keep    uint64
	kept    uint32 // the connection
	yield   uint32
	op      int // of this cycle
	opPlace model.Place
	unused  bool  // the PUSH of this cycle is one after a turn without DONE
	left    int64 // the connection whose turn begins in this cycle, + 1

	// slots
	nows                 [2]uint64 // one and two cycles ago
	behind               uint64
	takeDue              bool
	taking               bool
	listAt               uint64 // the cycle from which the list is there
	coming, list, walk   []uint32
	walking, step        bool
	flushBusy, clearing  bool
	flushEnds, flushOK   bool
	flushAt              uint64 // the cycle from which its outcome is known; 0: none
	flushDone, flushGood bool
}

func newPredictor(p *params.Params, l *cosim.Layout, bare bool) (cosim.Predictor, error) {
	g, err := newGolden(p, l, bare)
	if err != nil {
		return nil, err
	}
	return g.f, nil
}

// newGolden is newPredictor for the stimulus, which looks at more than the ports.
func newGolden(p *params.Params, l *cosim.Layout, bare bool) (r *golden, err error) {
	r = &golden{p: p, unit: model.New(p), mask: 1<<max(1, sv.CLog2(p.Connections)) - 1}
	r.f, err = bench.NewFrame(unitName, l, len(points(p)), bare, bench.Model{
		Holds:    r,
		Contract: p.Contract(),
		Settings: bench.Into(params.SettingPorts, &r.set), Ambient: bench.Into(params.TimePorts, &r.time),
		Bind: []bench.Binder{
			bench.WireIn(params.Pushes, &r.in.pushes), bench.WireIn(params.Dones, &r.in.dones),
			bench.WireIn(params.Rates, &r.in.rates), bench.WireIn(params.Flushes, &r.in.flushes),
			bench.Emits(params.Dues, &r.dues), bench.WirePin("m_due_ready", &r.dueReady),
			bench.WirePin("s_push_ready", &r.pushReady), bench.WirePin("s_flush_ready", &r.flushReady),
		},
		Reset: r.clear, Begin: r.begin, State: r.state,
	})
	return r, err
}

// clear is a cycle with the registered reset: all that came before it is gone.
func (r *golden) clear() {
	if !r.f.Bare {
		r.coverReset()
	}
	turns, pushes := r.turns[:0], r.pushes[:0]
	r.registers = registers{sweep: r.p.Sweep(), turns: turns, pushes: pushes}
}

// begin is a cycle.
func (r *golden) begin(n *bench.Now) {
	i := &r.in
	i.push, i.done = i.pushes.Poll(n.In, &i.pushed), i.dones.Poll(n.In, &i.ended)
	i.rate, i.flush = i.rates.Poll(n.In, &i.rated), i.flushes.On(n.In)
	i.flushes.ReadFields(n.In, &i.flushed) // its end looks at the connection again, whatever valid is by then
	if !n.Ready && !r.f.Bare {
		r.hit(ptEarly, i.done || i.rate)
	}
	if n.Acting {
		return
	}
	n.Sample()
	if n.Ready && len(r.pushes) < params.FIFO {
		n.Raise(&r.pushReady)
	}
	if !n.Ready {
		r.sweep--
	}
	r.process(n)
	if !n.Ready {
		if c := uint32(r.sweep) & r.mask; r.unit.Legal(c) {
			r.unit.Clear(c, r.time.Now)
		}
		if r.sweep == 0 {
			r.unit.Reset(r.time.Now)
		}
	}
	r.nows[1], r.nows[0] = r.nows[0], r.time.Now
	if r.flushEnds {
		want, _ := n.Later(1)
		r.flushReady.Raise(want)
	}
	if r.shown {
		r.dues.EmitAfter(n, &params.Due{Conn: r.at}, 1)
	}
}

// process is a cycle without a reset.
func (r *golden) process(n *bench.Now) {
	i, t := &r.in, n.Cycle
	r.illegal = [2]bool{false, r.illegal[0]}

	// A connection that has its turn is outside for the events of this cycle.
	if c := &r.queued[t%window]; *c != 0 {
		r.turns = append(r.turns, uint32(*c-1))
		*c = 0
	}
	held := r.hold
	r.hold = len(r.pushes) >= params.Hold
	free := !r.shown || r.dueReady.On(n.In)
	if r.left = 0; r.shown && free {
		r.left = int64(r.at) + 1
		r.unit.Leave(r.at)
		n.Count(params.CountDue, true)
		r.f.Accepted++
	}
	if !r.f.Bare {
		r.hit(ptStall, r.shown && !free)
		r.hit(ptHold, free && held && len(r.turns) > 0)
	}
	if free {
		if r.shown = !held && len(r.turns) > 0; r.shown {
			r.at = r.turns[0]
			r.turns = append(r.turns[:0], r.turns[1:]...)
		}
	}

	enters := write{on: !n.Ready, idx: uint32(r.sweep) & r.mask}
	met := false
	looked := false
	r.op, r.opPlace = opNone, model.Nowhere
	if n.Ready {
		r.choose()
		met, looked = r.act(n, &enters)
	}
	r.rates(n)
	r.advance(n, looked)

	// Reasons for PUSH to wait.
	ok := false
	if len(r.pushes) > 0 && r.op != opPush {
		head := r.pushes[0] & r.mask
		ok = !(enters.on && r.op != opNone && enters.idx == head)
		for _, w := range r.writes {
			ok = ok && !(w.on && w.idx == head)
		}
		if !r.f.Bare {
			r.hit(ptWaits, !ok && n.Ready)
		}
	}
	r.pushOK = ok
	if r.op == opPush {
		r.pushes = append(r.pushes[:0], r.pushes[1:]...)
	}
	if n.Ready && i.push && r.room() {
		r.pushes = append(r.pushes, i.pushed.Conn)
	}
	copy(r.writes[1:], r.writes[:3])
	r.writes[0] = enters
	copy(r.scanMet[1:], r.scanMet[:4])
	r.scanMet[0] = met
	if !r.f.Bare {
		r.cover()
	}
}

// room reports whether the queue of PUSH has room: one that leaves it in a cycle makes room in the next.
func (r *golden) room() bool {
	n := len(r.pushes)
	if r.op == opPush { // it has left already
		n++
	}
	return n < params.FIFO
}

// choose determines the lane's action.
func (r *golden) choose() {
	yields := r.yield&63 == 63
	switch {
	case r.in.done:
		r.op = opDone
	case yields && r.yield&64 != 0 && r.flushWanted():
		r.op = opFlush
	case yields:
		r.op = opScan
	case r.takeDue && !r.taking && len(r.list) == 0:
		r.op = opTake
	case r.walking && !r.step:
		r.op = opLook
	case r.pushOK:
		r.op = opPush
	}
	if r.op != opDone || !yields {
		r.yield = (r.yield + 1) & 127
	}
}

// flushWanted reports whether there is a request that is not in the lane.
func (r *golden) flushWanted() bool {
	return r.in.flush && !r.flushEnds && !r.flushBusy
}

// act does what the lane chose. met: it writes the departure time of the connection that the scan comes to next.
func (r *golden) act(n *bench.Now, enters *write) (met, looked bool) {
	t, now := n.Cycle, r.time.Now
	r.unit.Allowance, r.unit.Idle = r.set.Allowance, r.set.Idle
	if r.keepAt == t && t != 0 {
		r.unit.Keep(r.kept, r.keep)
		r.keepAt = 0
	}
	before, turn := r.unit.Count, r.unit.Turn()
	conn := r.conn()
	if !r.f.Bare {
		r.coverOp(conn)
	}
	switch r.op {
	case opDone:
		*enters, met = write{true, conn & r.mask}, conn&r.mask == r.scanAt
		var legal bool
		if r.opPlace, legal = r.unit.Done(conn, r.in.ended.Bytes, r.in.ended.Again, now); legal {
			r.f.Accepted++
			r.void(conn)
		}
	case opFlush:
		*enters, met = write{true, conn & r.mask}, conn&r.mask == r.scanAt
		if r.flushDone, r.flushGood = r.unit.Flush(conn, now); r.flushDone && r.flushGood {
			r.void(conn)
		}
		r.flushAt, r.flushBusy = t+toFlush, true
	case opScan:
		if !r.scanMet[0] && !r.scanMet[1] && !r.scanMet[2] && !r.scanMet[3] && !r.scanMet[4] {
			r.keep, r.kept, r.keepAt = r.unit.Scan(r.scanAt, now), r.scanAt, t+toKeep
		} else if !r.f.Bare {
			r.hit(ptSkipped, true)
		}
		if r.scanAt++; int64(r.scanAt) == r.p.Connections {
			r.scanAt = 0
		}
	case opTake:
		r.coming = append([]uint32(nil), r.unit.Take(r.nows[1])...)
		r.taking, r.listAt = true, t+toList
		n.Count(params.CountLate, r.unit.Count.Late > before.Late)
	case opLook:
		r.opPlace, looked = r.unit.Look(conn, now), true
	case opPush:
		met = conn&r.mask == r.scanAt
		if r.opPlace = r.unit.Push(conn, now); r.opPlace != model.Nowhere {
			r.void(conn)
		}
	}
	count := &r.unit.Count
	n.Count(params.CountPush, count.Push > before.Push)
	n.Count(params.CountDone, count.Done > before.Done)
	n.Count(params.CountBeyond, count.Beyond > before.Beyond)
	if r.illegal[0] = count.Illegal > before.Illegal; r.illegal[0] {
		n.CountIllegal()
	}
	if r.opPlace == model.Due {
		r.queued[(t+toQueue)%window] = int64(conn) + 1
	}
	if !r.f.Bare {
		r.coverDone(&before, turn)
	}
	return met, looked
}

// void records that connection c's departure time differs from the scan's result.
func (r *golden) void(c uint32) {
	if r.kept == c {
		r.keepAt = 0
	}
}

// conn is the connection that the lane is about.
func (r *golden) conn() uint32 {
	switch r.op {
	case opDone:
		return r.in.ended.Conn
	case opFlush:
		return r.in.flushed.Conn
	case opLook:
		return r.walk[0]
	case opPush:
		return r.pushes[0]
	}
	return r.scanAt
}

// rates are RATE, and the end of a flush.
func (r *golden) rates(n *bench.Now) {
	i, t := &r.in, n.Cycle
	r.flushEnds, r.flushOK = false, false
	if r.flushAt != 0 && r.flushAt == t+1 {
		switch {
		case r.flushDone && r.flushGood:
			r.clearing = true
		case r.flushDone:
			r.flushEnds = true
			fallthrough
		default:
			r.flushBusy = false
		}
		r.flushAt = 0
	} else if r.clearing && !i.rate {
		r.unit.Flushed(i.flushed.Conn & r.mask)
		r.clearing, r.flushBusy, r.flushEnds, r.flushOK = false, false, true, true
		n.Count(params.CountFlush, true)
	}
	r.newRate = [2]bool{}
	if !i.rate || !n.Ready {
		return
	}
	if r.unit.Rate(i.rated.Conn, i.rated.Inv) {
		n.Count(params.CountRate, true)
		r.newRate[0] = true
		r.f.Accepted++
		return
	}
	r.newRate[1] = true
	n.CountIllegalOf(1) // a RATE is judged a cycle earlier than the event in the lane
}

// advance is the end of a cycle for slots that are due, and their lists.
func (r *golden) advance(n *bench.Now, looked bool) {
	walking := r.walking
	r.step = false
	if looked {
		r.walk = r.walk[1:]
		r.walking = len(r.walk) > 0
		r.step = r.walking
	}
	if !walking && len(r.list) > 0 {
		r.walk, r.walking, r.list = r.list, true, nil
	}
	if r.taking && r.listAt == n.Cycle+1 {
		r.list, r.coming, r.taking = r.coming, nil, false
	}
	r.takeDue = r.behind != 0
	r.behind = 0
	if n.Ready {
		r.behind = r.unit.Behind(r.time.Now)
	} else {
		r.takeDue = false
	}
}

// state describes the registers.
func (r *golden) state([]uint64) string {
	return fmt.Sprintf("\n%d want a turn, %d have theirs next, turn %d shown %t; walking %v, list %v, taking %t; flush busy %t, clearing %t; scan at %d",
		len(r.pushes), len(r.turns), r.at, r.shown, r.walk, r.list, r.taking, r.flushBusy, r.clearing, r.scanAt)
}
