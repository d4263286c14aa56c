// SPDX-License-Identifier: Apache-2.0

package plb

import (
	"fmt"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/plb"
	"github.com/nicgen/nicgen/tb/bench"
)

// Coverage points, by index, in the order of the table in points.
const (
	ptDuplicate = iota
	ptMostPkts
	ptMarked
	ptUnmarked
	ptHighRTT
	ptTargetRTT
	ptMarkLowRTT
	ptCongested
	ptClean
	ptExact
	ptAbove
	ptEmpty
	ptBegins
	ptOne
	ptPastWrap
	ptNotPastWrap
	ptJust
	ptNotYet
	ptFar
	ptSaturatedUp
	ptSaturatedDown
	ptSaturatedEnd
	ptFraction0
	ptFractionOne
	ptFractionMore
	ptMostRounds
	ptPaused
	ptPausedPast
	ptPausedNew
	ptResumed
	ptLast
	ptResumedPast
	ptStaysOver
	ptAcrossWrap
	ptPause0
	ptPauseMost
	ptRTOPaused
	ptRTOTwice
	ptRTORound
	ptOpen
	ptOpenPaused
	ptRTOECMP
	ptIdle
	ptIdleExact
	ptIdleBelow
	ptNotIdle
	ptIdleOff
	ptForced
	ptForcedExact
	ptForcedBelow
	ptForcedIdle
	ptForcedOff
	ptRestart
	ptRestartOpen
	ptECMP
	ptECMPRestart
	ptSpray
	ptSprayRestart
	ptSpray3
	ptKept
	ptAckSend
	ptRTOSend
	ptAckRTO
	ptAll
	ptApart
	ptNewAck
	ptNewRTO
	ptSeed
	ptReset
	ptResetOpening
	ptNotReady
	ptNotReadyFirst
	ptNotReadyThree
	ptIllegalACK
	ptIllegalRTO
	ptIllegalSend
	ptUnsent
	ptWindow
	ptIllegalThree
	ptTimeBack
	ptTimeFar
	ptDistance // first of the distances
)

// span is the number of cycles between events on one connection that are counted: more than
// there are from a write to the last read that needs it.
const span = 8

// Event kinds whose distances are counted.
const (
	kindACK = iota
	kindRTO
	kindSend
	kinds
)

var kindNames = [kinds]string{"ack", "rto", "send"}

