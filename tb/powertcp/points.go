// SPDX-License-Identifier: Apache-2.0

package powertcp

import (
	"fmt"
	"slices"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/powertcp"
	"github.com/nicgen/nicgen/tb/bench"
)

// Coverage points, by index, in the order of the table in points.
const (
	ptFirst = iota
	ptPath
	ptHopCount
	ptToTheta
	ptToINT
	ptNoTelemetry
	ptNoTelemetryFirst
	ptStaleSome
	ptStaleAll
	ptUnknownSome
	ptUnknownAll
	ptExcess
	ptIllegalAck
	ptIllegalFlush
	ptIllegalHeld
	ptTie
	ptTimeWrap
	ptTxWrap
	ptQueueUp
	ptQueueDown
	ptQueueHuge
	ptDrained
	ptDrainedUsed
	ptNothing
	ptHuge
	ptNormMax
	ptNormMin
	ptPowerHigh
	ptPowerLow
	ptPowerUsual
	ptAboveTau
	ptNearTau
	ptBelowTau
	ptClampLow
	ptClampHigh
	ptBetween
	ptMinIsMax
	ptOutside
	ptRenewed
	ptKept
	ptMarkExact
	ptMarkNext
	ptMarkBefore
	ptMarkWrap
	ptMarkAhead
	ptGamma0
	ptGamma1
	ptBeta0
	ptBetaMax
	ptRateTop
	ptTableWrite
	ptTableUnknown
	ptTableSeen
	ptTableLate
	ptTableWait
	ptFlushNew
	ptFlushKnown
	ptFlushBehind
	ptFlushHeld
	ptWait
	ptWaitLongest
	ptOvertakes
	ptBeatGap
	ptBeatWait
	ptReset
	ptResetBeats
	ptNotReady
	ptFlushNotReady
	ptNoRTT
	ptNoRTTFirst
	ptRTT0
	ptRTTUp
	ptRTTDown
	ptRTTSame
	ptRTTFloor
	ptRTTSteep
	ptRTTLeast
	ptRTTSecond
	ptWithinRTT
	ptRTTEvery
	ptSameTime
	ptNowWrap
	ptBaseFirst
	ptBaseFirstNone
	ptBaseAgain
	ptBaseLower
	ptBaseAbove
	ptBaseNone
	ptBaseZero
	ptBaseSmall
	ptBaseInitial
	ptSetting // first of the settings
)

const (
	ptBest     = ptSetting + settings    // first of the bottleneck hops
	ptHops     = ptBest + params.MaxHops // first of the hop counts, from 1
	ptInitial  = ptHops + params.MaxHops // first of the link-rate codes
	ptDistance = ptInitial + 16          // first of the distances
	ptEnd      = ptDistance + 4*distance // number of points
)

// distance is the number of distances between events of one connection that are
// counted, from the shortest that the handshake allows.
const distance = 8

var pairNames = [4]string{"ack_ack", "ack_flush", "flush_ack", "flush_flush"}

