// SPDX-License-Identifier: Apache-2.0

package lapspaths

import (
	"fmt"
	"strings"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/laps_paths"
	model "github.com/nicgen/nicgen/model/laps_paths"
	"github.com/nicgen/nicgen/tb/bench"
)

// Delays between the design's stages that the model has to keep, in cycles.
const (
	ringDelay   = 11 // from a packet to the first pick that finds its rows
	anchorDelay = 4  // from a pick to the first change whose anchors it does not see
)

// Bits of bench.Now.Offered and On, in the order of the contract's events.
const (
	onACK = 1 << iota
	onChange
	onPacket
	onPick
	onRoute
)

// cycle holds the events taken in a cycle, and their results.
type cycle struct {
	now, beta uint64
	change    model.Change
	do        bool // the change is to be carried out
	packet    bool
	dst       uint32
	tag       uint64
	ackTag    uint64
	keep      bool // the write bus is kept free for this packet

	cand  bool
	legal bool
	id    uint32
	found model.Candidates

	pick, route bool
	none, known bool // known: the model knows which path it is
	pathTag     uint64
	pid         uint32
	latency     uint32
	latencyOK   bool
}

// waiting is a packet whose pick may come.
type waiting struct {
	known, legal bool
	tag          uint64
	rows         [32]uint16
}

// golden are the path tables behind their contract.
type golden struct {
	f    *bench.Frame
	p    *params.Params
	m    *model.Tables
	time params.Time

	op, beta, hold bench.Pin // s_cfg_op, cfg_beta, sts_hold
	cands          bench.Out[params.Candidates]
	probes         bench.Out[params.Probe]
	chosen         bench.Out[params.Path]
	found          bench.Out[params.Routed]
	rates          bench.Out[params.Operands]

	ring     [32]cycle // by cycle, modulo 32
	wait     [32]waiting
	id       uint32
	written  []bool // by path: its anchors are known
	measured []bool // by path: its latency was written since the reset
	marked   []bool // by destination: a probe waits
	kept     uint64 // cycles since a packet for which the write bus was kept free, up to HoldEvery

	read       model.Operands    // of the ACK of a cycle
	operands   params.Operands   // the same, as it is shown
	candidates params.Candidates // of the packet of a cycle
	cover      *cover
}

func newPredictor(p *params.Params, l *cosim.Layout, bare bool) (cosim.Predictor, error) {
	g := &golden{
		p: p, m: model.New(p), written: make([]bool, p.Paths()), measured: make([]bool, p.Paths()), marked: make([]bool, p.Destinations),
	}
	corrupt := make([]bench.Pin, 3) // the pulses and the counter: the golden model has no wrong bits
	bind := []bench.Binder{
		bench.WirePin("s_cfg_op", &g.op), bench.WirePin("cfg_beta", &g.beta), bench.WirePin("sts_hold", &g.hold),
		bench.Emits(params.Cands, &g.cands), bench.Emits(params.Probes, &g.probes), bench.Emits(params.Chosen, &g.chosen),
		bench.Emits(params.Found, &g.found), bench.Emits(params.Rates, &g.rates),
	}
	if p.StateProtection == params.Parity {
		for i := range corrupt {
			bind = append(bind, bench.WirePin(params.CorruptPorts[i], &corrupt[i]))
		}
	}
	f, err := bench.NewFrame(unitName, l, len(points(p)), bare, bench.Model{
		Holds:    g,
		Contract: p.Contract(), Ambient: bench.Into(params.TimePorts, &g.time),
		Rules: []bench.Rule{
			bench.On(params.ACKs, g.ack, func(e *params.ACK) string { return g.path(e.PID) }).When(g.takesACK),
			bench.On(params.Changes, g.configure, func(e *params.Change) string { return g.path(e.PID) }).When(g.takesChange),
			bench.On(params.Packets, g.packet),
			bench.On(params.Picks, g.pick),
			bench.On(params.Routes, g.route, func(e *params.Route) string { return g.path(e.PID) }),
		},
		Bind: bind, Reset: g.reset, Begin: g.begin, End: g.end, State: g.state,
	})
	if err != nil {
		return nil, err
	}
	f.Always(append(corrupt, g.hold)...)
	g.f, g.cover = f, newCover(p, f.Reached)
	return f, nil
}

