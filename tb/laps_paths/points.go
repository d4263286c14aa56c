// SPDX-License-Identifier: Apache-2.0

package lapspaths

import (
	"fmt"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/laps_paths"
	"github.com/nicgen/nicgen/tb/bench"
)

// Coverage points, by index, in the order of the table in points.
const (
	ptNoPath = iota
	ptOnePath
	ptAllPaths
	ptExact
	ptNext
	ptAncient
	ptTimeWrap
	ptProbe
	ptProbeSeveral
	ptProbeRound
	ptProbeWait
	ptHold
	ptHoldAck
	ptHoldPath
	ptHoldPasses
	ptHoldRests
	ptHoldProbe
	ptHoldVain
	ptProbeSaturates
	ptProbeDead
	ptLanded
	ptUndoneSeen
	ptChangeSame
	ptAckWaits
	ptAckZero
	ptAckNegative
	ptAckLong
	ptAckDead
	ptAnswer
	ptScaled
	ptWeightFull
	ptBeta0
	ptBetaMax
	ptRatePending
	ptRateSeveral
	ptBaseRaises
	ptBaseBelow
	ptBaseOld
	ptList
	ptCommit
	ptCommitEmpty
	ptCommitReplaces
	ptPath
	ptPathListed
	ptPathMoves
	ptRemove
	ptCfgWaits
	ptPickNone
	ptPick
	ptRoute
	ptRouteWaits
	ptAnchorsNew
	ptLatencyNew
	ptLatencyProbe
	ptStray
	ptReset
	ptNotReady
	ptNotReadyTwo
	ptListUnwritten
	ptIllegalPacket
	ptIllegalAck
	ptIllegalPath
	ptIllegalDst
	ptIllegalRoute
	ptIllegalTwo
	ptHeld     // 1 to 4 cycles after the probe
	ptHeldAged = ptHeld + params.WriteWindow - 1
	ptUndo     = ptHeldAged + params.WriteWindow - 1
	ptUndoAll  = ptUndo + params.WriteWindow - 1
	ptDistance = ptUndoAll + params.WriteWindow - 1 // first of the distances
)

// Distances between events of one destination that are counted, in cycles.
const distances = 2 * params.WriteWindow

// Event kinds whose distances are counted.
const (
	kindPacket = iota
	kindChange
	kindCommit
	kinds
)

var kindNames = [kinds]string{"packet", "measurement", "commit"}

