// SPDX-License-Identifier: Apache-2.0

package nicgate

import (
	"fmt"
	"math/bits"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/nic_gate"
	"github.com/nicgen/nicgen/gen/sv"
	model "github.com/nicgen/nicgen/model/nic_gate"
	"github.com/nicgen/nicgen/tb/bench"
)

// Actions of the lane of turns in a cycle.
const (
	opNone = iota
	opDue
	opFlush
	opLook
	opScan
)

// State of a connection that can be cleared in a cycle.
const (
	clearWindow = 1 << iota
	clearAcked
	clearSent
	clearStored
	clearAll = clearWindow | clearAcked | clearSent | clearStored
)

// events holds the events of a cycle, with the views taken for it later.
type events struct {
	enter, release   bool
	done, end        bool
	ack, window      bool
	entered          params.Enter // even if its valid is low
	left             params.Release
	ended            params.Done
	acked            params.ACK
	opened           params.Window
	ackPSN           uint64 // the PSN that the ACK names
	stored           model.Stored
	storedOK         bool
	nxt              uint64      // bytes released, as the ENTER sees them
	seen             model.State // the same, and PSNs
	in, una          uint64      // packets stored and bytes acknowledged, as the RELEASE sees them
	gone             uint64      // packets that left, as the DONE sees them
	entry            model.Entry
	found            model.Entry
	sent             model.Sent
	restart          model.Restart
	moved, first     bool // first: since a restart
	clear            int
	clearConn        uint32
	initWindow       uint64
	op               int
	opConn           uint32
	flight           model.Flight
	ev, now, quantum uint64
	flying           uint64 // cfg_flight_ns
	goBackN, force   bool
}

// outcome holds the results of a cycle, for coverage.
type outcome struct {
	timeout, send, idle, over, again bool
	overBytes, dropped               uint64
	told                             model.Sample // of the last legal ACK
}

// pop is a pop on its way to the queues.
type pop struct {
	conn    uint32
	budget  uint64
	discard bool
}

// golden is the gate behind its contract: lanes of registers, around the model of its connections.
type golden struct {
	p    *params.Params
	f    *bench.Frame
	unit *model.Gate

	set      params.Settings
	inputs   params.Inputs
	wires    wires
	flushing params.Flush // at the port, valid or not
	timeouts bench.Out[params.Timeout]
	pushes   bench.Out[params.Push]
	visits   bench.Out[params.Pop]
	sends    bench.Out[params.Send]
	overs    bench.Out[params.Over]
	samples  bench.Out[params.Sample]
	una, nxt bench.Pin // of a sample
	budget   bench.Pin // of a pop
	resetAt  uint64    // the cycle of the last reset
	mask     uint32    // of a connection's bits within the unit
	lat      uint64    // the ring's
	toRing   uint64

	came []events // of the last cycles, more than any latency; a power of two
	now  outcome

	// turns
	places             int
	yield              uint32
	scanAt             uint32
	ackLooks, winLooks []uint32
	pops               []pop
	popping            []pop     // decided on in this cycle
	nows               [2]uint64 // the time and stall_ns a cycle ago
	begun, age         uint64
	over, over2        bool

	// to the pacer
	opens, firsts []uint32
	openCount     int
	room          bool
	shown         bool
	pushValid     bool
	pushAt        uint32
	pushLast      bool // the last one was found open

	flush flush
}

func newPredictor(p *params.Params, l *cosim.Layout, bare bool) (cosim.Predictor, error) {
	g, err := newGolden(p, l, bare)
	if err != nil {
		return nil, err
	}
	return g.f, nil
}

