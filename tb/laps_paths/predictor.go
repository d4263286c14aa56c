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

// Places of counters.
const (
	cPacket = iota
	cNoPath
	cProbe
	cProbeWait
	cAck
	cAnswer
	cStray
	cConfig
	cIllegal
	cNotReady
	counters
)

// cycle is what was taken in a cycle, and what comes of it.
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
	id    uint64
	found model.Candidates

	rate     bool
	rateDst  uint32
	operands model.Operands

	pick, route bool
	none, known bool // known: the model knows which path it is
	pathTag     uint64
	pid         uint32
	anchors     [8]uint32
	anchorsOK   bool
	latency     uint32
	latencyOK   bool

	early [counters]uint8 // counted CountDelay after
	late  [counters]uint8 // counted after the candidates
}

// waiting is a packet whose pick may come.
type waiting struct {
	known, legal bool
	tag          uint64
	rows         [32]uint16
}

// predictor is the golden model behind the unit's ports.
type predictor struct {
	bench.Golden
	p    *params.Params
	pins *pins
	m    *model.Tables

	shown   bool  // Show was called for this cycle
	ready   bool  // tables are emptied
	reset   bool  // rst was high in the cycle before
	cleared int64 // cycles since the reset
	clears  int64
	id      uint64

	ring     [32]cycle // by cycle, modulo 32
	wait     [32]waiting
	written  []bool // by path: its anchors are known
	measured []bool // by path: its latency was written since the reset
	marked   []bool // by destination: a probe waits
	kept     uint64 // cycles since a packet for which the write bus was kept free, up to HoldEvery

	cover *cover
}

func newPredictor(p *params.Params, l *cosim.Layout, bare bool) (cosim.Predictor, error) {
	x, err := newPins(l)
	if err != nil {
		return nil, err
	}
	r := &predictor{
		p: p, pins: x, m: model.New(p), Golden: bench.NewGolden(l, len(points(p)), bare),
		clears:   p.ReadyDelay() - 2,
		written:  make([]bool, p.Paths()),
		measured: make([]bool, p.Paths()), marked: make([]bool, p.Destinations),
	}
	r.cover = newCover(p, r.Reached)
	r.Always(append(x.counter[:], x.ready, x.hold, x.ackReady, x.cfgReady, x.routeReady, x.cand, x.probe, x.path, x.routed, x.rate, x.evtIllegal,
		x.corruptSet, x.corruptPath, x.corruptCount)...)
	return r, nil
}

func (r *predictor) at(back uint64) *cycle { return &r.ring[(r.Cycle-back)&31] }

// Show writes what a cycle's outputs are whatever its inputs: all but the ready of
// handshakes. Step, with the same want and care, adds those; without Show before it Step
// writes all. A predictor of a larger unit needs some outputs to know the inputs.
func (r *predictor) Show(want, care []uint64) {
	if r.Known && !r.shown {
		r.show(want, care)
	}
	r.shown = true
}

// Step implements cosim.Predictor. The unit registers rst: what a reset clears is clear
// from the second cycle after it on, and the events of its own cycle go no further.
func (r *predictor) Step(in, want, care []uint64) {
	x := r.pins
	r.Show(want, care)
	r.shown = false
	rst := x.rst.On(in)
	if r.reset {
		r.clear()
	}
	cur := r.at(0)
	*cur = cycle{}
	r.at(params.BetaDelay).beta = x.beta.Get(in)
	if r.Known {
		r.settle()
		r.take(in, want, cur, rst)
		if r.Cycle >= params.WriteWindow {
			r.execute(cur)
		}
		if c := cur; r.p.PathLatency && (c.pick || c.route) && c.known && r.measured[c.pid] {
			s, _ := r.m.State(c.pid)
			c.latency, c.latencyOK = s.Latency, true
			if !r.Bare {
				r.cover.latency(c, r.at(params.WriteWindow), r.Cycle)
			}
		}
	}
	if r.Known && !r.ready && !r.reset {
		r.cleared++
		r.ready = r.cleared == r.clears
	}
	r.reset = rst
	r.Cycle++
}

