// SPDX-License-Identifier: Apache-2.0

package spray

import (
	"fmt"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/spray"
	"github.com/nicgen/nicgen/tb/bench"
)

// Coverage points, by index. The order is that of the table in points.
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

// send counts the points of a legal SEND, before it is executed.
func (r *predictor) coverSend(e int64, s *sent) {
	hit := func(point int, is bool) {
		if is {
			r.Reached[point]++
		}
	}
	evs, most := s.set.EVs, uint64(1)<<r.p.EVSBits
	hit(ptEVsOne, evs == 1)
	hit(ptEVsZero, evs == 0)
	hit(ptEVsAll, evs == most)
	hit(ptEVsBeyond, evs > most)
	hit(ptEVsOdd, evs < most && evs&(evs-1) != 0)
	mode := s.set.Mode
	if fixed, one := r.p.FixedMode(); one {
		mode = fixed
	}
	was := r.m.Entry(e)
	over, past := was.EV >= evs, r.m.Turns()-was.Turn
	due := int64((was.Due-s.now)<<(64-r.p.TimerBits)) >> (64 - r.p.TimerBits)
	gone := r.m.Gone(was, s.now)
	key := s.pkt.Conn<<8 | s.pkt.Port
	switch mode {
	case params.ModeFlowlet:
		goes := !over && !gone
		hit(ptContinued, goes)
		hit(ptAtTimeout, goes && due == 0)
		hit(ptAboveTimeout, !over && past <= 1 && due == -1)
		hit(ptFirst, was.Turn == -2)
		hit(ptQuarterBefore, goes && past == 1)
		hit(ptAged, was.Turn >= 0 && past > 1 && due < 0)
		hit(ptForgotten, was.Turn >= 0 && past > 1 && due >= 0)
		hit(ptFlowletShrunk, over && !gone)
		hit(ptTimeoutBeyond, s.set.Timeout>>(r.p.TimerBits-2) != 0)
		hit(ptShared, goes && r.owner[e] != key)
	case params.ModeRoundRobin:
		hit(ptTurn, !over)
		hit(ptTurnFull, was.EV == evs && evs > 1)
		hit(ptTurnShrunk, was.EV > evs)
	case params.ModeOPS:
		hit(ptOPS, true)
		hit(ptInjected, s.pkt.Inject)
	case params.ModeECMP:
		hit(ptECMP, true)
	}
	if mode == params.ModeFlowlet || mode == params.ModeRoundRobin {
		r.owner[e] = key
	}
	r.note(mode == params.ModeFlowlet, mode == params.ModeRoundRobin, false, e)
}

// note notes what happened to an entry, for the distances.
func (r *predictor) note(flowlet, turn, flush bool, e int64) {
	r.apart.Cycle(r.Cycle, []bool{flowlet, turn, flush}, []uint32{uint32(e), uint32(e), uint32(e)})
}
