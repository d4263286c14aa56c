// SPDX-License-Identifier: Apache-2.0

package laps

import (
	"fmt"
	"strings"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/laps"
	lapspaths "github.com/nicgen/nicgen/gen/laps_paths"
	"github.com/nicgen/nicgen/tb/bench"
	tblapsloss "github.com/nicgen/nicgen/tb/laps_loss"
	tblapspaths "github.com/nicgen/nicgen/tb/laps_paths"
	tblapspick "github.com/nicgen/nicgen/tb/laps_pick"
	tblapsrate "github.com/nicgen/nicgen/tb/laps_rate"
)

// part is the golden side of a part of the pipeline, with its own vectors. It is a frame, which writes all
// of want and care.
type part struct {
	cosim.Predictor
	l              *cosim.Layout
	in, want, care []uint64
}

func newPart[P bench.Params](u *bench.Unit[P], cfg P) (*part, error) {
	l, err := bench.LayoutOf(cfg.Ports())
	if err != nil {
		return nil, err
	}
	p, err := u.Predictor(cfg, l, true)
	if err != nil {
		return nil, err
	}
	return &part{p, l, make([]uint64, l.InWords), make([]uint64, l.OutWords), make([]uint64, l.OutWords)}, nil
}

// step lets the cycle happen.
func (p *part) step() { p.Step(p.in, p.want, p.care) }

// field is some bits of a port.
type field struct {
	bench.Pin
	first, bits int
}

// whole is all of a port of a layout.
func whole(l *cosim.Layout, name string) field {
	s := l.MustSlot(name)
	return field{bench.Pin{Word: s.Word, Shift: uint(s.Shift), Mask: s.Mask(), Bit: 1 << s.Shift}, 0, int(s.Width)}
}

// cut is some bits of it, from first on.
func (f field) cut(first, bits int64) field { f.first, f.bits = int(first), int(bits); return f }

// at is the place of its lowest bit in a vector.
func (f field) at() int { return 64*int(f.Word) + int(f.Shift) + f.first }

// move copies bits of one word to one word.
type move struct {
	from, to           int
	fromShift, toShift uint8
	mask               uint64
}

// lines lead from fields of a vector to fields of another one.
type lines []move

// add leads from a field to another one; of different widths the narrower counts.
func (l *lines) add(from, to field) {
	a, b := from.at(), to.at()
	for n := min(from.bits, to.bits); n > 0; {
		k := min(n, 64-a%64, 64-b%64)
		*l = append(*l, move{a / 64, b / 64, uint8(a % 64), uint8(b % 64), ^uint64(0) >> (64 - k)})
		a, b, n = a+k, b+k, n-k
	}
}

// carry copies the bits from a vector to another in which they are zero.
func (l lines) carry(from, to []uint64) {
	for i := range l {
		m := &l[i]
		to[m.to] |= from[m.from] >> (m.fromShift & 63) & m.mask << (m.toShift & 63)
	}
}

// golden is the golden models of the parts in a chain, behind the unit's ports. In
// each cycle, the path tables show what they have to say; the picker and the loss
// detector step with that, then the path tables with the pick, then rate control with
// the operands.
type golden struct {
	cosim.Modelled
	bench.Golden
	p        *params.Params
	x        wires
	l        *cosim.Layout
	ackDelay bench.Pin

	since   int64   // cycles since the last reset
	resets  [2]bool // rst in the two cycles before, the last one first
	refused [2]bool // a packet was dropped in them
	dropped uint64  // packets, as counted
	counted bool    // a reset has cleared that counter
	delay   int64   // of them until everything is ready

	paths, pick, rate, loss *part        // loss: nil without a detector
	tables                  *bench.Frame // of paths: some of its outputs are inputs of the others

	inPaths, inPick, inRate, inLoss lines // from the unit's inputs
	candPick                        lines // from the path tables
	pathsRate, pathsLoss            lines
	pickPaths                       lines
	ack, answer                     lines // to the path tables, if that is taken
	outputs                         [4]lines

	pPacket, pRoute, pMeasured, pProbe, pCfg field // of the path tables
	pHold, pCfgReady, pRouteReady            field
	pPath, pNone, pTracked, pOperands        field
	rOpen, rOpenReady                        field
	lSend, lAck, lAckReady, lAckLatency      field
	lFlow, lSeq                              field
	counters                                 []field // of the unit

	cover *cover
}

