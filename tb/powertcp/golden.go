// SPDX-License-Identifier: Apache-2.0

package powertcp

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/powertcp"
	model "github.com/nicgen/nicgen/model/powertcp"
	"github.com/nicgen/nicgen/tb/bench"
)

// ringN is the number of cycles that are looked back; a power of two above the
// latency of a window.
const ringN = 128

// Bits of bench.Now.Offered and On.
const (
	onACK = 1 << iota
	onFlush
)

// Counters, by their place in names. Those that a variant does not have never count.
const (
	ctAck = iota
	ctFirst
	ctPath
	ctNoSample
	ctStaleHop
	ctExcess
	ctRateCode
	ctLow
	ctHigh
	ctInRTT
	ctFlush
	counters
)

var counterNames = [counters]string{"ack", "first", "path", "no_sample", "stale_hop", "excess", "rate_code",
	"clamp_low", "clamp_high", "in_rtt", "flush"}

// causeCounters are the counters of the causes; an illegal ACK is counted by the frame.
var causeCounters = [...]int{
	model.Updated: ctAck, model.First: ctFirst, model.Changed: ctPath, model.NoSample: ctNoSample, model.Stale: ctAck, model.WithinRTT: ctInRTT,
}

// pending is an ACK between its last beat and its window.
type pending struct {
	valid bool
	conn  uint32
	theta bool
	step  model.Step
}

// golden is the golden model behind the unit's ports.
type golden struct {
	p                          *params.Params
	m                          *model.Unit
	latency                    uint64        // last beat to window
	count                      [counters]int // by their order in the contract
	lanes                      int           // hops of a beat
	events                     int           // cycles from a beat to its counters
	theta, observes, telemetry bool
	cover                      *cover // nil: nobody counts

	ackConn, flushConn bench.Pin
	corrected          [2]bench.Pin
	rateReady          bench.Pin
	writes             bench.Wires[params.Write]
	write              params.Write
	windows            bench.Out[params.Window]
	answer             params.Window
	time               params.Time

	set   bench.History[params.Settings]
	delay [2][]uint64 // from the last beat to each setting: of an ACK with telemetry, and of one with a round-trip time
	pace  uint64      // to 1/τ for the pacing rate, of an ACK with telemetry; 0: that is no setting

	gate     gate
	held     bool       // an ACK or a flush of the cycle's connection would wait
	ack      model.Ack  // the ACK whose beats come in
	other    model.Ack  // that another beat of it says
	step     model.Step // of that ACK
	hops     [params.MaxHops]model.Hop
	queue    [ringN]pending
	answered model.Result // the last answer

	cycle     uint64 // the present one
	tableFree uint64 // first cycle in which the link-rate table can be written
}

func newPredictor(p *params.Params, l *cosim.Layout, bare bool) (cosim.Predictor, error) {
	return newFrame(p, l, bare)
}

func newFrame(p *params.Params, l *cosim.Layout, bare bool) (*bench.Frame, error) {
	g := &golden{p: p, m: model.New(p), latency: uint64(p.WindowLatency()), gate: newGate(p),
		lanes: int(p.Lanes()), events: p.EventLatency(), theta: p.Variant == params.Theta, observes: p.Observes(), telemetry: p.HasINT()}
	if g.latency >= ringN {
		return nil, fmt.Errorf("tb/powertcp: a window takes %d cycles, want fewer than %d", g.latency, ringN)
	}
	g.m.Settings = params.Settings{}
	for i, name := range counterNames {
		g.count[i] = slices.Index(p.CounterNames(), name)
	}
	g.delays()
	bind := []bench.Binder{
		bench.WirePin("s_ack_conn", &g.ackConn), bench.WirePin("s_flush_conn", &g.flushConn),
		bench.Emits(params.Windows, &g.windows), bench.Keeps(params.SettingPorts, &g.set, ringN),
	}
	if p.HasINT() {
		bind = append(bind, bench.WireIn(params.Writes, &g.writes), bench.WirePin("s_rate_ready", &g.rateReady))
	}
	if p.Protection == params.Triple {
		bind = append(bind, bench.WirePin("evt_corrected", &g.corrected[0]), bench.WirePin("sts_corrected_cnt", &g.corrected[1]))
	}
	conn := func(c uint32) string { return g.m.String(c) }
	f, err := bench.NewFrame(unitName, l, len(points(p)), bare, bench.Model{
		Holds:    g,
		Contract: p.Contract(),
		Ambient:  bench.Into(params.TimePorts, &g.time),
		Rules: []bench.Rule{
			bench.On(p.ACKs(), g.beat, func(e *params.ACK) string { return conn(e.Conn) }).When(g.takes),
			bench.On(params.Flushes, g.flush, func(e *params.Flush) string { return conn(e.Conn) }).When(g.flushes),
		},
		Bind:  bind,
		Reset: g.reset, ResetLast: true, Ahead: p.EventLatency(), Begin: g.begin, Early: true, State: g.state,
	})
	if err != nil {
		return nil, err
	}
	f.Always(g.corrected[:]...)
	if !bare {
		if g.cover, err = newCover(g, l, f.Reached); err != nil {
			return nil, err
		}
		f.AtEnd(g.cover.end)
	}
	return f, nil
}

