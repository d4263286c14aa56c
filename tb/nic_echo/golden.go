// SPDX-License-Identifier: Apache-2.0

package nicecho

import (
	"fmt"
	"slices"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/nic_echo"
	model "github.com/nicgen/nicgen/model/nic_echo"
	"github.com/nicgen/nicgen/tb/bench"
)

// kind is the action of the receive lane in a cycle.
type kind int

const (
	none kind = iota
	data
	clearing // an entry of a ring
	emptying // the rest of a connection
	taking
	scanning
)

// Cycles from an event to its step, and to what follows.
const (
	act    = params.EventLatency // the lane's row is read, and written
	push   = 2                   // from there to the queue of lists that are due
	window = 8                   // of cycles that are remembered, a power of two above these
)

// Counters, by their place in names. Without lists, some never count.
const (
	ctData = iota
	ctMarked
	ctHit
	ctMiss
	ctDuplicate
	ctFeedback
	ctLost
	ctFlush
	counters
)

var counterNames = [counters]string{"data", "marked", "hit", "miss", "duplicate", "feedback", "lost", "flush"}

// event holds the inputs of a cycle.
type event struct {
	op      kind
	conn    uint32
	packet  model.Packet
	shim    model.Shim
	slot    uint64
	now     uint64
	ack     bool // taken and legal
	answer  bool // any ACK
	ackConn uint32
	ackPSN  uint64
	or      bool
	illegal int
	wrong   kind // the illegal event other than an ACK: data, or emptying for a flush
	early   int
}

// golden is the unit behind its contract: a machine of registers.
type golden struct {
	f     *bench.Frame
	p     *params.Params
	unit  *model.Unit
	count [counters]int // by their order in the contract

	set, was       params.Settings // of this cycle, of the cycle before
	time           params.Time
	in             inputs
	flushReady     bench.Pin
	fbReady        bench.Pin
	fbEVs, fbMarks bench.Pin
	echoes         bench.Out[params.Echo]
	feedbacks      bench.Out[params.Feedback]

	registers
	cov coverage
}

// inputs are the events that are offered in a cycle.
type inputs struct {
	datas   bench.Wires[params.Data]
	acks    bench.Wires[params.ACK]
	flushes bench.Wires[params.Flush]

	hasData, hasACK, flush bool
	data                   params.Data
	ack                    params.ACK
	flushing               params.Flush
}

// registers holds the registers that a reset clears.
type registers struct {
	events   [window]event
	pushes   [window]int64 // connection + 1
	due      []uint32      // lists that wait
	busy     bool
	fbAt     uint64 // the cycle in which a list is there; 0: none is on its way
	fb       model.Feedback
	fbConn   uint32
	flushed  int64 // steps of a flush that are done
	scanNext uint32
}

func newPredictor(p *params.Params, l *cosim.Layout, bare bool) (cosim.Predictor, error) {
	r := &golden{p: p, unit: model.New(p)}
	for i, name := range counterNames {
		r.count[i] = slices.Index(p.CounterNames(), name)
	}
	bind := []bench.Binder{
		bench.WireIn(params.Datas, &r.in.datas), bench.WireIn(params.ACKs, &r.in.acks), bench.WireIn(params.Flushes, &r.in.flushes),
		bench.Emits(params.Echoes, &r.echoes), bench.WirePin("s_flush_ready", &r.flushReady),
	}
	if p.List > 0 {
		bind = append(bind, bench.Emits(params.Feedbacks, &r.feedbacks), bench.WirePin("m_fb_ready", &r.fbReady),
			bench.WirePin("m_fb_evs", &r.fbEVs), bench.WirePin("m_fb_marks", &r.fbMarks))
	}
	var err error
	r.f, err = bench.NewFrame(unitName, l, len(points(p)), bare, bench.Model{
		Holds:    r,
		Contract: p.Contract(),
		Settings: bench.Into(params.SettingPorts, &r.set), Ambient: bench.Into(params.TimePorts, &r.time),
		Bind: bind, Reset: r.clear, Begin: r.begin, State: r.state,
	})
	if err != nil {
		return nil, err
	}
	return r.f, nil
}

