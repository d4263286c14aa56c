// SPDX-License-Identifier: Apache-2.0

package reps

import (
	"fmt"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/reps"
	"github.com/nicgen/nicgen/tb/bench"
)

// Coverage points, by index, in the order of the table in points.
const (
	ptAckGood = iota
	ptAckECN
	ptAckOverwrite
	ptAckFill
	ptAckBurst
	ptFailFreeze
	ptFailFrozen
	ptFailExploring
	ptFailOff
	ptThaw
	ptThawEarly
	ptThawExact
	ptThawNext
	ptThawECN
	ptSendCached
	ptSendNever
	ptSendDrained
	ptSendFrozenFull
	ptSendFrozenPart
	ptSendFrozenWrap
	ptSendFrozenFresh
	ptSendFrozenNever
	ptExploreHit
	ptExploreMiss
	ptExploreEnd
	ptModeOPS
	ptModeECMP
	ptInject
	ptSeed
	ptSeedSend
	ptSameAckSend
	ptSameAckFail
	ptSameFailSend
	ptSameAll
	ptSameFlushSend
	ptSameFlushFail
	ptSameThawSend
	ptSameThawFail
	ptSameFreezeSend
	ptTimeWrap
	ptExitWrap
	ptNum0
	ptNum1
	ptNumDepthLess
	ptNumDepth
	ptNum255
	ptNumAbove
	ptTimeout0
	ptTimeoutMax
	ptFlushFilled
	ptFlushFrozen
	ptFlushExploring
	ptFlushWaits
	ptReset
	ptIllegalAck
	ptIllegalFail
	ptIllegalSend
	ptIllegalFlush
	ptIllegalPort
	ptIllegalEV
	ptPortsApart
	ptBase
	ptReuseAgain
	ptReuseRenew
	ptCarryFull
	ptCarryNone
	ptCarryMost
	ptNotReady
	ptDistance // first of the distances
)

// Distances between events on one connection that are counted, in cycles.
const distances = 10

// Kinds of event whose distances are counted.
var kindNames = [kinds]string{"ack", "fail", "send"}

