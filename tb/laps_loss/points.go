// SPDX-License-Identifier: Apache-2.0

package lapsloss

import (
	"fmt"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/laps_loss"
	"github.com/nicgen/nicgen/tb/bench"
)

// Coverage points, by index, in the order of the table in points.
const (
	ptStored = iota
	ptFull
	ptFullHeld
	ptFullFreed
	ptOrder
	ptSkipOne
	ptSkipRow
	ptSkipAll
	ptIgnored
	ptIgnoredEmpty
	ptIgnoredFull
	ptOtherFlow
	ptTwice
	ptLaterRow
	ptEmptyRow
	ptMostPasses
	ptWrap
	ptSendBehind
	ptExpired
	ptExpiredFull
	ptExpiredSend
	ptRenewed
	ptExact
	ptNext
	ptHalf
	ptBySend
	ptByAck
	ptAckShortens
	ptByLatency
	ptByMinimum
	ptTimeWrap
	ptLostWaits
	ptLostFull
	ptTwoReports
	ptAckFull
	ptFollowLast
	ptFollowRow
	ptFollowIgnored
	ptBehindLast
	ptSendFirst
	ptTooEarly
	ptReplayIgnored
	ptReplaySearch
	ptReplaySkip
	ptReplayOther
	ptReplayTwice
	ptBackSearch
	ptBackReport
	ptBackTimer
	ptBackExpired
	ptBackWant
	ptBackTwo
	ptBarrelFull
	ptReset
	ptNotReady
	ptIllegalSend
	ptIllegalAck
	ptFollow // first of the distances in the barrel
)

// ptBackStage returns the first point for the stages of a visit that holds an ACK up, and
// ptDistance the first point for distances; before them is a point for each slot.
func ptBackStage(p *params.Params) int { return ptFollow + p.Slots() }
func ptDistance(p *params.Params) int  { return ptBackStage(p) + p.Slots() - 1 }

// distances is the number of distances between events on one path that are counted, in
// cycles.
func distances(p *params.Params) int { return p.Slots() + 3 }

// Event kinds whose distances are counted: those that are taken at the ports.
const (
	kindSend = iota
	kindAck
	kinds
)

var kindNames = [kinds]string{"send", "ACK"}