// clear is what a reset leaves.
func (r *predictor) clear() {
	r.m.Reset()
	r.Known, r.ready, r.cleared = true, false, 0
	r.ring = [32]cycle{}
	r.wait = [32]waiting{}
	r.id = 0
	clear(r.Want)
	clear(r.measured)
	if r.p.StateProtection == params.Parity { // anchors are overwritten with the rest
		clear(r.written)
	}
	clear(r.marked)
	r.kept = params.HoldEvery
	r.cover.reset()
}

// taking reports whether the unit is ready: not in the cycle after a reset either.
func (r *predictor) taking() bool { return r.ready && !r.reset }

// show writes what earlier cycles caused.
func (r *predictor) show(want, care []uint64) {
	x := r.pins
	early, late := r.at(params.CountDelay), r.at(params.CandLatency+1)
	for i := range x.counter {
		if n := early.early[i] + late.late[i]; n != 0 {
			x.counter[i].Add(r.Want, uint64(n))
		}
	}
	copy(want, r.Want)
	copy(care, r.Care)
	if r.taking() {
		x.ready.Raise(want)
	}
	if r.at(params.WriteWindow).keep {
		x.hold.Raise(want)
	}
	if early.early[cIllegal] != 0 {
		x.evtIllegal.Raise(want)
	}
	put := func(p *bench.Pin, v uint64) {
		p.Put(want, v)
		p.Put(care, ^uint64(0))
	}
	if c := r.at(params.CandLatency); c.cand {
		f := &c.found
		x.cand.Raise(want)
		put(&x.candID, c.id)
		put(&x.candUsable, uint64(f.Usable))
		for b := range int(r.p.Banks) {
			if f.Usable>>b&1 != 0 {
				x.candLatency.PutBits(want, b*params.WeightBits, params.WeightBits, uint64(f.Weight[b]))
				x.candLatency.PutBits(care, b*params.WeightBits, params.WeightBits, ^uint64(0))
			}
		}
		if f.Probe >= 0 {
			x.probe.Raise(want)
			put(&x.probePid, uint64(f.Probe))
			put(&x.probeDst, uint64(c.dst))
		}
	}
	if c := r.at(params.RateLatency); c.rate {
		o, n, each := &c.operands, int(r.p.LatBits), r.p.Baselines == params.EachOf
		x.rate.Raise(want)
		put(&x.rateTag, c.ackTag)
		put(&x.rateDst, uint64(c.rateDst))
		put(&x.rateUsable, uint64(o.Usable))
		for b := range int(r.p.Banks) {
			if o.Usable>>b&1 != 0 {
				x.rateLatency.PutBits(want, b*n, n, uint64(o.Latency[b]))
				x.rateLatency.PutBits(care, b*n, n, ^uint64(0))
				if each {
					x.rateBase.PutBits(want, b*n, n, uint64(o.Base[b]))
					x.rateBase.PutBits(care, b*n, n, ^uint64(0))
				}
			}
		}
		if !each {
			put(&x.rateMaxBase, uint64(o.Longest))
		}
	}
	if c := r.at(params.PathLatency); c.pick || c.route {
		if c.pick {
			x.path.Raise(want)
			put(&x.pathNone, flag(c.none))
		} else {
			x.routed.Raise(want)
			if r.p.StateProtection == params.Parity {
				put(&x.pathNone, 0)
			}
		}
		if c.known {
			if c.pick {
				put(&x.pathTag, c.pathTag)
			}
			put(&x.pathPid, uint64(c.pid))
		}
		if c.latencyOK {
			put(&x.pathLatency, uint64(c.latency))
		}
		if c.anchorsOK {
			for i := range int(r.p.Anchors) {
				x.anchors.PutBits(want, i*params.AnchorBits, params.AnchorBits, uint64(c.anchors[i]))
				x.anchors.PutBits(care, i*params.AnchorBits, params.AnchorBits, ^uint64(0))
			}
		}
	}
}

