// SPDX-License-Identifier: Apache-2.0

package nicshim

import (
	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/nic_shim"
	model "github.com/nicgen/nicgen/model/nic_shim"
	"github.com/nicgen/nicgen/tb/bench"
)

// Coverage points, by index, in the order of the table in points.
const (
	ptOut    = iota         // of three subtypes
	ptRest   = iota + 2     // of two sizes: the last beat makes two
	ptFits   = ptRest + 2   // and it makes one
	ptSingle = ptFits + 2   // a frame of one beat that stays one
	ptIn     = ptSingle + 1 // of three subtypes
	ptLess   = ptIn + 3     // of two sizes: a beat less leaves
	ptSame   = ptLess + 2   // as many leave
	ptFirst  = ptSame + 2
)

const (
	ptUnknown = iota + ptFirst
	ptShort
	ptStall
	ptStallRest
	ptWait
	ptRow
	ptResetOut
	ptGap
	ptInRow
	ptInPlain
	ptEnd
	ptEndLong
	ptEndBad
	ptVersion
	ptInSubtype
	ptINTType
	ptCut
	ptEdge
	ptBad
	ptOther
	ptResetIn
)

// points lists the coverage points; those that a configuration cannot reach are not required.
func points(p *params.Params) []cosim.Point {
	var list bench.Points
	add := list.Add
	laps, telemetry := p.HasLAPS(), p.HasINT()
	add("out/laps", "a frame gets a shim of LAPS", laps)
	add("out/hpcc", "one of INT in HPCC's words", telemetry)
	add("out/int_md", "one of INT-MD", telemetry)
	add("out/rest/32", "the last beat of a frame makes two, with a shim of 32 bytes", laps)
	add("out/rest/48", "with one of 48", telemetry)
	add("out/fits/32", "the last beat, not the first, makes one, with a shim of 32 bytes", laps)
	add("out/fits/48", "with one of 48", telemetry)
	add("out/single", "a frame of one beat is one beat with its shim", true)
	add("in/laps", "a shim of LAPS is taken out", laps)
	add("in/hpcc", "one of INT in HPCC's words", telemetry)
	add("in/int_md", "one of INT-MD", telemetry)
	add("in/less/32", "a beat less leaves than came, with a shim of 32 bytes", laps)
	add("in/less/48", "with one of 48", telemetry)
	add("in/same/32", "as many leave as came, of a frame of several, with a shim of 32 bytes", laps)
	add("in/same/48", "with one of 48", telemetry)
	add("out/unknown", "a subtype that is not known", true)
	add("out/short", "a frame of fewer than 14 bytes should get a shim", true)
	add("out/stall", "a beat waits for tready", true)
	add("out/stall_rest", "the rest of a last beat waits for tready", true)
	add("out/wait", "a beat waits while a rest leaves", true)
	add("out/row", "a beat of the next frame is taken in the cycle after a rest has left", true)
	add("out/reset", "a reset in the middle of a frame with a shim", true)
	add("in/gap", "a beat without its shim waits for the next one", true)
	add("in/row", "a frame comes in the cycle after one whose rest leaves by itself", true)
	add("in/plain", "a frame without shim, of several beats", true)
	add("in/end", "a probe or an answer", laps)
	add("in/end_long", "one of several beats", laps)
	add("in/end_bad", "one of one beat that is bad", laps)
	add("in/version", "another version", true)
	add("in/subtype", "a subtype that is not known", true)
	add("in/type", "INT of type 2 or 3", telemetry)
	add("in/cut", "a shim that is cut off", true)
	add("in/edge", "the two bytes behind a shim are the last ones", true)
	add("in/bad", "a bad frame with a shim", true)
	add("in/other", "an EtherType that differs from that of shims in one byte", true)
	add("in/reset", "a reset in the middle of a frame with a shim", true)
	return list
}

// coverage holds the memory of the coverage points.
type coverage struct {
	rested uint64 // the cycle in which a rest left, to the network
	alone  uint64 // the cycle of the last beat of a frame from the network whose rest leaves alone
	last   uint64 // the cycle of the beat from the network before
}

