// SPDX-License-Identifier: Apache-2.0

package lapspaths

import (
	"math/bits"

	params "github.com/nicgen/nicgen/gen/laps_paths"
	model "github.com/nicgen/nicgen/model/laps_paths"
	"github.com/nicgen/nicgen/tb/bench"
)

// cover counts situations.
type cover struct {
	p      *params.Params
	h      []uint64
	apart  *bench.Distances
	probes [8]probed // by cycle, modulo 8
	moved  []int32   // by path: its last destination, -1 for none
	last   []uint32  // by destination: the path probed last
	half   uint64
	mask   uint64
	dead   uint32
}

// probed is the probe of a cycle.
type probed struct {
	on     bool
	cycle  uint64
	dst    uint32
	pid    uint32
	undone bool
}

func newCover(p *params.Params, h []uint64) *cover {
	c := &cover{p: p, h: h, moved: make([]int32, p.Paths()), last: make([]uint32, p.Destinations),
		half: 1 << (p.TimeBits - 1), mask: 1<<p.TimeBits - 1, dead: 1<<p.LatBits - 1}
	c.apart = bench.NewDistances(kinds, distances, p.Destinations, h[ptDistance:])
	c.reset()
	return c
}

func (c *cover) reset() {
	for i := range c.moved {
		c.moved[i] = -1
	}
	clear(c.last)
	c.probes = [8]probed{}
}

// change looks at a change that was taken.
func (c *cover) change(x *model.Change, o model.Outcome) {
	h := c.h
	switch o {
	case model.Stray:
		h[ptStray]++
		return
	case model.Illegal:
		switch {
		case x.Op == model.List && uint64(x.Pid) < uint64(len(c.moved)):
			h[ptListUnwritten]++
		case x.Op == model.Ack || x.Op == model.Answer:
			h[ptIllegalAck]++
		case x.Op == model.Commit:
			h[ptIllegalDst]++
		case uint64(x.Pid) >= uint64(len(c.moved)):
			h[ptIllegalPath]++
		}
		return
	}
	switch x.Op {
	case model.Ack, model.Answer:
		if x.Op == model.Answer {
			h[ptAnswer]++
		}
		switch {
		case x.Delay == 0:
			h[ptAckZero]++
		case x.Delay < 0:
			h[ptAckNegative]++
		case x.Delay > int64(c.dead):
			h[ptAckLong]++
		case x.Delay == int64(c.dead):
			h[ptAckDead]++
		}
	case model.List:
		h[ptList]++
	case model.Commit:
		h[ptCommit]++
	case model.Path:
		h[ptPath]++
		if was := c.moved[x.Pid]; was >= 0 && was != int32(x.Dst) {
			h[ptPathMoves]++
		}
		c.moved[x.Pid] = int32(x.Dst)
	case model.Remove:
		h[ptRemove]++
	}
}

// taken looks at the other inputs of a cycle.
func (c *cover) taken(x *cycle, illegal int, ackWaits, cfgWaits, routeWaits, badRoute bool) {
	h := c.h
	if ackWaits {
		h[ptAckWaits]++
	}
	if cfgWaits {
		h[ptCfgWaits]++
	}
	if routeWaits {
		h[ptRouteWaits]++
	}
	if badRoute {
		h[ptIllegalRoute]++
	}
	switch {
	case x.pick && x.none:
		h[ptPickNone]++
	case x.pick && x.known:
		h[ptPick]++
	case x.route:
		h[ptRoute]++
	}
	if illegal >= 2 {
		h[ptIllegalTwo]++
	}
}

// held looks at a cycle in which the write bus is kept free: an ACK waits for that, a
// change that writes nothing does not, a path does.
func (c *cover) held(on, ack, passes, path bool) {
	if on {
		c.h[ptHold]++
	}
	switch {
	case ack:
		c.h[ptHoldAck]++
	case passes:
		c.h[ptHoldPasses]++
	case path:
		c.h[ptHoldPath]++
	}
}