// points lists the coverage points; those that a configuration cannot reach are
// not required.
func points(p *params.Params) []cosim.Point {
	telemetry, theta := p.HasINT(), p.HasTheta()
	both := telemetry && theta
	beats := telemetry && p.Throughput == params.PerHop
	illegal := p.Connections != 1<<p.ConnBits
	small := p.Connections <= 1024 // resets cost one cycle a connection
	many := telemetry && p.Hops > 1
	var list bench.Points
	add := list.Add
	add("ack/first", "a connection's first ACK is only stored", true)
	add("ack/path", "an ACK of another path is only stored", true)
	add("ack/hop_count", "an ACK of another number of hops is only stored", many)
	add("ack/to_theta", "an ACK with a round-trip time after one with telemetry is only stored", both)
	add("ack/to_int", "an ACK with telemetry after one with a round-trip time is only stored", both)
	add("ack/no_telemetry", "an ACK without a hop changes nothing", telemetry)
	add("ack/no_telemetry_first", "an ACK without a hop leaves a new connection new", telemetry)
	add("hop/stale_some", "some hops of an ACK have their old time", many)
	add("hop/stale_all", "all hops of an ACK have their old time", telemetry)
	add("hop/unknown_some", "some hops of an ACK have an unknown rate code", many)
	add("hop/unknown_all", "all hops of an ACK have an unknown rate code", telemetry)
	add("hop/excess", "an ACK of more hops than the unit uses", telemetry)
	add("illegal/ack", "an ACK for a connection that does not exist", illegal)
	add("illegal/flush", "a flush of a connection that does not exist", illegal)
	add("illegal/held", "an ACK for a connection that does not exist waits for one that does", p.ConnBits > int64(p.ConnIdxBits()))
	add("hop/tie", "two hops of an ACK have the largest power", many)
	add("hop/time_wrap", "a hop's time wraps", telemetry)
	add("hop/tx_wrap", "a hop's count of bytes wraps", telemetry)
	add("queue/up", "a queue length jumps from 0 to all ones", telemetry)
	add("queue/down", "a queue length jumps from all ones to 0", telemetry)
	add("queue/huge", "1 + queue/(b·τ) saturates", telemetry && !p.Observes() && int(p.QlenBits)+params.MantissaBits-p.ShiftBase() > 26)
	add("arrival/drained", "a queue shrinks by more than was sent: the arrivals are negative", telemetry)
	add("arrival/drained_used", "a hop whose queue drained is the bottleneck", telemetry)
	add("arrival/nothing", "nothing arrived between two samples", telemetry)
	add("arrival/huge", "between half and seven eighths of the counter's range arrived", telemetry)
	add("power/norm_max", "a power saturates", telemetry)
	add("power/norm_min", "the bottleneck's power is the smallest of its format", telemetry)
	add("power/high", "the smoothed power is close to its maximum", telemetry)
	add("power/low", "the smoothed power is below the range of its reciprocal", true)
	add("power/usual", "the smoothed power is between 0.5 and 20", true)
	add("power/above_tau", "samples at least τ apart: the smoothed power is the new one", true)
	add("power/near_tau", "samples from half of τ to τ apart", true)
	add("power/below_tau", "samples less than half of τ apart", true)
	add("window/low", "a window is clamped to the minimum", true)
	add("window/high", "a window is clamped to the maximum", true)
	add("window/between", "a window is not clamped", true)
	add("window/fixed", "minimum and maximum are equal", true)
	add("window/outside", "an unchanged window is outside of bounds that have changed", true)
	add("mark/renewed", "an ACK ends a round trip", true)
	add("mark/kept", "an ACK within a round trip", true)
	add("mark/exact", "an ACK exactly at the end of a round trip", true)
	add("mark/next", "an ACK one byte beyond the end of a round trip", true)
	add("mark/before", "an ACK one byte before the end of a round trip", true)
	add("mark/wrap", "the sequence number wraps between the mark and the ACK that ends the round trip", true)
	add("mark/ahead", "the mark is ahead of the next sequence number to send", true)
	add("gamma/0", "a window is computed with γ = 0", true)
	add("gamma/1", "a window is computed with γ = 1", true)
	add("beta/0", "a window is computed with β = 0", true)
	add("beta/max", "a window is computed with the largest β", true)
	add("window/rate_max", "a pacing rate saturates", true)
	add("table/write", "the link-rate table is written while ACKs are in the pipeline", telemetry)
	add("table/unknown", "an entry of the link-rate table becomes invalid", telemetry)
	add("table/seen", "a hop is the first to see a new entry of its rate code", telemetry)
	add("table/late", "a hop is the last to see the old entry of its rate code", telemetry)
	add("table/wait", "a write of the link-rate table waits for the previous one", telemetry)
	add("flush/new", "a connection without state is flushed", true)
	add("flush/known", "a connection with state is flushed", true)
	add("flush/behind", "a flush waits for an ACK on the port", true)
	add("flush/held", "a flush waits for an earlier ACK of its connection", true)
	add("wait/same", "an ACK waits for an earlier one of its connection", true)
	add("wait/longest", "an ACK comes in the cycle after an earlier one of its connection, and waits longest", true)
	add("wait/other", "an ACK follows one of another connection in the next cycle", p.Connections > 1)
	add("beat/gap", "there is a gap between two beats of an ACK", beats && p.Hops > 1)
	add("beat/wait", "an ACK of several beats waits before the first", beats && p.Hops > 1)
	add("reset", "a reset while ACKs are in the pipeline", small)
	add("reset/beats", "a reset between the beats of an ACK", small && beats)
	add("not_ready/ack", "an ACK is offered while the connections are made new after a reset", true)
	add("not_ready/flush", "a flush is offered then", true)
	add("rtt/none", "an ACK without a round-trip time changes nothing", theta)
	add("rtt/none_first", "an ACK without a round-trip time leaves a new connection new", theta)
	add("rtt/0", "a round-trip time of 0 counts as none", theta)
	add("rtt/up", "the round-trip time rises", theta)
	add("rtt/down", "the round-trip time falls", theta)
	add("rtt/same", "the round-trip time stays", theta)
	add("rtt/floor", "the round-trip time falls so fast that θ̇ + 1 is at its floor", theta)
	add("rtt/steep", "the round-trip time rises so fast that the gradient saturates", theta && p.RTTBits > 9)
	add("rtt/least", "a round-trip time below all earlier ones", theta)
	add("rtt/second", "a connection's second ACK updates, though the first was of the same round trip", theta)
	add("rtt/within", "an ACK within the round trip changes only the base RTT", theta && !p.UpdatesEachAck())
	add("rtt/every", "an ACK within the round trip updates", theta && p.UpdatesEachAck())
	add("rtt/same_time", "an ACK at the time of the previous sample", theta)
	add("rtt/now_wrap", "the time wraps between two updates", theta)
	observed := p.Observes()
	add("base/first", "a path's first ACK has a round-trip time", observed)
	add("base/first_none", "a path's first ACK has no round-trip time: the base RTT is the setting", observed)
	add("base/again", "another path has a longer round-trip time than the least of the one before", observed)
	add("base/lower", "an ACK of several hops has a round-trip time below all earlier ones of its path", observed && p.Hops > 1)
	add("base/above", "an ACK has a round-trip time above the least one", observed)
	add("base/none", "an ACK updates without a round-trip time", observed)
	add("base/0", "a round-trip time of 0 counts as none", observed)
	add("base/small", "a power from a base RTT below those that the rate takes", observed)
	add("base/initial", "a power from a base RTT that is the setting", observed)
	ports := p.Ports()
	for i := range params.SettingPorts.Fields {
		name := params.SettingPorts.Fields[i].Port
		add("setting/"+name, name+" changes while an ACK is in the pipeline", slices.ContainsFunc(ports, func(p gen.Port) bool { return p.Name == name }))
	}
	for i := range params.MaxHops {
		add(fmt.Sprintf("best/%d", i), fmt.Sprintf("hop %d is the bottleneck", i), telemetry && int64(i) < p.Hops)
	}
	for i := range params.MaxHops {
		add(fmt.Sprintf("hops/%d", i+1), fmt.Sprintf("a window from %d hops", i+1), telemetry && int64(i) < p.Hops)
	}
	for code := range 16 {
		add(fmt.Sprintf("table/initial/%d", code), fmt.Sprintf("the bottleneck has rate code %d with the configured entry", code),
			telemetry && code < 1<<p.RateBits && p.Rate(code).Valid)
	}
	for _, pair := range pairNames {
		for d := range distance {
			add(fmt.Sprintf("distance/%s/%d", pair, p.Distance()+1+d),
				fmt.Sprintf("two events of one connection, %d cycles from the end of the first to the start of the second", p.Distance()+1+d), true)
		}
	}
	return list
}