// points lists the coverage points; those that a configuration cannot reach are
// not required.
func points(p *params.Params) []cosim.Point {
	badDst := p.Destinations != 1<<p.DstBits
	badPid := p.PidBits > int64(p.PathIdxBits())
	small := max(p.Destinations, p.Paths()) <= 4096 // resets cost one cycle a row
	var list bench.Points
	add := list.Add
	add("packet/none", "a packet to a destination without a path", true)
	add("packet/one", "a packet to a destination with one path", true)
	add("packet/all", "a packet to a destination with a path in every bank", true)
	add("age/exact", "a path exactly 2·realVal old has not expired", true)
	add("age/next", "a path 1 ns older has expired", true)
	add("age/ancient", "a path that expired half the timer's range ago counts as fresh", true)
	add("time/wrap", "the time wraps between a deadline and a packet, in either order", true)
	add("probe/one", "the only path that has expired is probed", true)
	add("probe/several", "several paths have expired, and the first behind the one probed last is probed", true)
	add("probe/round", "one of several is probed although its bank is below that of the last probe", true)
	add("probe/wait", "a path has expired, but another write is due", true)
	add("hold", "the write bus is reserved for a packet to a destination with a waiting probe", true)
	add("hold/ack", "an ACK waits for the reserved bus", true)
	add("hold/path", "a path write waits for the reserved bus", true)
	add("hold/passes", "a change that does not write the banks passes while the bus is reserved", true)
	add("hold/rests", "a packet to a destination with a waiting probe, less than 8 cycles after one for which the bus was reserved", true)
	add("hold/probe", "the packet for which the bus is reserved probes", true)
	add("hold/vain", "the packet for which the bus is reserved finds no expired path", true)
	add("probe/saturates", "a doubling reaches the end of realVal or of d", true)
	add("probe/dead", "a dead path is probed", true)
	add("probe/landed", "a packet reads what a probe exactly 5 cycles earlier has written", true)
	add("probe/undone", "a packet within 4 cycles of a probe that a change has undone", true)
	add("same/change", "a change and a packet of one destination in one cycle", true)
	add("ack/waits", "an ACK waits for a packet", p.AckLookup == params.Shared)
	add("ack/zero", "a delay of 0", true)
	add("ack/negative", "a negative delay", true)
	add("ack/long", "a delay that does not fit a latency", true)
	add("ack/dead", "a delay of all ones", true)
	add("ack/answer", "a probe's answer", true)
	add("scale/between", "a scaled latency that is neither 0 nor all ones", true)
	add("scale/full", "a scaled latency that saturates", true)
	add("beta/0", "a latency written with factor 0", true)
	add("beta/max", "a latency written with the largest factor", true)
	add("rate/pending", "rate control's operands while a probe of the destination is not yet written", true)
	add("rate/several", "operands with several paths", true)
	longest := p.Baselines == params.Longest
	add("base/raises", "a path is listed with a longer baseline than those listed before it", longest)
	add("base/below", "a path is listed with a shorter baseline than one listed before it", longest)
	add("base/old", "operands with T as committed, although a path written since would change it", longest)
	add("cfg/list", "a path is listed", true)
	add("cfg/commit", "a set is committed for a destination", true)
	add("cfg/commit_empty", "a destination loses its paths", true)
	add("cfg/commit_replaces", "a set replaces another one", true)
	add("cfg/path", "a path is written", true)
	add("cfg/path_listed", "a path is written while it is in use", true)
	add("cfg/path_moves", "a path moves to another destination", true)
	add("cfg/remove", "a path is removed from its destination", true)
	add("cfg/waits", "the control plane waits for an ACK", true)
	add("pick/none", "the picker chose none", true)
	add("pick/path", "the picker chose a path", true)
	add("route/taken", "a route request is taken", true)
	add("route/waits", "a route request waits for a pick", true)
	add("anchors/new", "a path's anchors are read in the cycle in which they are written", true)
	add("latency/measured", "a path's latency is read in the cycle in which a measurement is written", p.PathLatency)
	add("latency/probed", "a path's latency is read in the cycle in which a probe's doubling is written", p.PathLatency)
	add("stray", "an ACK of a path that belongs to no destination", true)
	add("reset", "a reset in the middle of traffic", small)
	add("not_ready", "events while tables are emptied after a reset", true)
	add("not_ready/two", "a packet and a pick in one cycle then, which both are counted", true)
	add("illegal/list", "a path that was not written is listed", true)
	add("illegal/packet", "a packet to a destination that does not exist", badDst)
	add("illegal/ack", "an ACK of a path that does not exist", badPid)
	add("illegal/path", "a change of a path that does not exist", badPid)
	add("illegal/dst", "a commit to a destination that does not exist", badDst)
	add("illegal/route", "a route request for a path that does not exist", badPid)
	add("illegal/two", "two illegal events in one cycle", badDst)
	each := func(name, doc string) {
		for k := 1; k < params.WriteWindow; k++ {
			add(fmt.Sprintf("%s/%d", name, k), fmt.Sprintf(doc, k), true)
		}
	}
	each("held", "a packet %d cycles after the probe of a path, which counts as doubled")
	each("held/aged", "a packet %d cycles after the probe of a path, which would have expired without it")
	each("undo/measured", "a measurement of a path %d cycles after its probe")
	each("undo/commit", "a commit to a destination %d cycles after a probe of one of its paths")

	list.AddDistances(kindNames[:], distances, func(from, to string, cycles int) string {
		return fmt.Sprintf("%s, then %s of one destination, %d cycles apart", from, to, cycles)
	})
	return list
}
