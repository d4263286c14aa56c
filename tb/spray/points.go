// SPDX-License-Identifier: Apache-2.0

package spray

import (
	"fmt"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/spray"
	model "github.com/nicgen/nicgen/model/spray"
	"github.com/nicgen/nicgen/tb/bench"
)

// Coverage points, by index, in the order of the table in points.
const (
	ptContinued = iota
	ptAtTimeout
	ptAboveTimeout
	ptFirst
	ptQuarterBefore
	ptAged
	ptForgotten
	ptFlowletShrunk
	ptTimeoutBeyond
	ptTurn
	ptTurnFull
	ptTurnShrunk
	ptOPS
	ptInjected
	ptECMP
	ptEVsOne
	ptEVsZero
	ptEVsAll
	ptEVsBeyond
	ptEVsOdd
	ptShared
	ptFlush
	ptFlushWaits
	ptACK
	ptMarked
	ptFail
	ptSeed
	ptSeedDraw
	ptQuarter
	ptJumpEarly
	ptJumpFar
	ptIllegalACK
	ptIllegalFail
	ptIllegalSend
	ptIllegalFlush
	ptIllegalTwo
	ptIllegalThree
	ptIllegalPort
	ptReset
	ptNotReady
	ptResetSweep
	ptDistance // first of the distances
)

// span is the largest distance between events of one entry that is counted, in cycles.
const span = params.SendLatency + 1

// Kinds of events whose distances are counted.
const (
	kindFlowlet = iota
	kindTurn
	kindFlush
	kindCount
)

var kinds = []string{"flowlet", "round_robin", "flush"}

// points lists the coverage points; those that a configuration cannot reach are not required.
func points(p *params.Params) []cosim.Point {
	fixed, one := p.FixedMode()
	has := func(mode uint64) bool { return !one || fixed == mode }
	flowlet, turn := has(params.ModeFlowlet), has(params.ModeRoundRobin)
	table := flowlet || turn
	few, small := p.Entries() <= 64, p.Entries() <= 1024
	bad := p.Connections != 1<<p.ConnBits
	ports := p.NICPorts&(p.NICPorts-1) != 0 || p.NICPorts == 1
	var l bench.Points
	l.Add("flowlet/continued", "a packet of the flowlet of the last one", flowlet)
	l.Add("flowlet/at_timeout", "a gap that is the timeout", flowlet)
	l.Add("flowlet/above_timeout", "a gap 1 ns above the timeout", flowlet)
	l.Add("flowlet/first", "the first packet after a reset or flush", flowlet)
	l.Add("flowlet/quarter_before", "a flowlet goes on from one quarter of the time to the next", flowlet && small)
	l.Add("flowlet/aged", "no packet for more than a quarter, and its time says so", flowlet && small)
	l.Add("flowlet/forgotten", "no packet for so long that the times alone would give a flowlet that goes on", flowlet && few)
	l.Add("flowlet/evs_shrunk", "a flowlet whose EV is no longer in use", flowlet && p.EVSBits > 1)
	l.Add("flowlet/timeout_beyond", "a packet with a timeout of a quarter of the time's range or more", flowlet)
	l.Add("round_robin/next", "the EV after the last one", turn)
	l.Add("round_robin/wrap", "EV 0 after all evs", turn && p.EVSBits > 1)
	l.Add("round_robin/evs_shrunk", "EV 0 as the next one is no longer in use", turn && p.EVSBits > 1)
	l.Add("ops", "a random EV", has(params.ModeOPS))
	l.Add("ops/injected", "an EV of a given word", has(params.ModeOPS))
	l.Add("ecmp", "the EV of a connection", has(params.ModeECMP))
	l.Add("evs/1", "a packet with 1 EV in use", true)
	l.Add("evs/0", "a packet with the setting 0", true)
	l.Add("evs/all", "a packet with 2^evs_bits EVs", true)
	l.Add("evs/beyond", "a packet with a larger setting", true)
	l.Add("evs/odd", "a packet with a number of EVs that is no power of two", p.EVSBits > 1)
	l.Add("shared", "a packet goes on with the flowlet of another connection or NIC port", flowlet && p.Shared())
	l.Add("flush", "a flush", true)
	l.Add("flush/waits", "a flush that waits for a SEND", true)
	l.Add("ack", "an ACK without a mark", true)
	l.Add("ack/marked", "a marked ACK", true)
	l.Add("fail", "a failure", true)
	l.Add("seed", "a seed word", true)
	l.Add("seed/draw", "a seed word in the cycle after a word was drawn", true)
	l.Add("time/quarter", "a quarter of the time begins", flowlet || p.TimerBits < 20)
	l.Add("time/early", "a quarter begins before the last one was long enough", small)
	l.Add("time/far", "the time jumps over a quarter", true)
	l.Add("illegal/ack", "an ACK of a connection or port that does not exist", bad)
	l.Add("illegal/fail", "a failure of one", bad)
	l.Add("illegal/send", "a SEND of one", bad)
	l.Add("illegal/flush", "a flush of one", bad)
	l.Add("illegal/two", "two illegal events in one cycle", bad)
	l.Add("illegal/three", "three illegal events in one cycle", bad)
	l.Add("illegal/port", "a NIC port that does not exist", ports)
	l.Add("reset", "a reset in the cycle of an event", small)
	l.Add("not_ready", "an event while entries are cleared", true)
	l.Add("reset/sweep", "a reset while entries are cleared", small && p.Entries() > 2)
	all := len(l)
	l.AddDistances(kinds, span, func(from, to string, cycles int) string {
		return fmt.Sprintf("%s, then %s on one entry, %d cycles apart", from, to, cycles)
	})
	for i := all; i < len(l); i++ {
		k := i - all
		for _, kind := range []int{k / span / kindCount, k / span % kindCount} {
			if kind == kindFlowlet && !flowlet || kind == kindTurn && !turn || !table {
				l[i].Required = false
			}
		}
	}
	return l
}