// delays finds when each setting is read.
func (g *golden) delays() {
	fields := params.SettingPorts.Fields
	for k := range g.delay {
		g.delay[k] = make([]uint64, len(fields))
	}
	for i := range fields {
		port := fields[i].Port
		inverse := port == "cfg_inv_tau_m" || port == "cfg_inv_tau_e"
		theta := port == "cfg_theta_floor" || port == "cfg_inv_target"
		if g.p.HasINT() && !theta && !(inverse && g.p.Observes()) {
			g.delay[0][i] = uint64(g.p.SettingLatency(port))
		}
		if g.p.HasTheta() && !inverse {
			g.delay[1][i] = uint64(g.p.ThetaSettingLatency(port))
		}
	}
	if g.p.HasINT() && !g.p.Observes() {
		g.pace = uint64(g.p.PaceLatency())
	}
}

// reset drops the contents of the pipeline.
func (g *golden) reset() {
	g.m.Reset()
	g.gate.reset()
	for i := range g.queue {
		g.queue[i].valid = false
	}
	if g.cover != nil {
		g.cover.reset()
	}
}

// begin reads the settings, writes the link-rate table and answers an ACK.
func (g *golden) begin(n *bench.Now) {
	g.cycle = n.Cycle
	g.set.Note(n.In, n.Cycle)
	if g.telemetry {
		g.table(n)
	}
	if !n.Known {
		return
	}
	if q := &g.queue[(n.Cycle-g.latency)%ringN]; q.valid {
		g.window(n, q)
	}
	g.queue[n.Cycle%ringN].valid = false
	if g.cover != nil {
		g.cover.begin(n)
	}
}

// table writes the link-rate table, even while the unit is not ready: beats of the same cycle see it.
func (g *golden) table(n *bench.Now) {
	free := n.Cycle >= g.tableFree
	if free && n.Known {
		n.Raise(&g.rateReady)
	}
	e := &g.write
	if !g.writes.Read(n.In, e) {
		return
	}
	if g.cover != nil {
		g.cover.table(n, e, free)
	}
	if free {
		g.m.Links[e.Code] = model.LinkOf(e.Entry)
		g.tableFree = n.Cycle + 1 + uint64(g.p.RateHold())
	}
}

// takes reports whether a beat is taken.
func (g *golden) takes(n *bench.Now) bool {
	conn := &g.ackConn
	if n.Offered&onACK == 0 {
		conn = &g.flushConn
	}
	g.held = g.gate.holds(uint32(conn.Get(n.In)), n.Cycle)
	return g.gate.open || !g.held
}

// flushes reports whether a flush is taken, after takes.
func (g *golden) flushes(*bench.Now) bool { return !g.gate.open && !g.held }

func (g *golden) flush(n *bench.Now, e *params.Flush) bool {
	g.gate.flush(e.Conn, n.Cycle)
	if g.cover != nil {
		g.cover.flush(n, e.Conn)
	}
	ok := g.m.Flush(e.Conn)
	n.Count(g.count[ctFlush], ok)
	return ok
}

// header reads the part of an ACK that all of its beats share.
func (g *golden) header(a *model.Ack, e *params.ACK) {
	a.Conn, a.Path, a.Seq, a.SndNxt = e.Conn, e.Path, e.Seq, e.SndNxt
	if a.Theta = g.theta || e.Theta; a.Theta {
		a.RTTValid, a.RTT, a.Now = e.RTTValid, e.RTT, g.time.Now
		return
	}
	a.HopCnt = int(e.HopCnt)
	if a.RTTValid, a.RTT = false, 0; g.observes {
		a.RTTValid, a.RTT = e.RTTValid, e.RTT
	}
}