func newPredictor(p *params.Params, l *cosim.Layout, bare bool) (cosim.Predictor, error) {
	parts := p.Parts()
	g := &golden{p: p, l: l, Golden: bench.NewGolden(l, len(points(p)), bare), delay: p.ReadyDelay()}
	err := g.x.bind(p, l)
	if err != nil {
		return nil, err
	}
	g.ackDelay = bench.NewPorts(unitName, l).Pin("s_ack_delay_ns")
	if g.paths, err = newPart(tblapspaths.Unit, parts.Paths); err != nil {
		return nil, err
	}
	if g.pick, err = newPart(tblapspick.Unit, parts.Pick); err != nil {
		return nil, err
	}
	if g.rate, err = newPart(tblapsrate.Unit, parts.Rate); err != nil {
		return nil, err
	}
	if p.Loss {
		if g.loss, err = newPart(tblapsloss.Unit, parts.Loss); err != nil {
			return nil, err
		}
	}
	g.tables = g.paths.Predictor.(*bench.Frame)
	g.connect(parts)
	g.cover = newCover(p, g.Reached)
	return g, nil
}

// connect makes the wires.
func (g *golden) connect(parts params.Parts) {
	p, l := g.p, g.l
	paths, pick, rate := g.paths.l, g.pick.l, g.rate.l
	to := func(list *lines, from *cosim.Layout, a string, dst *cosim.Layout, b string) {
		list.add(whole(from, a), whole(dst, b))
	}
	same := func(list *lines, dst *cosim.Layout, names ...string) {
		for _, n := range names {
			to(list, l, n, dst, n)
		}
	}
	tag, flow, seq, lat := p.Tables.TagBits, p.Rate.FlowBits, p.Detector.SeqBits, p.Tables.LatBits

	same(&g.inPaths, paths, "rst", "now_ns", "s_packet_dst", "s_route_pid", "s_cfg_op", "s_cfg_pid", "s_cfg_dst", "s_cfg_scale",
		"s_cfg_latency", "s_cfg_base", "s_cfg_anchors", "cfg_beta")
	same(&g.inPick, pick, "rst", "s_seed_valid", "s_seed_word")
	same(&g.inRate, rate, "rst", "now_ns", "s_open_flow", "cfg_max_rate", "cfg_min_rate", "cfg_stages")
	for i, n := range []string{"valid", "id", "usable", "latency"} {
		to(&g.candPick, paths, "m_cand_"+n, pick, []string{"s_pick_valid", "s_pick_tag", "s_pick_usable", "s_pick_latency"}[i])
	}
	for i, n := range []string{"valid", "tag", "index", "none"} {
		to(&g.pickPaths, pick, "m_pick_"+n, paths, []string{"s_pick_valid", "s_pick_id", "s_pick_index", "s_pick_none"}[i])
	}
	for i, n := range []string{"valid", "tag", "usable", "latency"} {
		to(&g.pathsRate, paths, "m_rate_"+n, rate, []string{"s_ack_valid", "s_ack_flow", "s_ack_usable", "s_ack_latency_ns"}[i])
	}
	if p.Tables.Baselines == lapspaths.Longest {
		to(&g.pathsRate, paths, "m_rate_max_base", rate, "s_ack_max_base_ns")
	} else {
		to(&g.pathsRate, paths, "m_rate_base", rate, "s_ack_base_ns")
	}
	for _, n := range []string{"pid", "delay_ns"} {
		to(&g.ack, l, "s_ack_"+n, paths, "s_ack_"+n)
		to(&g.answer, l, "s_answer_"+n, paths, "s_ack_"+n)
	}
	to(&g.inPaths, l, "s_ack_flow", paths, "s_ack_tag")
	inTag, outTag := whole(paths, "s_packet_tag"), whole(paths, "m_path_tag")
	place := p.SegmentBits()
	g.inPaths.add(whole(l, "s_packet_tag"), inTag.cut(place, tag))

	// The parts' outputs appear at the unit's ports.
	show := func(i int, part *cosim.Layout, names ...string) {
		for _, n := range names {
			g.outputs[i].add(whole(part, n), whole(l, n))
		}
	}
	show(0, paths, "m_path_valid", "m_path_none", "m_path_pid", "m_path_anchors", "m_probe_valid", "m_probe_pid", "m_probe_dst", "m_route_valid")
	g.outputs[0].add(outTag.cut(place, tag), whole(l, "m_path_tag"))
	g.outputs[0].add(whole(paths, "evt_illegal"), whole(l, "evt_paths_illegal"))
	if p.Tables.StateProtection == lapspaths.Parity {
		show(0, paths, "evt_corrupt_set", "evt_corrupt_path")
	}
	show(2, rate, "m_rate_valid", "m_rate_flow", "m_rate_cause", "m_rate_current", "m_rate_expected")
	g.outputs[2].add(whole(rate, "evt_illegal"), whole(l, "evt_rate_illegal"))

	g.pPacket, g.pRoute, g.pMeasured = whole(paths, "s_packet_valid"), whole(paths, "s_route_valid"), whole(paths, "s_ack_valid")
	g.pProbe, g.pCfg = whole(paths, "s_ack_probe"), whole(paths, "s_cfg_valid")
	g.pHold, g.pCfgReady, g.pRouteReady = whole(paths, "sts_hold"), whole(paths, "s_cfg_ready"), whole(paths, "s_route_ready")
	g.pPath, g.pNone, g.pOperands = whole(paths, "m_path_valid"), whole(paths, "m_path_none"), whole(paths, "m_rate_valid")
	g.rOpen, g.rOpenReady = whole(rate, "s_open_valid"), whole(rate, "s_open_ready")

	layouts := map[string]*cosim.Layout{"paths": paths, "pick": pick, "rate": rate}
	index := map[string]int{"paths": 0, "pick": 1, "rate": 2, "loss": 3}
	if g.loss != nil {
		loss := g.loss.l
		layouts["loss"] = loss
		same(&g.inLoss, loss, "rst", "now_ns", "s_ack_pid", "s_ack_flow", "s_ack_seq", "m_lost_ready", "cfg_rto_min_ns")
		g.inPaths.add(whole(l, "s_packet_seq"), inTag.cut(0, seq))
		g.inPaths.add(whole(l, "s_packet_flow"), inTag.cut(seq, flow))
		g.inPaths.add(whole(l, "s_packet_track"), inTag.cut(seq+flow, 1))
		to(&g.pathsLoss, paths, "m_path_pid", loss, "s_send_pid")
		g.pathsLoss.add(outTag.cut(0, seq), whole(loss, "s_send_seq"))
		g.pathsLoss.add(outTag.cut(seq, flow), whole(loss, "s_send_flow"))
		to(&g.pathsLoss, paths, "m_path_latency", loss, "s_send_latency_ns")
		g.pTracked = outTag.cut(seq+flow, 1)
		show(3, loss, "m_send_valid", "m_send_stored", "m_ack_valid", "m_ack_pid", "m_ack_flow", "m_ack_seq", "m_ack_cause",
			"m_lost_valid", "m_lost_pid", "m_lost_flow", "m_lost_seq", "m_lost_timeout")
		g.lSend, g.lAck, g.lAckReady = whole(loss, "s_send_valid"), whole(loss, "s_ack_valid"), whole(loss, "s_ack_ready")
		g.lAckLatency = whole(loss, "s_ack_latency_ns").cut(0, lat)
		g.lFlow, g.lSeq = whole(loss, "s_send_flow"), whole(loss, "s_send_seq")
	}
	for _, c := range p.Counters() {
		i := index[c.Part]
		g.outputs[i].add(whole(layouts[c.Part], "sts_"+c.Name+"_cnt"), whole(l, c.Port))
		g.counters = append(g.counters, whole(l, c.Port))
	}
}