// before looks at what a cycle finds; at is its number.
func (c *cover) before(m *model.Tables, x *cycle, at uint64) {
	h := c.h
	on, conn := [kinds]bool{}, [kinds]uint32{}
	if x.packet && m.LegalDst(x.dst) {
		on[kindPacket], conn[kindPacket] = true, x.dst
	}
	if x.do {
		dst := x.change.Dst
		writes, commit := x.change.Writes(), x.change.Op == model.Commit
		if writes || commit {
			kind := kindChange
			if commit {
				kind = kindCommit
			}
			on[kind], conn[kind] = true, dst
			if x.packet && x.dst == dst {
				h[ptChangeSame]++
			}
		}
		if commit {
			had, has := listed(m.Set(dst)), listed(m.Staged())
			switch {
			case had > 0 && has == 0:
				h[ptCommitEmpty]++
			case had > 0 && has > 0:
				h[ptCommitReplaces]++
			}
		}
		if x.change.Op == model.Path {
			pid := x.change.Pid
			if row := m.Set(dst)[pid>>c.p.RowBits()]; row == int32(pid&uint32(c.p.Rows-1)) {
				h[ptPathListed]++
			}
		}
		if writes {
			switch w := m.Weight(clamp(x.change.Delay, c.dead), m.Scale(dst), x.beta); {
			case w == 1<<params.WeightBits-1:
				h[ptWeightFull]++
			case w != 0:
				h[ptScaled]++
			}
			switch x.beta {
			case 0:
				h[ptBeta0]++
			case 1<<16 - 1:
				h[ptBetaMax]++
			}
		}
		if x.change.Op == model.List {
			switch T := m.StagedLongest(); {
			case m.Base(x.change.Pid) > T:
				h[ptBaseRaises]++
			case m.Base(x.change.Pid) < T:
				h[ptBaseBelow]++
			}
		}
		if x.change.Op == model.Ack {
			var T uint32
			for b, row := range m.Set(dst) {
				if row >= 0 {
					T = max(T, m.Base(uint32(b)<<c.p.RowBits()|uint32(row)))
				}
			}
			if listed(m.Set(dst)) > 0 && T != m.Longest(dst) {
				h[ptBaseOld]++
			}
			if m.Flying(dst) > 0 {
				h[ptRatePending]++
			}
			if listed(m.Set(dst)) > 1 {
				h[ptRateSeveral]++
			}
		}
		for i := range c.probes {
			p := &c.probes[i]
			k := at - p.cycle
			if !p.on || p.undone || p.dst != dst || k < 1 || k >= params.WriteWindow {
				continue
			}
			switch {
			case commit:
				h[ptUndoAll+k-1]++
				p.undone = true
			case writes && x.change.Pid>>c.p.RowBits() == p.pid>>c.p.RowBits():
				h[ptUndo+k-1]++
				p.undone = true
			}
		}
	}
	c.apart.Cycle(at, on[:], conn[:])
}

// latency looks at a pick or route request of a cycle, for a path whose latency is
// known; c is what was executed in it.
func (c *cover) latency(x, done *cycle, at uint64) {
	const back = 2 * params.WriteWindow
	if done.do && done.change.Writes() && done.change.Pid == x.pid {
		c.h[ptLatencyNew]++
	}
	if p := &c.probes[(at-back)&7]; p.on && p.cycle+back == at && p.pid == x.pid && !p.undone {
		c.h[ptLatencyProbe]++
	}
}

// packet looks at a packet that found its candidates.
func (c *cover) packet(m *model.Tables, x *cycle, at uint64) {
	h, f := c.h, &x.found
	if !x.legal {
		h[ptIllegalPacket]++
		return
	}
	switch n := bits.OnesCount32(f.Usable); {
	case n == 0:
		h[ptNoPath]++
	case n == int(c.p.Banks):
		h[ptAllPaths]++
	case n == 1:
		h[ptOnePath]++
	}
	for b, row := range m.Set(x.dst) {
		if row < 0 || f.Held>>b&1 != 0 {
			continue
		}
		s, _ := m.State(uint32(b)<<c.p.RowBits() | uint32(row))
		switch age := (x.now - s.Deadline) & c.mask; {
		case age == 0:
			h[ptExact]++
		case age == 1:
			h[ptNext]++
		case age >= c.half && age < c.half+c.half/2:
			h[ptAncient]++
		}
		if s.Deadline < x.now != ((x.now-s.Deadline)&c.mask != 0 && (x.now-s.Deadline)&c.mask < c.half) {
			h[ptTimeWrap]++
		}
	}
	if f.Wait {
		h[ptProbeWait]++
	}
	if x.keep && f.Probe >= 0 {
		h[ptHoldProbe]++
	}
	if x.keep && f.Probe < 0 {
		h[ptHoldVain]++
	}
	for i := range c.probes {
		p := &c.probes[i]
		k := at - p.cycle
		if !p.on || p.dst != x.dst || k < 1 || k > params.WriteWindow {
			continue
		}
		switch {
		case k == params.WriteWindow && !p.undone:
			h[ptLanded]++
		case k == params.WriteWindow:
		case p.undone:
			h[ptUndoneSeen]++
		default:
			h[ptHeld+k-1]++
			if f.Expired>>(p.pid>>c.p.RowBits())&1 != 0 {
				h[ptHeldAged+k-1]++
			}
		}
	}
	if f.Probe < 0 {
		c.probes[at&7].on = false
		return
	}
	due := f.Expired &^ f.Held
	if bits.OnesCount32(due) == 1 {
		h[ptProbe]++
	} else {
		h[ptProbeSeveral]++
		if uint32(f.Probe) < c.last[x.dst] {
			h[ptProbeRound]++
		}
	}
	c.last[x.dst] = uint32(f.Probe)
	if f.Saturate {
		h[ptProbeSaturates]++
	}
	if s, _ := m.State(uint32(f.Probe)); s.Latency == c.dead {
		h[ptProbeDead]++
	}
	c.probes[at&7] = probed{on: true, cycle: at, dst: x.dst, pid: uint32(f.Probe)}
}

// clamp is a delay as the banks hold it.
func clamp(delay int64, dead uint32) uint32 { return uint32(min(max(delay, 0), int64(dead))) }

// listed counts the rows of a set.
func listed(set []int32) (n int) {
	for _, row := range set {
		if row >= 0 {
			n++
		}
	}
	return n
}