// size is 0 for a shim of 32 bytes, 1 for one of 48.
func size(subtype int) int {
	if subtype == params.LAPS {
		return 0
	}
	return 1
}

// coverReset looks at a reset.
func (g *golden) coverReset() {
	hit := g.hit
	hit(ptResetOut, g.tx.inside && len(g.tx.made) > g.tx.left)
	hit(ptResetIn, g.rx.inside && g.kind == model.Removed)
}

// hit counts a point.
func (g *golden) hit(point int, is bool) {
	if is {
		g.f.Reached[point]++
	}
}

// coverOut looks at a cycle to the network, before it.
func (g *golden) coverOut(n *bench.Now, valid, taken bool) {
	v, b, hit := &g.cov, &g.beat, g.hit
	stalled := g.out.valid && !g.outs.Ready(n)
	hit(ptStall, stalled)
	hit(ptStallRest, stalled && g.rest.valid)
	hit(ptWait, !stalled && g.rest.valid && valid)
	hit(ptRow, taken && v.rested == n.Cycle-1)
	if !stalled && g.rest.valid {
		v.rested = n.Cycle
	}
	if !taken {
		return
	}
	first, last := !g.tx.inside, b.Last
	keep := b.Keep
	if first && g.put.On {
		subtype := int(g.put.Subtype)
		known := g.p.Size(subtype) > 0
		hit(ptUnknown, !known)
		hit(ptShort, known && keep>>13&1 == 0)
		if known && keep>>13&1 != 0 {
			hit(ptOut+subtype-1, true)
			hit(ptSingle, last && keep>>(params.DataBytes-g.p.Size(subtype))&1 == 0)
			hit(ptRest+size(subtype), last && keep>>(params.DataBytes-g.p.Size(subtype))&1 != 0)
		}
	}
	if !first && last && len(g.tx.made) > g.tx.left {
		more := keep>>(params.DataBytes-g.p.Size(g.shim.Subtype))&1 != 0
		hit(ptRest+size(g.shim.Subtype), more)
		hit(ptFits+size(g.shim.Subtype), !more)
	}
}

// coverIn looks at a beat from the network that was taken.
func (g *golden) coverIn(n *bench.Now, first, last, user bool) {
	v, hit, came := &g.cov, g.hit, g.rx.came
	const head = params.Addresses
	now := &g.ring[(n.Cycle+params.RemoveLatency)%8]
	s := &now.what.shim
	if first {
		hit(ptInRow, v.alone == n.Cycle-1 && n.Cycle > 0)
		if g.kind == model.Removed {
			hit(ptIn+s.Subtype-1, true)
			hit(ptEdge, len(came) == head+g.p.Size(s.Subtype)+2)
		}
		hit(ptEnd, g.kind == model.Ended)
		hit(ptEndLong, g.kind == model.Ended && !last)
		hit(ptEndBad, g.kind == model.Ended && last && user)
		if g.kind == model.Illegal && len(came) >= head+params.HeadBytes {
			subtype, version := int(came[head+3]&15), came[head+2]>>6
			known := g.p.Size(subtype) > 0
			hit(ptVersion, version != 0 && known)
			hit(ptInSubtype, version == 0 && !known)
			wrong := known && subtype != params.LAPS && came[head+2]>>5&1 != 0
			hit(ptINTType, version == 0 && wrong)
			hit(ptCut, version == 0 && known && !wrong)
		}
		if len(came) > head+1 {
			hit(ptOther, (uint16(came[head])<<8|uint16(came[head+1]))^g.typIn != 0 && (came[head] == byte(g.typIn>>8) || came[head+1] == byte(g.typIn)))
		}
	}
	hit(ptInPlain, g.kind == model.Plain && !first)
	if g.kind == model.Removed && g.rx.regular {
		hit(ptBad, last && user)
		hit(ptGap, !first && g.rx.left == 0 && n.Cycle-v.last > 1)
		if last {
			subtype := int(came[head+3] & 15)
			less := (len(came)-1)%params.DataBytes < g.gap && !first
			hit(ptLess+size(subtype), less)
			hit(ptSame+size(subtype), !less && !first)
			if !less {
				v.alone = n.Cycle
			}
		}
	}
	v.last = n.Cycle
}