func flag(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// settle lets packets wait for their picks, and picks read anchors, in the cycle in
// which the design does.
func (r *predictor) settle() {
	if c := r.at(ringDelay); c.cand {
		r.wait[c.id] = waiting{known: true, legal: c.legal, tag: c.tag, rows: c.found.Rows}
	}
	if c := r.at(anchorDelay); (c.pick || c.route) && c.known && r.written[c.pid] {
		c.anchorsOK = true
		copy(c.anchors[:], r.m.Anchors(c.pid))
		if last := r.at(1); !r.Bare && last.do && last.change.Op == model.Path && last.change.Pid == c.pid {
			r.Reached[ptAnchorsNew]++
		}
	}
}

// take decides what the inputs of a cycle are; but for handshakes, in a cycle of
// reset they are lost.
func (r *predictor) take(in, want []uint64, cur *cycle, rst bool) {
	x, m := r.pins, r.m
	packet, ack, cfg := x.packet.On(in), x.ack.On(in), x.cfg.On(in)
	pick, route := x.pick.On(in), x.route.On(in)
	if !r.taking() {
		if !rst && (packet || ack || cfg) {
			r.Reached[ptNotReady]++
		}
		if !rst {
			cur.early[cNotReady] = uint8(flag(packet) + flag(pick))
			if packet && pick {
				r.Reached[ptNotReadyTwo]++
			}
		}
		return
	}
	hold := r.at(params.WriteWindow).keep
	takeAck := (r.p.AckLookup == params.Own || !packet) && !hold
	holdCfg := hold && model.Op(x.cfgOp.Get(in)) == model.Path
	if takeAck {
		x.ackReady.Raise(want)
	}
	if !ack && !holdCfg {
		x.cfgReady.Raise(want)
	}
	if !pick {
		x.routeReady.Raise(want)
	}
	if rst {
		r.Reached[ptReset]++
		return
	}
	cur.now = x.now.Get(in)
	if c := r.at(params.MarkDelay); c.cand && c.legal {
		r.marked[c.dst] = c.found.Wait
	}
	r.kept = min(r.kept+1, params.HoldEvery)
	before := m.Count
	c := &cur.change
	changed := true
	switch {
	case ack && takeAck:
		c.Op, c.Pid = model.Ack, uint32(x.ackPid.Get(in))
		if x.ackProbe.On(in) {
			c.Op = model.Answer
		}
		c.Delay = int64(int32(x.ackDelay.Get(in)))
		cur.ackTag = x.ackTag.Get(in)
	case cfg && !ack && !holdCfg:
		c.Op, c.Pid, c.Dst = model.Op(x.cfgOp.Get(in)), uint32(x.cfgPid.Get(in)), uint32(x.cfgDst.Get(in))
		c.Delay, c.Base = int64(x.cfgLatency.Get(in)), uint32(x.cfgBase.Get(in))
		c.Scale = model.UnpackScale(x.cfgScale.Get(in))
		if c.Op == model.Path {
			c.Anchors = make([]uint32, r.p.Anchors)
			for i := range c.Anchors {
				c.Anchors[i] = uint32(x.cfgAnchors.Bits(in, i*params.AnchorBits, params.AnchorBits))
			}
		}
	default:
		changed = false
	}
	if changed {
		r.Accepted++
		outcome := m.Take(c)
		cur.do = outcome == model.Done
		if cur.do && c.Op == model.Path {
			r.written[c.Pid] = true
		}
		if !r.Bare {
			r.cover.change(c, outcome)
		}
	}
	a := &m.Count
	cur.early[cAck], cur.early[cAnswer] = uint8(a.Ack-before.Ack), uint8(a.Answer-before.Answer)
	cur.early[cStray], cur.early[cConfig] = uint8(a.Stray-before.Stray), uint8(a.Config-before.Config)
	cur.early[cIllegal] = uint8(a.Illegal - before.Illegal)
	if packet {
		r.Accepted++
		cur.packet, cur.dst, cur.tag = true, uint32(x.packetDst.Get(in)), x.packetTag.Get(in)
		cur.early[cPacket] = 1
		switch {
		case !m.LegalDst(cur.dst):
			cur.early[cIllegal]++
		case r.marked[cur.dst] && r.kept == params.HoldEvery:
			cur.keep, r.kept = true, 0
		case r.marked[cur.dst] && !r.Bare:
			r.Reached[ptHoldRests]++
		}
	}
	switch {
	case pick:
		r.Accepted++
		w := &r.wait[x.pickID.Get(in)]
		b := x.pickIndex.Get(in)
		cur.pick, cur.none, cur.known = true, x.pickNone.On(in), w.known && w.legal
		cur.pathTag, cur.pid = w.tag, uint32(b)<<r.p.RowBits()|uint32(w.rows[b&31])
	case route:
		r.Accepted++
		cur.pid = uint32(x.routePid.Get(in))
		cur.route = m.LegalPath(cur.pid)
		cur.known = cur.route
		if !cur.route {
			cur.early[cIllegal]++
		}
	}
	if !r.Bare {
		r.cover.taken(cur, ack && packet && !takeAck, cfg && ack, route && pick, route && !pick && !cur.route)
		r.cover.held(hold, hold && ack, hold && cfg && !ack && !holdCfg, holdCfg && !ack && cfg)
	}
}

// execute carries out what was taken WriteWindow cycles before the present one, of
// which it must be known whether it writes.
func (r *predictor) execute(cur *cycle) {
	c, m := r.at(params.WriteWindow), r.m
	at := r.Cycle - params.WriteWindow
	m.Begin(at)
	if !r.Bare {
		r.cover.before(m, c, at)
	}
	if c.do {
		m.Do(&c.change, c.now, c.beta)
		if c.change.Writes() {
			r.measured[c.change.Pid] = true
		}
		if c.change.Op == model.Ack {
			c.rate, c.rateDst = true, c.change.Dst
			m.Rate(c.rateDst, &c.operands)
		}
	}
	if c.packet {
		before := m.Count
		c.cand, c.id = true, r.id
		r.id = (r.id + 1) & 31
		c.legal = m.Packet(c.dst, c.now, !(cur.do && cur.change.Writes()), &c.found)
		a := &m.Count
		c.late[cNoPath], c.late[cProbe] = uint8(a.NoPath-before.NoPath), uint8(a.Probe-before.Probe)
		c.late[cProbeWait] = uint8(a.ProbeWait - before.ProbeWait)
		// The packet was counted as it came: nothing more if the model counts it too.
		c.late[cPacket], c.late[cIllegal] = uint8(a.Packet-before.Packet)-1, uint8(a.Illegal-before.Illegal)
		if !c.legal {
			c.late[cIllegal]--
		}
		if !r.Bare {
			r.cover.packet(m, c, at)
		}
	}
}

// Explain implements cosim.Predictor: what is known of what is named in in.
func (r *predictor) Explain(in []uint64) string {
	x := r.pins
	var b strings.Builder
	fmt.Fprintf(&b, "cycle %d, now %d ns, ready %t", r.Cycle, x.now.Get(in), r.ready)
	for back := uint64(params.CandLatency); back <= params.CandLatency+1 && back <= r.Cycle; back++ {
		if c := r.at(back); c.cand {
			fmt.Fprintf(&b, "\npacket of %d cycles ago at %d ns to destination %d: usable %#x, expired %#x, held %#x, probed path %d",
				back, c.now, c.dst, c.found.Usable, c.found.Expired, c.found.Held, c.found.Probe)
			if !c.legal {
				continue
			}
			for bank, row := range r.m.Set(c.dst) {
				if row >= 0 {
					s, _ := r.m.State(uint32(bank)<<r.p.RowBits() | uint32(row))
					fmt.Fprintf(&b, "\n  bank %d row %d, at present: %v", bank, row, s)
				}
			}
		}
	}
	if c := r.at(params.RateLatency); c.rate && r.Cycle >= params.RateLatency {
		fmt.Fprintf(&b, "\nACK of %d cycles ago for path %d of destination %d", params.RateLatency, c.change.Pid, c.rateDst)
	}
	if c := r.at(params.PathLatency); c.pick || c.route {
		fmt.Fprintf(&b, "\npick or route request of %d cycles ago: path %d", params.PathLatency, c.pid)
	}
	return b.String()
}