func (g *golden) at(n *bench.Now, back uint64) *cycle { return &g.ring[(n.Cycle-back)&31] }

func (g *golden) reset() {
	g.m.Reset()
	g.ring = [32]cycle{}
	g.wait = [32]waiting{}
	g.id = 0
	clear(g.measured)
	if g.p.StateProtection == params.Parity { // anchors are overwritten with the rest
		clear(g.written)
	}
	clear(g.marked)
	g.kept = params.HoldEvery
	g.cover.reset()
}

// begin makes the candidates of a packet available to its pick, and answers picks with the anchors of this
// cycle, both in the stages in which the design does.
func (g *golden) begin(n *bench.Now) {
	cur := g.at(n, 0)
	*cur = cycle{}
	cur.now = g.time.Now
	g.at(n, params.BetaDelay).beta = g.beta.Get(n.In)
	if c := g.at(n, ringDelay); c.cand {
		g.wait[c.id] = waiting{known: true, legal: c.legal, tag: c.tag, rows: c.found.Rows}
	}
	if c := g.at(n, anchorDelay); c.pick || c.route {
		g.show(n, c)
	}
	if !n.Ready || n.Rst {
		return
	}
	if c := g.at(n, params.MarkDelay); c.cand && c.legal {
		g.marked[c.dst] = c.found.Wait
	}
	g.kept = min(g.kept+1, params.HoldEvery)
}

// holds reports whether the write bus is reserved for a probe in this cycle.
func (g *golden) holds(n *bench.Now) bool { return g.at(n, params.WriteWindow).keep }

func (g *golden) takesACK(n *bench.Now) bool {
	return (g.p.AckLookup == params.Own || n.Offered&onPacket == 0) && !g.holds(n)
}

// writes reports whether the operation on the port, valid or not, needs the write bus.
func (g *golden) writes(n *bench.Now) bool { return g.op.Get(n.In) == params.OpPath }

func (g *golden) takesChange(n *bench.Now) bool { return !g.holds(n) || !g.writes(n) }

func (g *golden) ack(n *bench.Now, e *params.ACK) bool {
	cur := g.at(n, 0)
	cur.change = model.Change{Op: model.Ack, Pid: e.PID, Delay: int64(int32(e.Delay))}
	if e.Probe {
		cur.change.Op = model.Answer
	}
	cur.ackTag = e.Tag
	g.change(n, cur)
	return true
}

func (g *golden) configure(n *bench.Now, e *params.Change) bool {
	cur := g.at(n, 0)
	cur.change = model.Change{
		Op: model.Op(e.Op), Pid: e.PID, Dst: e.Dst, Delay: int64(e.Latency), Base: e.Base, Scale: model.UnpackScale(uint64(e.Scale)),
	}
	if e.Op == params.OpPath {
		cur.change.Anchors = append(cur.change.Anchors, e.Anchors[:g.p.Anchors]...)
	}
	g.change(n, cur)
	return true
}

// change takes a change, which execute carries out later, and shows the increments of the model's counters.
func (g *golden) change(n *bench.Now, cur *cycle) {
	c, was := &cur.change, g.m.Count
	outcome := g.m.Take(c)
	if cur.do = outcome == model.Done; cur.do && c.Op == model.Path {
		g.written[c.Pid] = true
	}
	is := &g.m.Count
	n.CountN(params.CountACK, is.Ack-was.Ack, params.CountDelay)
	n.CountN(params.CountAnswer, is.Answer-was.Answer, params.CountDelay)
	n.CountN(params.CountStray, is.Stray-was.Stray, params.CountDelay)
	n.CountN(params.CountConfig, is.Config-was.Config, params.CountDelay)
	if is.Illegal != was.Illegal {
		n.CountIllegal()
	}
	if !g.f.Bare {
		g.cover.change(c, outcome)
	}
}

