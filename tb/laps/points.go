// SPDX-License-Identifier: Apache-2.0

package laps

import (
	"fmt"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/laps"
	lapspaths "github.com/nicgen/nicgen/gen/laps_paths"
	"github.com/nicgen/nicgen/tb/bench"
)

// Coverage points, by index, in the order of the table in points.
const (
	ptPath = iota
	ptNone
	ptBackToBack
	ptTrackedNone
	ptUntracked
	ptStored
	ptFull
	ptAckPacket
	ptAckAnswer
	ptAckQueue
	ptQueueCfg
	ptAnswerPacket
	ptSamePacketAck
	ptPathAck
	ptPathAckSame
	ptSamePathMeasured
	ptOpenWaits
	ptRouteWaits
	ptCfgWaits
	ptCommitPacket
	ptRateHeld
	ptRateBackToBack
	ptLostWaits
	ptSeed
	ptReset
	ptNotReady
	ptEarly   // ACKs 1 to early cycles after their segment's path
	ptCounter = ptEarly + early
)

// early is the number of cycles after the path of a segment in which an ACK of it is
// noticed as early.
const early = 6

// points lists the coverage points.
func points(p *params.Params) []cosim.Point {
	var list bench.Points
	add := list.Add
	t := &p.Tables
	shared, own := t.AckLookup == lapspaths.Shared, t.AckLookup == lapspaths.Own
	// Resets come only where tables are emptied in little time.
	small := p.ReadyDelay() <= resetsBelow

	add("packet/path", "a packet gets a path", true)
	add("packet/none", "a packet gets none", true)
	add("packet/back_to_back", "packets in consecutive cycles", true)
	add("track/none", "a segment to be tracked gets no path", p.Loss)
	add("track/off", "a packet not to be tracked gets a path", p.Loss)
	add("track/stored", "a segment is in its path's ring", p.Loss)
	add("track/full", "a segment finds the ring full", p.Loss)
	add("ack/waits_packet", "an ACK waits for a packet", shared)
	add("ack/waits_answer", "an ACK waits for a probe's answer", true)
	// Only a short queue is ever full.
	short := p.Loss && p.Detector.AckQueue <= 16
	add("ack/waits_queue", "an ACK waits only for the loss detector", short)
	add("ack/queue_cfg", "the tables are changed while an ACK waits for the loss detector", short)
	add("answer/waits_packet", "a probe's answer waits for a packet", shared)
	add("same/packet_ack", "a packet and an ACK in one cycle", own)
	add("same/path_ack", "a tracked segment's path and an ACK in one cycle", p.Loss)
	add("same/path_ack_pid", "the same, both on one path", p.Loss)
	add("same/path_measured", fmt.Sprintf("the chosen path was measured 1 to %d cycles before its latency is read", p.Delays().Window-1), p.Loss)
	add("open/waits", "an opening waits for an ACK's operands", true)
	add("route/waits", "a route request waits for a pick", true)
	add("cfg/waits", "the control plane waits for an ACK or an answer", true)
	add("cfg/commit_packet", "a set is committed for a destination in the cycle of a packet to it", true)
	add("rate/held", "an ACK too early for its flow's next change", true)
	add("rate/back_to_back", "rates in consecutive cycles", true)
	add("lost/waits", "a lost segment waits for the sender", p.Loss)
	add("seed", "a word is shifted into the random generator", true)
	add("reset", "a reset in the middle of traffic", small)
	add("not_ready", "events while tables are emptied after a reset", true)
	for n := 1; n <= early; n++ {
		add(fmt.Sprintf("ack/early/%d", n), fmt.Sprintf("an ACK of a segment %d cycles after its path was shown", n), p.Loss)
	}
	wide := func(bits, n int64) bool { return 1<<bits > n }
	for _, c := range p.Counters() {
		required := true
		switch c.Name {
		case "illegal_flow":
			required = wide(p.Rate.FlowBits, p.Rate.Flows)
		case "illegal_path":
			required = wide(t.PidBits, t.Paths())
		case "corrupt":
			required = false // only an upset makes words corrupt
		}
		add("count/"+c.Part+"/"+c.Name, "counter "+c.Port+" counts", required)
	}
	for b := range t.Banks {
		add(fmt.Sprintf("bank/%d", b), fmt.Sprintf("the path in bank %d is picked", b), true)
	}
	return list
}
