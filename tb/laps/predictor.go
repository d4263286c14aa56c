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

// part is the golden side of a part of the pipeline, with vectors of its own.
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

// clear readies the vectors for a cycle.
func (p *part) clear() {
	clear(p.in)
	clear(p.want)
	clear(p.care)
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

// wires lead from fields of a vector to fields of another one.
type wires []move

// add leads from a field to another one; of different widths the narrower counts.
func (l *wires) add(from, to field) {
	a, b := from.at(), to.at()
	for n := min(from.bits, to.bits); n > 0; {
		k := min(n, 64-a%64, 64-b%64)
		*l = append(*l, move{a / 64, b / 64, uint8(a % 64), uint8(b % 64), ^uint64(0) >> (64 - k)})
		a, b, n = a+k, b+k, n-k
	}
}

// carry copies the bits from a vector to another in which they are zero.
func (l wires) carry(from, to []uint64) {
	for i := range l {
		m := &l[i]
		to[m.to] |= from[m.from] >> (m.fromShift & 63) & m.mask << (m.toShift & 63)
	}
}

// predictor is the golden models of the parts in a chain, behind the unit's ports. In
// each cycle, the path tables show what they have to say; the picker and the loss
// detector step with that, then the path tables with the pick, then rate control with
// the operands.
type predictor struct {
	bench.Golden
	p    *params.Params
	pins *pins
	l    *cosim.Layout

	since   int64   // cycles since the last reset
	resets  [2]bool // rst in the two cycles before, the last one first
	refused [2]bool // a packet was dropped in them
	dropped uint64  // packets, as counted
	counted bool    // a reset has cleared that counter
	delay   int64   // of them until everything is ready

	paths, pick, rate, loss *part // loss: nil if there is none
	shower                  interface{ Show(want, care []uint64) }

	inPaths, inPick, inRate, inLoss wires // from the unit's inputs
	candPick                        wires // from the path tables
	pathsRate, pathsLoss            wires
	pickPaths                       wires
	packet, ack, answer             wires // to the path tables, if that is taken
	outputs                         [4]wires

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
	x, err := newPins(l)
	if err != nil {
		return nil, err
	}
	parts := p.Parts()
	r := &predictor{p: p, pins: x, l: l, Golden: bench.NewGolden(l, len(points(p)), bare), delay: p.ReadyDelay()}
	if r.paths, err = newPart(tblapspaths.Unit, parts.Paths); err != nil {
		return nil, err
	}
	if r.pick, err = newPart(tblapspick.Unit, parts.Pick); err != nil {
		return nil, err
	}
	if r.rate, err = newPart(tblapsrate.Unit, parts.Rate); err != nil {
		return nil, err
	}
	if p.Loss {
		if r.loss, err = newPart(tblapsloss.Unit, parts.Loss); err != nil {
			return nil, err
		}
	}
	r.shower = r.paths.Predictor.(interface{ Show(want, care []uint64) })
	r.connect(parts)
	r.cover = newCover(p, r.Reached)
	return r, nil
}

// connect makes the wires.
func (r *predictor) connect(parts params.Parts) {
	p, l := r.p, r.l
	paths, pick, rate := r.paths.l, r.pick.l, r.rate.l
	to := func(list *wires, from *cosim.Layout, a string, dst *cosim.Layout, b string) {
		list.add(whole(from, a), whole(dst, b))
	}
	same := func(list *wires, dst *cosim.Layout, names ...string) {
		for _, n := range names {
			to(list, l, n, dst, n)
		}
	}
	tag, flow, seq, lat := p.Tables.TagBits, p.Rate.FlowBits, p.Detector.SeqBits, p.Tables.LatBits

	same(&r.inPaths, paths, "rst", "now_ns", "s_packet_dst", "s_route_pid", "s_cfg_op", "s_cfg_pid", "s_cfg_dst", "s_cfg_scale",
		"s_cfg_latency", "s_cfg_base", "s_cfg_anchors", "cfg_beta")
	same(&r.inPick, pick, "rst", "s_seed_valid", "s_seed_word")
	same(&r.inRate, rate, "rst", "now_ns", "s_open_flow", "cfg_max_rate", "cfg_min_rate", "cfg_stages")
	for i, n := range []string{"valid", "id", "usable", "latency"} {
		to(&r.candPick, paths, "m_cand_"+n, pick, []string{"s_pick_valid", "s_pick_tag", "s_pick_usable", "s_pick_latency"}[i])
	}
	for i, n := range []string{"valid", "tag", "index", "none"} {
		to(&r.pickPaths, pick, "m_pick_"+n, paths, []string{"s_pick_valid", "s_pick_id", "s_pick_index", "s_pick_none"}[i])
	}
	for i, n := range []string{"valid", "tag", "usable", "latency"} {
		to(&r.pathsRate, paths, "m_rate_"+n, rate, []string{"s_ack_valid", "s_ack_flow", "s_ack_usable", "s_ack_latency_ns"}[i])
	}
	if p.Tables.Baselines == lapspaths.Longest {
		to(&r.pathsRate, paths, "m_rate_max_base", rate, "s_ack_max_base_ns")
	} else {
		to(&r.pathsRate, paths, "m_rate_base", rate, "s_ack_base_ns")
	}
	for _, n := range []string{"pid", "delay_ns"} {
		to(&r.ack, l, "s_ack_"+n, paths, "s_ack_"+n)
		to(&r.answer, l, "s_answer_"+n, paths, "s_ack_"+n)
	}
	to(&r.inPaths, l, "s_ack_flow", paths, "s_ack_tag")
	inTag, outTag := whole(paths, "s_packet_tag"), whole(paths, "m_path_tag")
	place := p.SegmentBits()
	r.inPaths.add(whole(l, "s_packet_tag"), inTag.cut(place, tag))

	// What the parts show is seen at the unit's ports.
	show := func(i int, part *cosim.Layout, names ...string) {
		for _, n := range names {
			r.outputs[i].add(whole(part, n), whole(l, n))
		}
	}
	show(0, paths, "m_path_valid", "m_path_none", "m_path_pid", "m_path_anchors", "m_probe_valid", "m_probe_pid", "m_probe_dst", "m_route_valid")
	r.outputs[0].add(outTag.cut(place, tag), whole(l, "m_path_tag"))
	r.outputs[0].add(whole(paths, "evt_illegal"), whole(l, "evt_paths_illegal"))
	if p.Tables.StateProtection == lapspaths.Parity {
		show(0, paths, "evt_corrupt_set", "evt_corrupt_path")
	}
	show(2, rate, "m_rate_valid", "m_rate_flow", "m_rate_cause", "m_rate_current", "m_rate_expected")
	r.outputs[2].add(whole(rate, "evt_illegal"), whole(l, "evt_rate_illegal"))

	r.pPacket, r.pRoute, r.pMeasured = whole(paths, "s_packet_valid"), whole(paths, "s_route_valid"), whole(paths, "s_ack_valid")
	r.pProbe, r.pCfg = whole(paths, "s_ack_probe"), whole(paths, "s_cfg_valid")
	r.pHold, r.pCfgReady, r.pRouteReady = whole(paths, "sts_hold"), whole(paths, "s_cfg_ready"), whole(paths, "s_route_ready")
	r.pPath, r.pNone, r.pOperands = whole(paths, "m_path_valid"), whole(paths, "m_path_none"), whole(paths, "m_rate_valid")
	r.rOpen, r.rOpenReady = whole(rate, "s_open_valid"), whole(rate, "s_open_ready")

	layouts := map[string]*cosim.Layout{"paths": paths, "pick": pick, "rate": rate}
	index := map[string]int{"paths": 0, "pick": 1, "rate": 2, "loss": 3}
	if r.loss != nil {
		loss := r.loss.l
		layouts["loss"] = loss
		same(&r.inLoss, loss, "rst", "now_ns", "s_ack_pid", "s_ack_flow", "s_ack_seq", "m_lost_ready", "cfg_rto_min_ns")
		r.inPaths.add(whole(l, "s_packet_seq"), inTag.cut(0, seq))
		r.inPaths.add(whole(l, "s_packet_flow"), inTag.cut(seq, flow))
		r.inPaths.add(whole(l, "s_packet_track"), inTag.cut(seq+flow, 1))
		to(&r.pathsLoss, paths, "m_path_pid", loss, "s_send_pid")
		r.pathsLoss.add(outTag.cut(0, seq), whole(loss, "s_send_seq"))
		r.pathsLoss.add(outTag.cut(seq, flow), whole(loss, "s_send_flow"))
		to(&r.pathsLoss, paths, "m_path_latency", loss, "s_send_latency_ns")
		r.pTracked = outTag.cut(seq+flow, 1)
		show(3, loss, "m_send_valid", "m_send_stored", "m_ack_valid", "m_ack_pid", "m_ack_flow", "m_ack_seq", "m_ack_cause",
			"m_lost_valid", "m_lost_pid", "m_lost_flow", "m_lost_seq", "m_lost_timeout")
		r.lSend, r.lAck, r.lAckReady = whole(loss, "s_send_valid"), whole(loss, "s_ack_valid"), whole(loss, "s_ack_ready")
		r.lAckLatency = whole(loss, "s_ack_latency_ns").cut(0, lat)
		r.lFlow, r.lSeq = whole(loss, "s_send_flow"), whole(loss, "s_send_seq")
	}
	for _, c := range p.Counters() {
		i := index[c.Part]
		r.outputs[i].add(whole(layouts[c.Part], "sts_"+c.Name+"_cnt"), whole(l, c.Port))
		r.counters = append(r.counters, whole(l, c.Port))
	}
}

// set raises a single bit.
func (f *field) set(v []uint64, on bool) {
	if on {
		f.Raise(v)
	}
}

// Step implements cosim.Predictor.
func (r *predictor) Step(in, want, care []uint64) {
	x, paths, pick, rate, loss := r.pins, r.paths, r.pick, r.rate, r.loss
	rst := x.rst.On(in)
	ready := r.Known && r.since >= r.delay
	paths.clear()
	rate.clear()
	clear(pick.in)
	r.shower.Show(paths.want, paths.care)

	r.inPick.carry(in, pick.in)
	r.candPick.carry(paths.want, pick.in)
	pick.step()

	// An ACK is taken if an answer, the path tables and the loss detector let it.
	answer, ack := x.answer.On(in), x.ack.On(in)
	slot := ready && (r.p.Tables.AckLookup == lapspaths.Own || !x.packet.On(in)) && !r.pHold.On(paths.want)
	room := true
	if loss != nil {
		loss.clear()
		r.inLoss.carry(in, loss.in)
		r.pathsLoss.carry(paths.want, loss.in)
		r.lAckLatency.PutBits(loss.in, 0, r.lAckLatency.bits, r.latency(int32(x.ackDelay.Get(in))))
		r.lSend.set(loss.in, r.pPath.On(paths.want) && !r.pNone.On(paths.want) && r.pTracked.Pin.Bits(paths.want, r.pTracked.first, 1) == 1)
		r.lAck.set(loss.in, ack && slot && !answer)
		loss.step()
		room = r.lAckReady.On(loss.want)
	}

	r.inPaths.carry(in, paths.in)
	if ready { // in the cycle after a reset there may still be a pick from before
		r.pickPaths.carry(pick.want, paths.in)
	}
	r.pPacket.set(paths.in, ready && x.packet.On(in))
	r.pRoute.set(paths.in, ready && x.route.On(in))
	r.pCfg.set(paths.in, ready && x.cfg.On(in))
	r.pMeasured.set(paths.in, ready && (answer || ack && room))
	if answer {
		r.pProbe.Raise(paths.in)
		r.answer.carry(in, paths.in)
	} else {
		r.ack.carry(in, paths.in)
	}
	paths.step()

	r.inRate.carry(in, rate.in)
	r.pathsRate.carry(paths.want, rate.in)
	r.rOpen.set(rate.in, ready && x.open.On(in))
	rate.step()

	if r.refused[1] {
		r.dropped++
	}
	if r.resets[1] {
		r.dropped, r.counted = 0, true
	}
	if r.Known {
		r.show(want, care, ready, slot, slot && !answer && room)
		if !r.Bare {
			r.cover.cycle(r, in, want, ready, rst, room)
		}
		r.count(in, want, rst)
	}
	r.resets = [2]bool{rst, r.resets[0]}
	r.refused = [2]bool{x.packet.On(in) && !ready && !rst, r.refused[0]}
	switch {
	case rst:
		r.Known, r.since = true, 1
	default:
		r.since++
	}
	r.Cycle++
}

// latency is a delay as the loss detector wants it.
func (r *predictor) latency(delay int32) uint64 {
	return uint64(min(max(int64(delay), 0), int64(1)<<r.p.Tables.LatBits-1))
}

// show writes what the unit shows.
func (r *predictor) show(want, care []uint64, ready, answerReady, ackReady bool) {
	x := r.pins
	for i, p := range []*part{r.paths, r.pick, r.rate, r.loss} {
		if p != nil {
			r.outputs[i].carry(p.want, want)
			r.outputs[i].carry(p.care, care)
		}
	}
	if r.counted {
		x.notReady.Put(want, r.dropped)
		x.notReady.Put(care, ^uint64(0))
	}
	for _, y := range []struct {
		pin *bench.Pin
		on  bool
	}{
		{&x.ready, ready}, {&x.answerReady, answerReady}, {&x.ackReady, ackReady},
		{&x.routeReady, ready && r.pRouteReady.On(r.paths.want)}, {&x.cfgReady, ready && r.pCfgReady.On(r.paths.want)},
		{&x.openReady, ready && r.rOpenReady.On(r.rate.want)},
	} {
		y.pin.Raise(care)
		if y.on {
			y.pin.Raise(want)
		}
	}
}

// count counts what is taken in a cycle.
func (r *predictor) count(in, want []uint64, rst bool) {
	x := r.pins
	if rst || !x.ready.On(want) {
		return
	}
	if x.packet.On(in) {
		r.Accepted++
	}
	for _, y := range []struct{ valid, ready *bench.Pin }{
		{&x.ack, &x.ackReady}, {&x.answer, &x.answerReady}, {&x.cfg, &x.cfgReady}, {&x.route, &x.routeReady}, {&x.open, &x.openReady},
	} {
		if y.valid.On(in) && y.ready.On(want) {
			r.Accepted++
		}
	}
}

// Explain implements cosim.Predictor: what the parts say.
func (r *predictor) Explain(in []uint64) string {
	var b strings.Builder
	fmt.Fprintf(&b, "cycle %d, %d cycles after the last reset, ready from %d on", r.Cycle, r.since, r.delay)
	for _, p := range []struct {
		name string
		part *part
	}{{"path tables", r.paths}, {"picker", r.pick}, {"rate control", r.rate}, {"loss detector", r.loss}} {
		if p.part != nil {
			fmt.Fprintf(&b, "\n%s: %s", p.name, strings.ReplaceAll(p.part.Explain(p.part.in), "\n", "\n  "))
		}
	}
	return b.String()
}
