// SPDX-License-Identifier: Apache-2.0

package lapsloss

import (
	"fmt"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/laps_loss"
	"github.com/nicgen/nicgen/tb/bench"
)

// Coverage points, by index. The order is that of the table in points.
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
	ptAckHeld
	ptAckOvertaken
	ptScanDue
	ptScanHeld
	ptBarrelFull
	ptReset
	ptNotReady
	ptIllegalSend
	ptIllegalAck
	ptDistance // first of the distances
)

// Distances between events on one path that are counted, in cycles.
const distances = params.Slots + 3

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
	few := p.Paths <= 128 // a look at each timer costs 8 to 23 cycles
	small := p.Paths <= 4096
	var list bench.Points
	add := list.Add
	add("send/stored", "a segment is stored", true)
	add("send/full", "a segment finds its ring full", true)
	add("send/full_held", "a segment finds no room, and an ACK or a timer has emptied some that is not free yet", true)
	add("send/full_freed", "a segment is stored in a ring that was full for the one before", true)
	add("ack/order", "an ACK of the oldest segment of its path", true)
	add("ack/skip_one", "an ACK that skips one segment", true)
	add("ack/skip_row", "an ACK that skips as many segments as there are lanes, or more", true)
	add("ack/skip_all", "an ACK of the last segment of a full ring", true)
	add("ack/ignored", "an ACK of a segment that is not outstanding, with others that are", true)
	add("ack/ignored_empty", "an ACK of a path with nothing outstanding", true)
	add("ack/ignored_full", "an ACK that is ignored, of a full ring", true)
	add("ack/other_flow", "an ACK of a sequence number that is outstanding, but of another flow", true)
	add("ack/twice", "an ACK of a segment that is outstanding twice on its path", true)
	add("row/later", "an ACK whose segment is not in the first row", true)
	add("row/empty", "an ignored ACK whose last pass looks at a row with nothing outstanding", true)
	add("row/most", "an ACK that takes the most passes that are possible", true)
	add("row/wrap", "a search that goes on at the beginning of the ring", true)
	add("row/send_behind", "a segment is stored on a path while an ACK of the path is in the barrel", true)
	add("timer/expired", "a timer has expired", few)
	add("timer/expired_full", "a timer has expired with a full ring", few)
	add("timer/expired_send", "a segment is stored on a path while those before it are lost with a timer", few)
	add("timer/exact", "a timer is looked at in its last ns", few)
	add("timer/next", "a timer is looked at one ns later", few)
	add("timer/half", "a timer lies more than half of the time's range back, and so ahead", few)
	add("timer/by_send", "a timer that a send has set is looked at, with an ACK before", few)
	add("timer/by_ack", "a timer that an ACK has set is looked at", few)
	add("timer/earlier", "an event sets a timer to an earlier time than it was", true)
	add("timer/latency", "twice the latency is the timeout", true)
	add("timer/minimum", "the least timeout is the timeout", true)
	add("time/wrap", "the time wraps", true)
	add("lost/waits", "a lost segment waits for the sender", true)
	add("lost/full", "a lost segment finds the queue to the sender full", true)
	add("lost/two", "segments of two paths are reported at once", p.Paths > 1)
	add("queue/full", "an ACK finds the queue full", true)
	add("queue/held", "an ACK waits for what is in the barrel of its path", true)
	add("queue/overtaken", "an ACK whose turn it is finds that its path has just entered or goes on, with a slot free", few)
	add("scan/due", "a look at a timer goes ahead of an ACK", true)
	add("scan/held", "a look at a timer waits for an ACK of its path, with a slot free", few)
	add("barrel/full", "all slots are taken by ACKs and a look at a timer", p.Paths >= params.Slots)
	add("reset", "a reset in the middle of traffic", small)
	add("not_ready", "events while rings are emptied after a reset", true)
	add("illegal/send", "a send on a path that does not exist", illegal)
	add("illegal/ack", "an ACK of a path that does not exist", illegal)

	list.AddDistances(kindNames[:], distances, func(from, to string, cycles int) string {
		return fmt.Sprintf("%s, then %s of one path, %d cycles apart", from, to, cycles)
	})
	return list
}