// newGolden is newPredictor for the stimulus, which looks at more than the ports.
func newGolden(p *params.Params, l *cosim.Layout, bare bool) (g *golden, err error) {
	g = &golden{p: p, unit: model.New(p), mask: 1<<max(1, sv.CLog2(p.Connections)) - 1, lat: uint64(p.RingLatency), toRing: uint64(p.ToRing())}
	g.came = make([]events, 1<<bits.Len64(max(8+g.lat, g.toRing)))
	if err := g.wires.bind(p, l); err != nil {
		return nil, err
	}
	g.f, err = bench.NewFrame(unitName, l, len(points(p)), bare, bench.Model{
		Holds:    g,
		Contract: p.Contract(), Settings: bench.Into(params.SettingPorts, &g.set), Ambient: bench.Into(params.InputPorts, &g.inputs),
		Bind: []bench.Binder{
			bench.Emits(params.Timeouts, &g.timeouts), bench.Emits(params.Pushes, &g.pushes), bench.Emits(params.Visits, &g.visits),
			bench.Emits(params.Sends, &g.sends), bench.Emits(params.Overs, &g.overs), bench.Emits(params.Samples, &g.samples),
			bench.WirePin("m_sample_una", &g.una), bench.WirePin("m_sample_nxt", &g.nxt), bench.WirePin("m_pop_budget", &g.budget),
		},
		Begin: g.begin, Early: true, State: g.text,
	})
	return g, err
}

// readyAt is the first cycle in which events are taken.
func (g *golden) readyAt() uint64 { return g.resetAt + 2 + uint64(g.p.Sweep()) }

// back returns the events of a number of cycles ago.
func (g *golden) back(cycles uint64) *events {
	return &g.came[(g.f.Cycle-cycles)&uint64(len(g.came)-1)]
}

// dueReady reports whether a turn is taken.
func (g *golden) dueReady(n *bench.Now) bool { return n.Ready && g.places > 0 && g.yield&63 != 63 }

// begin is a cycle.
func (g *golden) begin(n *bench.Now) {
	n.Sample()
	g.wires.flushes.ReadFields(n.In, &g.flushing)
	if n.Known {
		g.show(n)
	}
	g.take(n)
	switch {
	case n.Acting:
		g.clear()
	case n.Known:
		g.process(n)
	}
	if n.Known && !n.Ready {
		g.early(n)
	}
	g.nows = [2]uint64{g.inputs.Now, g.set.Stall}
	if n.Rst {
		g.resetAt = n.Cycle
	}
}

// early counts events that come before the unit is ready, also in the cycle in which a reset acts.
func (g *golden) early(n *bench.Now) {
	x, k := &g.wires, uint64(0)
	for _, on := range []bool{x.enters.On(n.In), x.releases.On(n.In), x.dones.On(n.In), x.acks.On(n.In), x.windows.On(n.In)} {
		if on {
			k++
		}
	}
	n.CountN(params.CountNotReady, k, 2)
	if !g.f.Bare {
		g.hit(ptEarly, k > 0)
	}
}

// take remembers what comes in this cycle.
func (g *golden) take(n *bench.Now) {
	x, set, e := &g.wires, &g.set, g.back(0)
	*e = events{}
	x.enters.ReadFields(n.In, &e.entered)
	e.ev, e.now = g.inputs.EV, g.inputs.Now
	e.quantum, e.flying, e.goBackN, e.force, e.initWindow = set.Quantum, set.Flight, set.GoBackN, set.FlushForce, set.InitWindow
	if !n.Ready {
		return
	}
	e.enter = x.enters.On(n.In)
	e.release, e.done = x.releases.Poll(n.In, &e.left), x.dones.Poll(n.In, &e.ended)
	e.window = x.windows.Poll(n.In, &e.opened)
	if e.ack = x.acks.Poll(n.In, &e.acked); e.ack {
		e.ackPSN = g.unit.Named(e.acked.PSN, e.acked.NAK)
	}
}

// clear is the cycle in which a reset acts: all that came before it is gone.
func (g *golden) clear() {
	if !g.f.Bare {
		g.coverReset()
	}
	now := *g.back(0)
	clear(g.came)
	*g.back(0) = events{now: now.now, ev: now.ev, quantum: now.quantum, flying: now.flying, goBackN: now.goBackN, force: now.force, initWindow: now.initWindow}
	g.unit.Settings.InitWindow = now.initWindow
	g.unit.Reset()
	g.places, g.yield, g.scanAt = params.Pops, 0, 0
	g.ackLooks, g.winLooks, g.pops, g.popping = nil, nil, nil, nil
	g.begun, g.age, g.over, g.over2 = 0, 0, false, false
	g.opens, g.firsts, g.openCount, g.room, g.shown, g.pushValid, g.pushLast = nil, nil, 0, false, false, false, false
	g.flush = flush{forced: now.force}
}