// clear is a cycle with the registered reset: all that came before it is gone.
func (r *golden) clear() {
	if !r.f.Bare {
		r.coverReset()
	}
	r.unit.Reset()
	r.registers = registers{due: r.due[:0]}
}

// begin is a cycle.
func (r *golden) begin(n *bench.Now) {
	n.Sample()
	e := &r.events[n.Cycle%window]
	*e = event{}
	r.lane(n, e)
	if r.flushEnds(n) {
		n.Raise(&r.flushReady)
	}
	if !n.Acting {
		r.process(n)
	}
	r.advance(n, e)
	r.was = r.set
	if r.fbAt != 0 && n.Cycle+1 >= r.fbAt {
		r.showFeedback(n)
	}
}

// lane determines the lane's action from the cycle's inputs, and the ACK.
func (r *golden) lane(n *bench.Now, e *event) {
	i, ready := &r.in, n.Ready
	i.hasData, i.hasACK, i.flush = i.datas.Poll(n.In, &i.data), i.acks.Poll(n.In, &i.ack), i.flushes.Poll(n.In, &i.flushing)
	e.now, e.or = r.time.Now, r.set.ECNOr
	e.answer, e.ackConn, e.ackPSN = i.hasACK, i.ack.Conn, i.ack.PSN
	switch {
	case i.hasACK && !ready:
		e.early++
	case i.hasACK && !r.unit.Legal(e.ackConn):
		e.illegal++
		n.CountIllegal()
	case i.hasACK:
		e.ack = true
		r.f.Accepted++
	}
	flush := i.flushing.Conn
	switch e.conn = i.data.Conn; {
	case i.hasData && !ready:
		e.early++
	case i.hasData && !r.unit.Legal(e.conn):
		e.illegal++
		e.wrong = data
		n.CountIllegal()
	case i.hasData:
		e.op = data
		r.f.Accepted++
		e.packet = model.Packet{PSN: i.data.PSN, EV: uint64(i.data.EV), CE: i.data.CE, Feedback: i.data.Feedback}
		if i.data.Shim {
			e.shim = i.data.Body
			e.packet.Shim = &e.shim
		}
	case !ready:
	case i.flush && !r.unit.Legal(flush):
		e.illegal++
		e.wrong = emptying
		n.CountIllegal()
	case i.flush && r.flushed == r.p.Ring:
		e.op, e.conn = emptying, flush
	case i.flush:
		e.op, e.conn, e.slot = clearing, flush, uint64(r.flushed)
	case len(r.due) > 0 && !r.busy:
		e.op, e.conn = taking, r.due[0]
	case len(r.due) < params.FIFO && r.p.List > 0:
		e.op, e.conn = scanning, r.scanNext
	}
}

// flushEnds reports whether the request is done.
func (r *golden) flushEnds(n *bench.Now) bool {
	i := &r.in
	return n.Ready && !i.hasData && i.flush && (r.flushed == r.p.Ring || !r.unit.Legal(i.flushing.Conn))
}