// points lists the coverage points; those that a configuration cannot reach, or
// not in the time of a run, are not required.
func points(p *params.Params) []cosim.Point {
	illegal := p.Paths != 1<<p.PidBits
	few := p.Paths <= 128 // a timer is read each 5 cycles
	small := p.Paths <= 4096
	var list bench.Points
	add := list.Add
	add("send/stored", "a segment is stored", true)
	add("send/full", "a segment finds its ring full", true)
	add("send/full_held", "a segment finds no room, although an ACK or a timer has emptied places that are not free yet", true)
	add("send/full_freed", "a segment is stored in a ring that was full for the previous one", true)
	add("ack/order", "an ACK of the oldest segment of its path", true)
	add("ack/skip_one", "an ACK that skips one segment", true)
	add("ack/skip_row", "an ACK that skips as many segments as there are lanes, or more", true)
	add("ack/skip_all", "an ACK of the last segment of a full ring", true)
	add("ack/ignored", "an ACK of a segment that is not outstanding, while others are", true)
	add("ack/ignored_empty", "an ACK of a path with nothing outstanding", true)
	add("ack/ignored_full", "an ignored ACK, with a full ring", true)
	add("ack/other_flow", "an ACK whose sequence number is outstanding, but for another flow", true)
	add("ack/twice", "an ACK of a segment that is outstanding twice on its path", true)
	add("row/later", "an ACK whose segment is not in the first row", true)
	add("row/empty", "an ignored ACK whose last pass reads a row with nothing outstanding", true)
	add("row/most", "an ACK that takes the largest possible number of passes", true)
	add("row/wrap", "a search that wraps to the beginning of the ring", true)
	add("row/send_behind", "a segment is stored on a path while an ACK of the path is in the barrel", true)
	add("timer/expired", "a timer has expired", few)
	add("timer/expired_full", "a timer has expired with a full ring", few)
	add("timer/expired_send", "a segment is stored on a path while earlier ones are lost with its timer", few)
	add("timer/renewed", "an expired timer is checked after an event has restarted it or emptied the ring", few)
	add("timer/exact", "a timer is read in its last ns", few)
	add("timer/next", "a timer is read one ns later", few)
	add("timer/half", "a timer lies more than half of the time's range back, and so counts as ahead", few)
	add("timer/by_send", "a timer set by a send is read, with an ACK before", few)
	add("timer/by_ack", "a timer set by an ACK is read", few)
	add("timer/earlier", "an event moves a timer to an earlier time", true)
	add("timer/latency", "the timeout is twice the latency", true)
	add("timer/minimum", "the timeout is the minimum", true)
	add("time/wrap", "the time wraps", true)
	add("lost/waits", "a lost segment waits for the sender", true)
	add("lost/full", "a lost segment finds the queue to the sender full", true)
	add("lost/two", "segments of two paths are reported at once", p.Paths > 1)
	add("queue/full", "an ACK finds the queue full", true)
	add("follow/last", "an ACK of the last outstanding segment, with the one before it in the barrel", true)
	add("follow/row", "an ACK in order at the beginning of a row, with the one before it in the barrel", true)
	add("follow/ignored", "an ignored ACK, with one in order before it in the barrel", true)
	add("follow/empty", "an ACK behind that of the last outstanding segment in the barrel", true)
	add("follow/send", "a segment is stored on a path between the reading of the tail for an ACK and the end of its first pass", true)
	// Rare with a queue of two: few runs reach it.
	add("follow/too_early", "an ACK of a segment that is stored in that time, and so is ignored", p.AckQueue > 2)
	add("replay/ignored", "ACKs go back to their queue behind one that is ignored after one pass", true)
	add("replay/search", "ACKs go back behind one that is ignored after several passes", true)
	add("replay/skip", "ACKs go back behind one that skips", true)
	// A queue then holds three ACKs: the one in its first pass, the next of its path, another.
	add("replay/other", "an ACK of another path goes back with them", p.Paths > p.AckQueues && p.AckQueue > 2)
	add("replay/twice", "ACKs go back behind one that had one before it in the barrel", true)
	add("back/search", "an ACK goes back before it enters: its path is being searched for an ACK", true)
	add("back/report", "an ACK goes back: skipped segments of its path are being reported", true)
	add("back/timer", "an ACK goes back: its path's timer is being checked, and has not expired", few)
	add("back/expired", "an ACK goes back: its path's timer has expired, and its segments are being reported", few)
	add("back/want", "an ACK goes back: its path's timer waits for a slot", few)
	add("back/two", "an ACK goes back, and with it the next of its queue", true)
	add("barrel/full", "all slots hold ACKs or a timer check", p.Paths >= int64(p.Slots()))
	add("reset", "a reset in the middle of traffic", small)
	add("not_ready", "sends that are dropped, or ACKs that wait, while rings are emptied after a reset", true)
	add("illegal/send", "a send on a path that does not exist", illegal)
	add("illegal/ack", "an ACK of a path that does not exist", illegal)

	for d := 1; d <= p.Slots(); d++ {
		add(fmt.Sprintf("order/%d", d), fmt.Sprintf("an ACK in order that entered %d cycles behind another in order of its path", d), p.AckQueue > 2)
	}
	for n := range p.Slots() - 1 {
		add(fmt.Sprintf("back/stage/%d", n), fmt.Sprintf("an ACK goes back because of its path's work in stage %d", n), true)
	}
	list.AddDistances(kindNames[:], distances(p), func(from, to string, cycles int) string {
		return fmt.Sprintf("%s, then %s of one path, %d cycles apart", from, to, cycles)
	})
	return list
}