// points lists the coverage points; those that a configuration cannot reach are
// not required.
func points(p *params.Params) []cosim.Point {
	pow2 := p.Connections == 1<<p.ConnBits
	reuse, carry := p.Coalescing == params.Reuse, p.Coalescing == params.Carry
	illegal := !pow2
	small := p.Rows() <= 1024 // resets cost one cycle a connection
	many := p.Rows() <= 4096  // a connection is met often enough to get far
	var list bench.Points
	add := list.Add
	add("ack/good", "an unmarked ACK is cached", true)
	add("ack/ecn", "a marked ACK is dropped", true)
	add("ack/overwrite", "a good ACK overwrites the oldest valid EV of a full ring", true)
	add("ack/fill", "the last slot is written for the first time", true)
	add("ack/burst", "more good ACKs than the depth, with no packet between them", true)
	add("fail/freeze", "a failure freezes", true)
	add("fail/frozen", "a failure while frozen changes nothing", true)
	add("fail/exploring", "a failure while exploring changes nothing", true)
	add("fail/off", "a failure with freezing switched off changes nothing", true)
	add("thaw/late", "a good ACK after the exit time ends freezing", true)
	add("thaw/early", "a good ACK before the exit time does not", true)
	add("thaw/exact", "a good ACK at the exit time does not: the comparison is strict", true)
	add("thaw/next", "a good ACK one ns after the exit time does", true)
	add("thaw/ecn", "a marked ACK after the exit time does not", true)
	add("send/cached", "a packet takes the oldest valid EV", true)
	add("send/never", "a packet finds a ring that was never written", true)
	add("send/drained", "a packet finds no valid EV", true)
	add("send/frozen/full", "EVs of a frozen, full ring are reused", true)
	add("send/frozen/part", "EVs of a frozen, partly filled ring are reused", true)
	add("send/frozen/wrap", "reuse of a partly filled ring wraps to its start", true)
	add("send/frozen/fresh", "a frozen ring gives a fresh EV first", true)
	add("send/frozen/never", "a frozen ring that was never written gives a random EV", true)
	add("explore/hit", "an exploring packet takes a random EV", true)
	add("explore/miss", "an exploring packet takes a cached EV", p.ExploreStride > 1)
	add("explore/end", "the last packet of an exploration", true)
	add("mode/ops", "a packet on a port in mode OPS", true)
	add("mode/ecmp", "a packet on a port in mode ECMP", true)
	add("random/inject", "a random word is injected through the port", true)
	add("random/seed", "the generator is seeded", true)
	add("random/seed_send", "a packet is sent in the cycle of a seed word", true)
	add("same/ack_send", "ACK and SEND of one connection in one cycle", true)
	add("same/ack_fail", "ACK and failure of one connection in one cycle", true)
	add("same/fail_send", "failure and SEND of one connection in one cycle", true)
	add("same/all", "ACK, failure and SEND of one connection in one cycle", true)
	add("same/flush_send", "flush and SEND of one connection in one cycle", true)
	add("same/flush_fail", "flush and failure of one connection in one cycle", true)
	add("same/thaw_send", "an ACK ends freezing in the cycle of a SEND", true)
	add("same/thaw_fail", "an ACK ends freezing in the cycle of a failure", true)
	add("same/freeze_send", "a failure freezes in the cycle of a SEND", true)
	add("time/wrap", "the time wraps", true)
	add("time/exit_wrap", "an exit time lies beyond the wrap", true)
	add("num/0", "freezing ends with NUM_PKTS_CWND 0", true)
	add("num/1", "freezing ends with NUM_PKTS_CWND 1", true)
	add("num/depth-1", "freezing ends with NUM_PKTS_CWND depth-1", true)
	add("num/depth", "freezing ends with NUM_PKTS_CWND depth", true)
	add("num/255", "freezing ends with NUM_PKTS_CWND 255", true)
	add("num/above", "freezing ends with NUM_PKTS_CWND above 255", true)
	add("timeout/0", "freezing with timeout 0", true)
	add("timeout/max", "freezing with the largest timeout", true)
	add("flush/filled", "a connection with EVs is flushed", true)
	add("flush/frozen", "a frozen connection is flushed", true)
	add("flush/exploring", "an exploring connection is flushed", many)
	add("flush/waits", "a flush waits for an ACK", true)
	add("reset", "a reset in the middle of traffic", small)
	add("illegal/ack", "an ACK for a connection that does not exist", illegal)
	add("illegal/fail", "a failure of a connection that does not exist", illegal)
	add("illegal/send", "a SEND for a connection that does not exist", illegal)
	add("illegal/flush", "a flush of a connection that does not exist", illegal)
	add("illegal/port", "an event on a NIC port that does not exist", p.NICPorts != 1<<p.PortIdxBits())
	add("illegal/ev", "an ACK with an EV outside the set", p.EVSBits < 16)
	add("ports/apart", "a packet draws at random although its connection has EVs on another NIC port", p.NICPorts > 1 && many)
	add("base", "EVs with a base other than 0", true)
	add("reuse/again", "an EV with uses left is used again", reuse)
	add("reuse/renew", "a partly used oldest EV is overwritten", reuse)
	add("carry/full", "a coalesced ACK finds the queue full", carry)
	add("carry/none", "a coalesced ACK without EVs", carry)
	add("carry/most", "a coalesced ACK with the maximum number of EVs", carry)
	add("not_ready", "events while the connections are emptied after a reset: dropped and counted", true)

	list.AddDistances(kindNames[:], distances, func(from, to string, cycles int) string {
		return fmt.Sprintf("%s, then %s of one connection, %d cycles apart", from, to, cycles)
	})
	return list
}