// coverage counts the points.
type coverage struct {
	p     *params.Params
	m     *model.Spray
	hits  []uint64
	apart *bench.Distances
	owner []uint64 // of an entry: who used it last
}

func newCoverage(p *params.Params, m *model.Spray, f *bench.Frame) *coverage {
	return &coverage{
		p: p, m: m, hits: f.Reached, owner: make([]uint64, p.Entries()),
		apart: bench.NewDistances(kindCount, span, p.Entries(), f.Reached[ptDistance:]),
	}
}

func (c *coverage) hit(point int, is bool) {
	if is {
		c.hits[point]++
	}
}

// Transfers of a cycle, by the places of their streams in the contract.
const (
	onSend   = 1 << 3
	onFlush  = 1 << 4
	onEvents = 0x1e // all but seeds
)

// end counts the points of a cycle as a whole.
func (c *coverage) end(n *bench.Now) {
	c.hits[ptNotReady] += uint64(n.Dropped)
	c.hit(ptIllegalTwo, n.Illegal == 2)
	c.hit(ptIllegalThree, n.Illegal == 3)
	c.hit(ptReset, n.Rst && n.Ready && n.Offered&onEvents != 0)
	c.hit(ptFlushWaits, !n.Rst && n.Ready && n.Offered&(onSend|onFlush) == onSend|onFlush)
}

// quarter counts the points of a time.
func (c *coverage) quarter(turned, jump bool) {
	c.hit(ptQuarter, turned && !jump)
	c.hit(ptJumpEarly, jump && c.m.Early())
	c.hit(ptJumpFar, jump && !c.m.Early())
}

// flush counts the points of a legal flush.
func (c *coverage) flush(cycle uint64, f *params.Flush) {
	e, _ := c.m.Find(f.Conn, f.Port)
	c.hit(ptFlush, true)
	c.note(cycle, false, false, true, e)
}

// send counts the points of a legal SEND, before it is executed.
func (c *coverage) send(cycle uint64, s *params.Send, set *model.Settings, now uint64) {
	e, _ := c.m.Find(s.Conn, s.Port)
	evs, most := set.EVs, uint64(1)<<c.p.EVSBits
	c.hit(ptEVsOne, evs == 1)
	c.hit(ptEVsZero, evs == 0)
	c.hit(ptEVsAll, evs == most)
	c.hit(ptEVsBeyond, evs > most)
	c.hit(ptEVsOdd, evs < most && evs&(evs-1) != 0)
	mode := set.Mode
	if fixed, one := c.p.FixedMode(); one {
		mode = fixed
	}
	was := c.m.Entry(e)
	over, past := was.EV >= evs, c.m.Turns()-was.Turn
	due := int64((was.Due-now)<<(64-c.p.TimerBits)) >> (64 - c.p.TimerBits)
	gone := c.m.Gone(was, now)
	key := s.Conn<<8 | s.Port
	switch mode {
	case params.ModeFlowlet:
		goes := !over && !gone
		c.hit(ptContinued, goes)
		c.hit(ptAtTimeout, goes && due == 0)
		c.hit(ptAboveTimeout, !over && past <= 1 && due == -1)
		c.hit(ptFirst, was.Turn == -2)
		c.hit(ptQuarterBefore, goes && past == 1)
		c.hit(ptAged, was.Turn >= 0 && past > 1 && due < 0)
		c.hit(ptForgotten, was.Turn >= 0 && past > 1 && due >= 0)
		c.hit(ptFlowletShrunk, over && !gone)
		c.hit(ptTimeoutBeyond, set.Timeout>>(c.p.TimerBits-2) != 0)
		c.hit(ptShared, goes && c.owner[e] != key)
	case params.ModeRoundRobin:
		c.hit(ptTurn, !over)
		c.hit(ptTurnFull, was.EV == evs && evs > 1)
		c.hit(ptTurnShrunk, was.EV > evs)
	case params.ModeOPS:
		c.hit(ptOPS, true)
		c.hit(ptInjected, s.Inject)
	case params.ModeECMP:
		c.hit(ptECMP, true)
	}
	if mode == params.ModeFlowlet || mode == params.ModeRoundRobin {
		c.owner[e] = key
	}
	c.note(cycle, mode == params.ModeFlowlet, mode == params.ModeRoundRobin, false, e)
}

// note notes what happened to an entry, for the distances.
func (c *coverage) note(cycle uint64, flowlet, turn, flush bool, e int64) {
	c.apart.Cycle(cycle, []bool{flowlet, turn, flush}, []uint32{uint32(e), uint32(e), uint32(e)})
}