// set raises a single bit.
func (f *field) set(v []uint64, on bool) {
	if on {
		f.Raise(v)
	}
}

// Step implements cosim.Predictor.
func (g *golden) Step(in, want, care []uint64) {
	x, paths, pick, rate, loss := &g.x, g.paths, g.pick, g.rate, g.loss
	rst := x.rst.On(in)
	ready := g.Known && g.since >= g.delay
	clear(paths.in)
	clear(pick.in)
	clear(rate.in)
	g.tables.Show(paths.want, paths.care)

	g.inPick.carry(in, pick.in)
	g.candPick.carry(paths.want, pick.in)
	pick.step()

	// An ACK is taken if an answer, the path tables and the loss detector let it.
	answer, ack := x.answers.On(in), x.acks.On(in)
	slot := ready && (g.p.Tables.AckLookup == lapspaths.Own || !x.packets.On(in)) && !g.pHold.On(paths.want)
	room := true
	if loss != nil {
		clear(loss.in)
		g.inLoss.carry(in, loss.in)
		g.pathsLoss.carry(paths.want, loss.in)
		g.lAckLatency.PutBits(loss.in, 0, g.lAckLatency.bits, g.latency(int32(g.ackDelay.Get(in))))
		g.lSend.set(loss.in, g.pPath.On(paths.want) && !g.pNone.On(paths.want) && g.pTracked.Pin.Bits(paths.want, g.pTracked.first, 1) == 1)
		g.lAck.set(loss.in, ack && slot && !answer)
		loss.step()
		room = g.lAckReady.On(loss.want)
	}

	g.inPaths.carry(in, paths.in)
	if ready { // in the cycle after a reset there may still be a pick from before
		g.pickPaths.carry(pick.want, paths.in)
	}
	g.pPacket.set(paths.in, ready && x.packets.On(in))
	g.pRoute.set(paths.in, ready && x.routes.On(in))
	g.pCfg.set(paths.in, ready && x.changes.On(in))
	g.pMeasured.set(paths.in, ready && (answer || ack && room))
	if answer {
		g.pProbe.Raise(paths.in)
		g.answer.carry(in, paths.in)
	} else {
		g.ack.carry(in, paths.in)
	}
	paths.step()

	g.inRate.carry(in, rate.in)
	g.pathsRate.carry(paths.want, rate.in)
	g.rOpen.set(rate.in, ready && x.opens.On(in))
	rate.step()

	if g.refused[1] {
		g.dropped++
	}
	if g.resets[1] {
		g.dropped, g.counted = 0, true
	}
	if g.Known {
		g.show(want, care, ready, slot, slot && !answer && room)
		if !g.Bare {
			g.cover.cycle(g, in, want, ready, rst, room)
		}
		g.count(in, want, rst)
	}
	g.resets = [2]bool{rst, g.resets[0]}
	g.refused = [2]bool{x.packets.On(in) && !ready && !rst, g.refused[0]}
	switch {
	case rst:
		g.Known, g.since = true, 1
	default:
		g.since++
	}
	g.Cycle++
}