func (g *golden) packet(n *bench.Now, e *params.Packet) bool {
	cur := g.at(n, 0)
	cur.packet, cur.dst, cur.tag = true, e.Dst, e.Tag
	n.Count(params.CountPacket, true)
	switch {
	case !g.m.LegalDst(e.Dst):
		return false
	case g.marked[e.Dst] && g.kept == params.HoldEvery:
		cur.keep, g.kept = true, 0
		want, _ := n.Later(params.WriteWindow)
		g.hold.Raise(want)
	case g.marked[e.Dst] && !g.f.Bare:
		g.f.Reached[ptHoldRests]++
	}
	return true
}

func (g *golden) pick(n *bench.Now, e *params.Pick) bool {
	cur, w := g.at(n, 0), &g.wait[e.ID]
	cur.pick, cur.none, cur.known = true, e.None, w.known && w.legal
	cur.pathTag, cur.pid = w.tag, e.Index<<g.p.RowBits()|uint32(w.rows[e.Index&31])
	return true
}

func (g *golden) route(n *bench.Now, e *params.Route) bool {
	cur := g.at(n, 0)
	cur.pid, cur.route = e.PID, g.m.LegalPath(e.PID)
	cur.known = cur.route
	return cur.route
}

// end executes the cycle of WriteWindow cycles ago: whether the present cycle writes is known by now.
func (g *golden) end(n *bench.Now) {
	cur := g.at(n, 0)
	if !g.f.Bare {
		g.coverTaken(n, cur)
	}
	if n.Cycle >= params.WriteWindow {
		g.execute(n, g.at(n, params.WriteWindow), cur)
	}
	if c := cur; g.p.PathLatency && (c.pick || c.route) && c.known && g.measured[c.pid] {
		s, _ := g.m.State(c.pid)
		c.latency, c.latencyOK = s.Latency, true
		if !g.f.Bare {
			g.cover.latency(c, g.at(n, params.WriteWindow), n.Cycle)
		}
	}
}

// execute carries out the events that were taken in cycle c; cur is the present cycle.
func (g *golden) execute(n *bench.Now, c, cur *cycle) {
	m, at := g.m, n.Cycle-params.WriteWindow
	m.Begin(at)
	if !g.f.Bare {
		g.cover.before(m, c, at)
	}
	if c.do {
		m.Do(&c.change, c.now, c.beta)
		if c.change.Writes() {
			g.measured[c.change.Pid] = true
		}
		if c.change.Op == model.Ack {
			m.Rate(c.change.Dst, &g.read)
			g.showRate(n, c)
		}
	}
	if !c.packet {
		return
	}
	was := m.Count
	c.cand, c.id = true, g.id
	g.id = (g.id + 1) & 31
	c.legal = m.Packet(c.dst, c.now, !(cur.do && cur.change.Writes()), &c.found)
	const after = params.CandLatency + 1 - params.WriteWindow
	is := &m.Count
	n.CountN(params.CountNoPath, is.NoPath-was.NoPath, after)
	n.CountN(params.CountProbe, is.Probe-was.Probe, after)
	n.CountN(params.CountProbeWait, is.ProbeWait-was.ProbeWait, after)
	// The packet was counted when it was taken; the difference is 0 if the model counts it, too.
	n.CountN(params.CountPacket, is.Packet-was.Packet-1, after)
	illegal := is.Illegal - was.Illegal
	if !c.legal {
		illegal--
	}
	n.CountN(params.CountIllegal, illegal, after)
	g.showCandidates(n, c)
	if !g.f.Bare {
		g.cover.packet(m, c, at)
	}
}

// all marks a field of which every bit counts.
const all = ^uint32(0)

// showCandidates answers a packet.
func (g *golden) showCandidates(n *bench.Now, c *cycle) {
	const after = params.CandLatency - params.WriteWindow
	f, a := &c.found, &g.candidates
	a.ID, a.Usable, a.Latency = c.id, f.Usable, f.Weight
	g.cands.EmitLanes(n, a, f.Usable, after)
	if f.Probe >= 0 {
		g.probes.EmitAfter(n, &params.Probe{PID: uint32(f.Probe), Dst: c.dst}, after)
	}
}