// same reports whether two beats belong to one ACK.
func same(a, b *model.Ack) bool {
	return a.Conn == b.Conn && a.Path == b.Path && a.Seq == b.Seq && a.SndNxt == b.SndNxt && a.Theta == b.Theta && a.HopCnt == b.HopCnt &&
		(a.Theta || a.RTTValid == b.RTTValid && a.RTT == b.RTT)
}

// beatsOf is the number of beats of an ACK.
func beatsOf(e *params.ACK) int {
	if e.Theta {
		return 1
	}
	return int(e.HopCnt)
}

// beat executes a beat of an ACK, up to the first use of a setting.
func (g *golden) beat(n *bench.Now, e *params.ACK) bool {
	k, last := g.gate.beat(e.Conn, beatsOf(e), n.Cycle)
	if k == 0 {
		g.header(&g.ack, e)
		if g.cover != nil {
			g.cover.taken(n, e.Conn)
		}
		g.step = g.m.Begin(&g.ack)
		if g.cover != nil {
			g.cover.header(n, &g.ack, &g.step)
		}
	} else if g.header(&g.other, e); !same(&g.other, &g.ack) { // not an ACK
		n.Lose()
		n.More()
		return true
	}
	var stale, unknown uint64
	for lane := range min(g.lanes, g.step.Count-k) {
		switch g.hop(n, e, lane, k+lane) {
		case model.HopStale:
			stale++
		case model.HopUnknown:
			unknown++
		}
	}
	if stale|unknown != 0 {
		n.CountN(g.count[ctStaleHop], stale, g.events)
		n.CountN(g.count[ctRateCode], unknown, g.events)
	}
	if !last {
		n.More()
		return true
	}
	q := &g.queue[n.Cycle%ringN]
	q.valid, q.conn, q.theta, q.step = true, g.ack.Conn, g.ack.Theta, g.step
	if g.cover != nil {
		g.cover.ack(n, &g.ack, &g.step)
	}
	if g.step.Excess {
		n.Count(g.count[ctExcess], true)
	}
	if g.step.Cause == model.Illegal {
		return false
	}
	n.Count(g.count[causeCounters[g.step.Cause]], true)
	return true
}

// hop executes hop i of an ACK, which is in a lane.
func (g *golden) hop(n *bench.Now, e *params.ACK, lane, i int) model.HopEvent {
	h := &g.hops[i]
	*h = model.Hop{Qlen: e.Qlen[lane], Tx: e.Bytes[lane], Time: e.Time[lane], Link: g.m.Links[e.Rate[lane]]}
	event := g.m.Hop(&g.step, i, h)
	if g.cover != nil {
		g.cover.hop(n, &g.ack, &g.step, i, h, e.Rate[lane], event)
	}
	return event
}

// window answers an ACK, with the settings that it has read.
func (g *golden) window(n *bench.Now, q *pending) {
	start, kind := n.Cycle-g.latency, 0
	if q.theta {
		kind = 1
	}
	mixed := g.set.Settle(&g.m.Settings, start, g.delay[kind])
	g.answered = g.m.Window(&q.step)
	a := &g.answered
	if mixed && g.pace != 0 && !q.theta && a.Cause != model.Illegal {
		s := g.set.At(start + g.pace)
		a.Rate = model.Pace(a.Window, model.Float{M: s.InvTauM | 1<<16, E: int(s.InvTauE)})
	}
	if g.cover != nil {
		g.cover.window(n, q, a)
	}
	g.answer = params.Window{Conn: q.conn, Bytes: a.Window, Rate: a.Rate, Norm: a.Norm, Power: a.Power, Hop: uint8(a.Hop), Cause: uint8(a.Cause)}
	g.windows.EmitAfter(n, &g.answer, 0)
	if a.Low {
		n.CountN(g.count[ctLow], 1, 1)
	}
	if a.High {
		n.CountN(g.count[ctHigh], 1, 1)
	}
}

// state describes the ACKs in the pipeline and the last answer.
func (g *golden) state([]uint64) string {
	var b strings.Builder
	for k := uint64(0); k <= g.latency && k <= g.cycle; k++ {
		q := &g.queue[(g.cycle-k)%ringN]
		switch {
		case !q.valid:
		case k == g.latency:
			fmt.Fprintf(&b, "\nanswer to connection %d: cause %d; after it: %s", q.conn, g.answered.Cause, g.m.String(q.conn))
		default:
			fmt.Fprintf(&b, "\nACK of %d cycles ago, connection %d: cause %d so far", k, q.conn, q.step.Cause)
		}
	}
	return b.String()
}