// process gives the golden model what came some cycles ago.
func (r *golden) process(n *bench.Now) {
	t := n.Cycle
	e := &r.events[(t-act)%window]
	s := &r.unit.Settings
	s.FeedbackPackets, s.FeedbackTime = r.was.FeedbackPackets, r.was.FeedbackTime
	due := false
	before := r.unit.Count
	switch e.op {
	case data:
		due = r.unit.Data(e.conn, e.packet, e.now)
		n.CountN(r.count[ctData], 1, 1)
		if e.packet.CE {
			n.CountN(r.count[ctMarked], 1, 1)
		}
		if r.p.List > 0 {
			n.CountN(r.count[ctDuplicate], r.unit.Count.Duplicate-before.Duplicate, 2)
			n.CountN(r.count[ctLost], r.unit.Count.Lost-before.Lost, 2)
		}
	case clearing:
		r.unit.Clear(e.conn, e.slot)
	case emptying:
		r.unit.Flush(e.conn)
		n.CountN(r.count[ctFlush], 1, 1)
	case scanning:
		due = r.unit.Scan(e.conn, e.now)
	case taking:
		if f, ok := r.unit.Take(e.conn); ok {
			r.fb, r.fbConn, r.fbAt = f, e.conn, t+3+uint64(len(f.Seen))
		} else {
			r.busy = false
		}
	}
	if !r.f.Bare {
		r.cover(n.Cycle, e, &before, due)
	}
	if due {
		r.pushes[(t+push)%window] = int64(e.conn) + 1
	}
	if e.answer {
		var a model.Echo
		if e.ack {
			s.ECNOr = e.or
			a = r.unit.Ack(e.ackConn, e.ackPSN)
			if !r.f.Bare {
				r.coverAck(e, &a)
			}
		}
		r.echo(n, e, &a)
	}
}

// echo answers an ACK, an illegal one too.
func (r *golden) echo(n *bench.Now, e *event, a *model.Echo) {
	left := r.p.EchoLatency() - act
	x := params.Echo{Hit: a.Hit, EV: uint32(a.EV), Mark: a.Mark, Fresh: a.Fresh}
	if a.Fresh {
		x.Body = a.Shim
		r.echoes.EmitAfter(n, &x, left)
	} else {
		r.echoes.EmitAlways(n, &x, left)
	}
	switch {
	case a.Hit:
		n.CountN(r.count[ctHit], 1, left+1)
	case e.ack:
		n.CountN(r.count[ctMiss], 1, left+1)
	}
}

// advance is the end of a cycle for the queue of lists, the flush and the scan.
func (r *golden) advance(n *bench.Now, e *event) {
	t := n.Cycle
	room := len(r.due) < params.FIFO
	if r.fbAt != 0 && t >= r.fbAt && r.fbReady.On(n.In) {
		r.fbAt, r.busy = 0, false
		n.CountN(r.count[ctFeedback], 1, 1)
	}
	switch e.op {
	case taking:
		r.due, r.busy = append(r.due[:0], r.due[1:]...), true
	case scanning:
		if r.scanNext++; int64(r.scanNext) == r.p.Connections {
			r.scanNext = 0
		}
	}
	if c := r.pushes[t%window]; c != 0 {
		if r.pushes[t%window] = 0; room {
			r.due = append(r.due, uint32(c-1))
		}
		if !r.f.Bare {
			r.hit(ptFull, !room)
		}
	}
	switch {
	case !r.in.flush || r.flushEnds(n):
		r.flushed = 0
	case e.op == clearing:
		r.flushed++
	}
}

// showFeedback writes a list that goes out in the next cycle.
func (r *golden) showFeedback(n *bench.Now) {
	width := int(r.p.EVBits)
	x := params.Feedback{Conn: r.fbConn, PSN: r.fb.PSN, Count: uint8(len(r.fb.Seen)), Again: r.fb.Again}
	_, care := n.Later(1)
	for i, s := range r.fb.Seen {
		at := int(r.p.List) - len(r.fb.Seen) + i
		x.EVs[at] = uint32(s.EV)
		if s.CE {
			x.Marks |= 1 << at
		}
		r.fbEVs.PutBits(care, at*width, width, 1<<width-1)
		r.fbMarks.PutBits(care, at, 1, 1)
	}
	r.feedbacks.EmitAlways(n, &x, 1)
}

// state describes the registers.
func (r *golden) state([]uint64) string {
	return fmt.Sprintf("\nlists that wait %v, busy %t, feedback from cycle %d on; %d steps of a flush; scan at %d",
		r.due, r.busy, r.fbAt, r.flushed, r.scanNext)
}