// showRate shows the operands of an ACK.
func (g *golden) showRate(n *bench.Now, c *cycle) {
	o := &g.read
	a := &g.operands
	a.Tag, a.Dst, a.Usable, a.Latency, a.Base, a.MaxBase = c.ackTag, c.change.Dst, o.Usable, o.Latency, o.Base, o.Longest
	g.rates.EmitLanes(n, a, o.Usable, params.RateLatency-params.WriteWindow)
}

// show answers a pick or a route request, with the anchors of this cycle.
func (g *golden) show(n *bench.Now, c *cycle) {
	const after = params.PathLatency - anchorDelay
	var a, count params.Path
	if c.known {
		a.PID, count.PID = c.pid, all
		if g.written[c.pid] {
			copy(a.Anchors[:], g.m.Anchors(c.pid))
			count.Anchors = [len(a.Anchors)]uint32{all, all, all, all, all, all, all, all}
			if last := g.at(n, 1); !g.f.Bare && last.do && last.change.Op == model.Path && last.change.Pid == c.pid {
				g.f.Reached[ptAnchorsNew]++
			}
		}
	}
	if c.latencyOK {
		a.Latency, count.Latency = c.latency, all
	}
	if c.route {
		count.None = g.p.StateProtection == params.Parity
		g.found.EmitAfter(n, &params.Routed{}, after)
		g.chosen.Fields(n, &a, &count, after)
		return
	}
	a.None, count.None = c.none, true
	if c.known {
		a.Tag, count.Tag = c.pathTag, ^uint64(0)
	}
	g.chosen.EmitSome(n, &a, &count, after)
}

// coverTaken covers the handshakes of a cycle.
func (g *golden) coverTaken(n *bench.Now, cur *cycle) {
	h := g.f.Reached
	on := func(bits uint32) bool { return n.Offered&bits == bits }
	switch {
	case !n.Ready && !n.Rst:
		if n.Offered&(onPacket|onACK|onChange) != 0 {
			h[ptNotReady]++
		}
		if on(onPacket | onPick) {
			h[ptNotReadyTwo]++
		}
		return
	case !n.Ready:
		return
	case n.Rst:
		h[ptReset]++
		return
	}
	hold, ack, change := g.holds(n), on(onACK), on(onChange)
	waits := n.On&onACK == 0
	g.cover.taken(cur, n.Illegal, on(onACK|onPacket) && waits, on(onACK|onChange), on(onPick|onRoute), on(onRoute) && !on(onPick) && !cur.route)
	late := hold && g.writes(n)
	g.cover.held(hold, hold && ack, hold && change && !ack && !late, late && !ack && change)
}

// path describes a path.
func (g *golden) path(pid uint32) string {
	if !g.m.LegalPath(pid) {
		return fmt.Sprintf("there are only %d paths", g.p.Paths())
	}
	s, owner := g.m.State(pid)
	return fmt.Sprintf("of destination %d, %v", owner, s)
}

// state describes the packets whose candidates are shown in this cycle or the last one.
func (g *golden) state([]uint64) string {
	var b strings.Builder
	for back := uint64(params.CandLatency); back <= params.CandLatency+1; back++ {
		c := &g.ring[(g.f.Cycle-back)&31]
		if !c.cand {
			continue
		}
		fmt.Fprintf(&b, "\npacket of %d cycles ago at %d ns to destination %d: usable %#x, expired %#x, held %#x, probed path %d",
			back, c.now, c.dst, c.found.Usable, c.found.Expired, c.found.Held, c.found.Probe)
		if !c.legal {
			continue
		}
		for bank, row := range g.m.Set(c.dst) {
			if row >= 0 {
				fmt.Fprintf(&b, "\n  bank %d row %d, at present: %s", bank, row, g.path(uint32(bank)<<g.p.RowBits()|uint32(row)))
			}
		}
	}
	return b.String()
}
