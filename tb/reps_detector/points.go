// SPDX-License-Identifier: Apache-2.0

package repsdetector

import (
	"fmt"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/reps_detector"
	"github.com/nicgen/nicgen/tb/bench"
)

// Coverage points, by index, in the order of the table in points.
const (
	ptRTTLow = iota
	ptRTTHigh
	ptRTTExact
	ptRTTBelow
	ptRTTMax
	ptThreshold0
	ptThresholdMax
	ptNever
	ptRecent
	ptStale
	ptExact
	ptNext
	ptAge0
	ptLow
	ptTrimming
	ptOldHigh
	ptOldStale
	ptWindow0
	ptWindowMax
	ptSameHigh
	ptSameLow
	ptSameFlush
	ptSameOther
	ptTimeWrap
	ptAgeWrap
	ptFlushSeen
	ptFlushWaits
	ptFlushOther
	ptReset
	ptResetEmptying
	ptNotReady
	ptNotReadyFirst
	ptNotReadyTwo
	ptIllegalRTT
	ptIllegalTimeout
	ptIllegalFlush
	ptIllegalTwo
	ptDistance // first of the distances
)

// Distances between events on one connection that are counted, in cycles.
const distances = 2 * params.VerdictLatency

// Event kinds whose distances are counted.
const (
	kindHigh = iota
	kindFlush
	kindTimeout
	kinds
)

var kindNames = [kinds]string{"high", "flush", "timeout"}

// points lists the coverage points; those that a configuration cannot reach are
// not required.
func points(p *params.Params) []cosim.Point {
	illegal := p.Connections != 1<<p.ConnBits
	small := p.Connections <= fewConnections
	var list bench.Points
	add := list.Add
	add("rtt/low", "an RTT below the threshold", true)
	add("rtt/high", "an RTT above the threshold", true)
	add("rtt/exact", "an RTT equal to the threshold is high", true)
	add("rtt/below", "an RTT one ns below the threshold is low", true)
	add("rtt/max", "an RTT of all ones", true)
	add("threshold/0", "an RTT with threshold 0 is high whatever its value", true)
	add("threshold/max", "an RTT with the largest threshold", true)
	add("timeout/never", "a timeout without a high RTT since the flush is a failure", true)
	add("timeout/recent", "a timeout with a high RTT within the window is congestion", true)
	add("timeout/stale", "a timeout whose last high RTT is older than the window is a failure", true)
	add("timeout/exact", "a timeout exactly one window after a high RTT is congestion", true)
	add("timeout/next", "a timeout one window and one ns after a high RTT is a failure", true)
	add("timeout/age_0", "a timeout at the time of the high RTT", true)
	add("timeout/low", "a timeout with a high RTT within the window and a low one since is congestion", true)
	add("timeout/trimming", "with trimming, a timeout with a high RTT within the window is a failure", true)
	add("timeout/old_high", "a high RTT more than half the timer's range ago is within the window", true)
	add("timeout/old_stale", "a high RTT more than half the timer's range ago is older than the window", true)
	add("window/0", "a timeout with window 0 and a high RTT on record", true)
	add("window/max", "a timeout with the largest window and a high RTT on record", true)
	add("same/high", "a high RTT and a timeout of one connection in one cycle", true)
	add("same/low", "a low RTT and a timeout of one connection in one cycle, with a high RTT on record", true)
	add("same/flush", "a flush and a timeout of one connection in one cycle, with a high RTT within the window", true)
	add("same/other", "a high RTT and a timeout of different connections in one cycle", p.Connections > 1)
	add("time/wrap", "the time wraps", true)
	add("time/age_wrap", "the time wraps between a high RTT and a timeout within the window", true)
	add("flush/seen", "a connection with a high RTT is flushed", true)
	add("flush/waits", "a flush waits for an RTT sample", true)
	add("flush/other", "a timeout with a high RTT within the window, after other connections were flushed", p.Connections > 1)
	add("reset", "a reset in the middle of traffic", small)
	add("reset/emptying", "a reset while the connections are emptied after another", small)
	add("not_ready", "events while the connections are emptied after a reset, dropped and counted", true)
	add("not_ready/first", "an event in the first cycle after rst", small)
	add("not_ready/two", "an RTT sample and a timeout dropped in one cycle", true)
	add("illegal/rtt", "an RTT of a connection that does not exist", illegal)
	add("illegal/timeout", "a timeout of a connection that does not exist", illegal)
	add("illegal/flush", "a flush of a connection that does not exist", illegal)
	add("illegal/two", "two illegal events in one cycle", illegal)

	list.AddDistances(kindNames[:], distances, func(from, to string, cycles int) string {
		return fmt.Sprintf("%s, then %s of one connection, %d cycles apart", from, to, cycles)
	})
	return list
}