// points lists the coverage points; those that a configuration cannot reach are not
// required.
func points(p *params.Params) []cosim.Point {
	illegal := p.Connections != 1<<p.ConnBits
	small := p.Connections <= fewConnections
	narrow := p.BalanceBits <= p.PktsBits+22 // an episode is long enough to fill a balance
	several := p.RoundBits > 1
	short := p.RoundBits <= 5
	var list bench.Points
	add := list.Add
	add("ack/duplicate", "an ACK that acknowledges no packet", true)
	add("ack/most", "an ACK of as many packets as fit", true)
	add("ack/marked", "an ACK with CE", true)
	add("ack/unmarked", "an ACK without CE", true)
	add("ack/high_rtt", "an ACK one ns above the target", true)
	add("ack/target", "an ACK whose RTT is the target is not congested", true)
	add("ack/other", "with the RTT detector, an ACK with CE and an RTT below the target", true)
	add("round/congested", "a congested round", true)
	add("round/clean", "a round that is not congested", true)
	add("round/exact", "a round with exactly the fraction K of congested packets is congested", true)
	add("round/above", "a round that lacks one packet or less of being congested", true)
	add("round/empty", "a round without packets", true)
	add("round/begins", "the first ACK after an RTO or the opening begins a round", true)
	add("round/one", "a round of one ACK", true)
	add("round/past_wrap", "a round that is over, with numbers that wrapped since it began", true)
	add("round/not_past_wrap", "a round that is not over, whose end is a smaller number", true)
	add("round/just", "an ACK of exactly the round's end", true)
	add("round/not_yet", "an ACK one short of the round's end", true)
	add("round/far", "an ACK 2^29 or more past the round's end", true)
	add("balance/up", "a balance that grows no further upwards, counted", narrow)
	add("balance/down", "a balance that grows no further downwards, counted", narrow)
	add("balance/end", "a round over with such a balance", narrow)
	add("fraction/0", "a round with K = 0 is congested without a congested packet", true)
	add("fraction/1", "a round with K = 1 and all packets congested is congested", true)
	add("fraction/more", "a round with K above 1 and all packets congested is clean", true)
	add("rounds/most", "a congested round with as many before it as are counted", short)
	add("pause/paused", "a congested ACK during a pause", true)
	add("pause/past", "a round over during a pause", true)
	add("pause/begins", "the first ACK after an RTO, during its pause", true)
	add("pause/resumed", "an ACK in the unit of time in which the pause ends", true)
	add("pause/last", "an ACK in the last unit of time of a pause", true)
	add("pause/rest", "a round over whose packets were acknowledged in part during the pause", true)
	add("pause/over", "an ACK long after a pause, at a time that looks as if before its end", true)
	add("pause/wrap", "an ACK during a pause before which the time wraps", true)
	add("pause/0", "an RTO with T = 0", true)
	add("pause/most", "an RTO with the longest T", true)
	add("rto/paused", "an RTO during a pause", true)
	add("rto/twice", "an RTO without an ACK or a SEND since the last one", true)
	add("rto/rounds", "an RTO of a connection with congested rounds", true)
	add("open/seen", "an opening of a connection that has begun a round", true)
	add("open/paused", "an opening during a pause", true)
	add("rto/ecmp", "an RTO in mode ECMP", true)
	add("send/idle", "a new label with nothing in flight", true)
	add("send/idle_exact", "the same after exactly M rounds", true)
	add("send/idle_below", "the old label with nothing in flight, after M - 1 rounds", true)
	add("send/not_idle", "the old label after M rounds, with packets in flight", several)
	add("send/idle_off", "the old label with nothing in flight, M = 0, after congested rounds", true)
	add("send/forced", "a new label after N rounds, with packets in flight", true)
	add("send/forced_exact", "the same after exactly N rounds", true)
	add("send/forced_below", "the old label after N - 1 rounds, with packets in flight", true)
	add("send/forced_idle", "a new label after M and N rounds, with nothing in flight", true)
	add("send/forced_off", "the old label, N = 0, with packets in flight after congested rounds", true)
	add("send/restart", "a new label after an RTO", true)
	add("send/restart_open", "the first label after an opening", true)
	add("send/ecmp", "the old label in mode ECMP, after N congested rounds", true)
	add("send/ecmp_restart", "a new label in mode ECMP", true)
	add("send/spray", "a new label in mode 2", true)
	add("send/spray_restart", "a new label in mode 2 after an RTO or the opening", true)
	add("send/mode_3", "a new label in mode 3", true)
	add("send/kept", "the label of the last SEND once more, after 8 or more cycles without one", true)
	add("same/ack_send", "a new label because of the round that an ACK of the same cycle ends", true)
	add("same/rto_send", "a new label because of an RTO of the same cycle", true)
	add("same/ack_rto", "a congested round and an RTO of one connection in one cycle", true)
	add("same/all", "ACK, RTO and SEND of one connection in one cycle", true)
	add("same/apart", "ACK, RTO and SEND of three connections in one cycle", p.Connections > 2)
	add("next/ack", "a congested round of a connection that had a new label for its rounds in the cycle before", true)
	add("next/rto", "an RTO of a connection that had a new label after an RTO in the cycle before", true)
	add("seed", "a seed word", true)
	add("reset", "a reset in the middle of traffic", small)
	add("reset/opening", "a reset while the connections are opened after another", small)
	add("not_ready", "events while the connections are opened after a reset, dropped and counted", true)
	add("not_ready/first", "an event in the first cycle after rst", small)
	add("not_ready/three", "three events dropped in one cycle", true)
	add("illegal/ack", "an ACK of a connection that does not exist", illegal)
	add("illegal/rto", "an RTO of a connection that does not exist", illegal)
	add("illegal/send", "a SEND of a connection that does not exist, which is answered so", illegal)
	add("illegal/unsent", "an ACK for what was never sent", true)
	add("illegal/window", "an ACK with a window of 2^30 or more", true)
	add("illegal/three", "three illegal events in one cycle", illegal)
	add("time/back", "the time jumps back", true)
	add("time/far", "the time jumps ahead", true)

	list.AddDistances(kindNames[:], span, func(from, to string, cycles int) string {
		return fmt.Sprintf("%s, then %s of one connection, %d cycles apart", from, to, cycles)
	})
	return list
}