// process runs a cycle. Views come first: they see the state written before it.
func (g *golden) process(n *bench.Now) {
	x := &g.wires
	e := g.back(0)
	f := &g.flush
	o := &g.now
	o.timeout, o.send, o.idle, o.over, o.again, o.overBytes, o.dropped = false, false, false, false, false, 0, 0
	f.flushCycle = flushCycle{}
	if !n.Ready {
		e.clear, e.clearConn = clearWindow, uint32(int64(g.readyAt()-1-n.Cycle)/g.p.Ring)
	}
	if f.clear != 0 {
		for i, on := range []bool{x.windows.On(n.In), x.acks.On(n.In), x.releases.On(n.In), x.enters.On(n.In)} {
			if bit := 1 << i; f.clear&bit != 0 && !on {
				e.clear |= bit
				e.clearConn = g.flushing.Conn & g.mask
			}
		}
	}
	if f.state == flEnd && !x.dones.On(n.In) {
		e.end, f.endTaken, e.ended.Conn = true, true, g.flushing.Conn&g.mask
	}
	g.choose(n)
	g.views()

	g.look(n)
	open := g.turn(n)
	first := g.stored(n)
	g.visit(n)
	g.released(n)
	g.acked(n)
	g.windows(n)
	g.ring()
	g.push(n, first, open)
	g.time(n)
	g.flushes(n)
	if !g.f.Bare {
		g.cover(n)
	}
}

// views updates the views of connections.
func (g *golden) views() {
	if e := g.back(1); (e.release || e.clear&clearSent != 0) && g.unit.Legal(g.relOf(e)) {
		s, _ := g.unit.State(g.relOf(e))
		e.in, e.una = s.In, g.unit.Una(g.relOf(e))
	}
	if e := g.back(2); e.enter || e.clear&clearStored != 0 {
		c := e.clearConn
		if e.enter {
			c = e.entered.Conn
		}
		s, _ := g.unit.State(c)
		e.nxt, e.seen = s.Sent.Nxt, s
	}
	if e := g.back(1 + g.lat); e.ack && g.unit.Legal(e.acked.Conn) {
		s, _ := g.unit.State(e.acked.Conn)
		e.sent, e.restart = s.Sent, s.Restart
	}
	if e := g.back(3 + g.lat); e.ack && g.unit.Legal(e.acked.Conn) {
		s, _ := g.unit.State(e.acked.Conn)
		e.sent.Nxt = s.Sent.Nxt
	}
	if e := g.back(4); e.done && g.unit.Legal(e.ended.Conn) {
		e.gone = g.unit.Gone(e.ended.Conn)
	}
	if e := g.back(0); e.op != opNone && g.unit.Legal(e.opConn) {
		e.flight = g.unit.Flight(e.opConn)
	}
}

// relOf is the connection that the lane of packets that leave is about.
func (g *golden) relOf(e *events) uint32 {
	if e.release {
		return e.left.Conn
	}
	return e.clearConn
}

// show writes what the registers show.
func (g *golden) show(n *bench.Now) {
	if g.dueReady(n) {
		n.Raise(&g.wires.dueReady)
	}
	if g.flush.ready {
		n.Raise(&g.wires.flushReady)
	}
	if g.pushValid {
		g.pushes.EmitAfter(n, &params.Push{Conn: g.pushAt}, 0)
	}
	if len(g.pops) == 0 {
		return
	}
	// A budget says something only if packets are not discarded.
	p := &g.pops[0]
	g.visits.EmitAfter(n, &params.Pop{Conn: p.conn, Budget: p.budget, Discard: p.discard}, 0)
	if p.discard {
		_, care := n.Later(0)
		g.budget.Clear(care)
	}
}

// text describes the lanes.
func (g *golden) text([]uint64) string {
	return fmt.Sprintf("\nlooks %v and %v, %d places, pops %v; to the pacer %v and %v, %d shown %t; flush %+v; scan at %d",
		g.ackLooks, g.winLooks, g.places, g.pops, g.firsts, g.opens, g.pushAt, g.pushValid, g.flush, g.scanAt)
}