// latency is a delay as the loss detector wants it.
func (g *golden) latency(delay int32) uint64 {
	return uint64(min(max(int64(delay), 0), int64(1)<<g.p.Tables.LatBits-1))
}

// show writes a copy of the unit's state.
func (g *golden) show(want, care []uint64, ready, answerReady, ackReady bool) {
	x := &g.x
	for i, p := range []*part{g.paths, g.pick, g.rate, g.loss} {
		if p != nil {
			g.outputs[i].carry(p.want, want)
			g.outputs[i].carry(p.care, care)
		}
	}
	if g.counted {
		x.notReady.Put(want, g.dropped)
		x.notReady.Put(care, ^uint64(0))
	}
	for _, y := range []struct {
		pin *bench.Pin
		on  bool
	}{
		{&x.ready, ready}, {&x.answerReady, answerReady}, {&x.ackReady, ackReady},
		{&x.routeReady, ready && g.pRouteReady.On(g.paths.want)}, {&x.changeReady, ready && g.pCfgReady.On(g.paths.want)},
		{&x.openReady, ready && g.rOpenReady.On(g.rate.want)},
	} {
		y.pin.Raise(care)
		if y.on {
			y.pin.Raise(want)
		}
	}
}

// count counts the events taken in a cycle.
func (g *golden) count(in, want []uint64, rst bool) {
	x := &g.x
	if rst || !x.ready.On(want) {
		return
	}
	if x.packets.On(in) {
		g.Accepted++
	}
	for _, y := range []bool{
		x.acks.On(in) && x.ackReady.On(want), x.answers.On(in) && x.answerReady.On(want), x.changes.On(in) && x.changeReady.On(want),
		x.routes.On(in) && x.routeReady.On(want), x.opens.On(in) && x.openReady.On(want),
	} {
		if y {
			g.Accepted++
		}
	}
}

// Explain implements cosim.Predictor: what the parts say.
func (g *golden) Explain(in []uint64) string {
	var b strings.Builder
	fmt.Fprintf(&b, "cycle %d, %d cycles after the last reset, ready from %d on", g.Cycle, g.since, g.delay)
	for _, p := range []struct {
		name string
		part *part
	}{{"path tables", g.paths}, {"picker", g.pick}, {"rate control", g.rate}, {"loss detector", g.loss}} {
		if p.part != nil {
			fmt.Fprintf(&b, "\n%s: %s", p.name, strings.ReplaceAll(p.part.Explain(p.part.in), "\n", "\n  "))
		}
	}
	return b.String()
}
