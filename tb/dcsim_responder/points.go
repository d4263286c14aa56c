// SPDX-License-Identifier: Apache-2.0

package dcsimresponder

import (
	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/dcsim_responder"
	model "github.com/nicgen/nicgen/model/dcsim_responder"
	"github.com/nicgen/nicgen/tb/bench"
)

// Coverage points, by index, in the order of the table in points.
const (
	ptSIMRow = iota
	ptSIMWaits
	ptSIMMissed
	ptSIMLast
	ptSIMEmpty
	ptDataRow
	ptDataRows
	ptDataMissed
	ptDataLast
	ptDataFreed
	ptDataAfter
	ptDataRead
	ptAck16
	ptAck1
	ptAckTimed
	ptAckTimedLess
	ptAckOne
	ptAckShared
	ptAckMore
	ptAckNone
	ptAckJust
	ptBell
	ptBellAgain
	ptBellFull
	ptBellVoid
	ptScanEnough
	ptBellTurn
	ptVisitWaits
	ptVisitSame
	ptOverExact
	ptOverNot
	ptOverLater
	ptRest
	ptOverMore
	ptOverWraps
	ptOverLaps
	ptRestLater
	ptTickMost
	ptTickLost
	ptTickLap
	ptSendRow
	ptSendOne
	ptSendStops
	ptSendWaits
	ptTagRow
	ptClassSIMAck
	ptClassDataAck
	ptFlow
	ptZeroSIM
	ptZeroData
	ptLongestSIM
	ptLongestData
	ptLongSIM
	ptLongData
	ptSIMLimit
	ptTwoWrong
	ptReset
	ptResetOffer
	ptNotReady
)

// points lists the coverage points; those that a configuration cannot reach are not required.
func points(p *params.Params) []cosim.Point {
	illegal := p.Flows != 1<<p.FlowBits
	small := p.Flows <= 300 // an episode has time for laps
	few := p.Places <= 64   // an episode fills a flow
	many := p.Flows >= 33   // as many flows as bells have room for
	var list bench.Points
	add := list.Add
	add("sim/row", "SIM-ACKs taken in consecutive cycles", true)
	add("sim/waits", "an offered SIM-ACK that is not taken at once", true)
	add("sim/missed", "a SIM with no room for its SIM-ACK", true)
	add("sim/last", "a SIM-ACK takes the last place", true)
	add("sim/empty", "a SIM-ACK is taken, and none is behind it", true)
	add("data/row", "DATAs of one flow in consecutive cycles", true)
	add("data/rows", "16 DATAs of one flow in as many cycles", true)
	add("data/missed", "a DATA of a flow without a place", few)
	add("data/last", "a DATA takes the last place of its flow", few)
	add("data/freed", "a DATA without a place, in the cycle in which a tag of its flow is read", few)
	add("data/after", "a DATA in the cycle in which a visit makes a DATA-ACK of those before it", true)
	add("data/read", "a DATA of a flow whose tags are being read", true)
	add("ack/16", "a DATA-ACK of 16, because of their number", true)
	add("ack/1", "a DATA-ACK of one, because of the time", true)
	add("ack/timed", "a DATA-ACK of 2 to 14, because of the time", true)
	add("ack/timed_less", "a DATA-ACK of one less than are wanted, because of the time", small)
	add("ack/each", "a DATA-ACK of one, because each DATA has one", true)
	add("ack/shared", "a DATA-ACK of more than are wanted", true)
	add("ack/more", "a DATA-ACK of 16, and more wait", true)
	add("ack/none", "a visit at which nothing waits", true)
	add("ack/just", "a visit at which one DATA less waits than is wanted", true)
	add("bell/first", "a bell rings at exactly the number wanted", true)
	add("bell/again", "a bell rings at one more", true)
	add("bell/full", "a bell has no room", many)
	add("bell/void", "a bell's flow has had its DATA-ACK", true)
	add("bell/scan", "the scan finds a flow with enough", true)
	add("bell/turn", "a bell waits for a visit of the scan", true)
	add("visit/waits", "a visit waits for the DATA-ACK before it", true)
	add("visit/same", "two visits of a flow, one after the other", true)
	add("time/exact", "a flow's time is over by no tick", small)
	add("time/not_yet", "DATAs wait, and their flow's time is over in a tick", small)
	add("time/later", "a flow's time is over, and the count advances before the decision", small)
	add("time/rest", "a DATA-ACK of what is left of more than 16, fewer than are wanted", true)
	add("time/more", "a flow's time is over by some ticks", p.Flows > 1)
	add("time/wraps", "a flow's time is over, and the count has wrapped since its stamp", small)
	add("time/laps", "a flow's time is over by more ticks than count in a lap", p.Flows > 2)
	add("time/rest_later", "a DATA-ACK of what is left of more than 16, some ticks later", true)
	add("time/most", "the last tick that counts in a lap", true)
	add("time/lost", "a tick in a lap that has had as many as count", true)
	add("time/lap", "a tick in the cycle in which a lap ends", p.Flows <= 64)
	add("send/row", "a DATA-ACK begins in the cycle after the end of another one", true)
	add("send/one", "the same with one of a single tag", true)
	add("send/stops", "no tag is read, since the queue is full", true)
	add("send/waits", "an offered tag that is not taken at once", true)
	add("tag/row", "tags taken in consecutive cycles", true)
	add("bad/sim_ack", "a SIM-ACK", true)
	add("bad/data_ack", "a DATA-ACK", true)
	add("bad/flow", "a flow that does not exist", illegal)
	add("bad/sim_none", "a SIM of no length", true)
	add("bad/data_none", "a DATA of no length", true)
	add("length/sim", "a SIM of the largest legal length", true)
	add("length/data", "a DATA of the largest legal length", true)
	add("bad/sim_longer", "a SIM that is a byte longer", true)
	add("bad/data_longer", "a DATA that is a byte longer", true)
	add("bad/sim_as_data", "a SIM of a length that a DATA may have", true)
	add("bad/two", "a packet with two mistakes", illegal)
	add("reset", "a reset with DATAs that wait", true)
	add("reset/offer", "a reset with a SIM-ACK or a tag offered", true)
	add("not_ready", "a packet while flows are cleared", true)
	return list
}

// coverage holds the memory of the coverage points beyond the state.
type coverage struct {
	simTaken, tagTaken bool   // in the cycle before
	data               uint64 // the cycle of the last DATA that was recorded, and one
	dataFlow           uint64 // of this flow
	row                int    // as many in a row
	ended              bool   // the last tag of a DATA-ACK was read in the cycle before
	lastVisit          uint64
	visited            bool
	rest               map[uint64]bool // flows of which more than 16 waited
}

func (c *coverage) clear() { *c = coverage{rest: map[uint64]bool{}} }

func (g *golden) hit(point int, is bool) {
	if is {
		g.f.Reached[point]++
	}
}

func (g *golden) coverReset() {
	s := &g.s
	waiting := false
	for i := range min(uint64(g.p.Flows), 16) {
		waiting = waiting || len(s.m.Flow(i).Tags) > 0
	}
	g.hit(ptReset, waiting)
	g.hit(ptResetOffer, s.simAcks.offered || s.outs.offered)
}

func (g *golden) coverCheck(p *packet, dataBytes uint64) {
	simBytes := uint64(g.p.ProbeBytes)
	sim, data := p.what.Class == params.SIM, p.what.Class == params.Data
	exists := p.what.Flow < uint64(g.p.Flows)
	g.hit(ptClassSIMAck, p.what.Class == params.SIMAck)
	g.hit(ptClassDataAck, p.what.Class == params.DataAck)
	g.hit(ptFlow, p.verdict == model.BadFlow)
	g.hit(ptZeroSIM, sim && exists && p.what.Bytes == 0)
	g.hit(ptZeroData, data && exists && p.what.Bytes == 0)
	g.hit(ptLongestSIM, sim && exists && p.what.Bytes > 0 && p.what.Bytes == simBytes)
	g.hit(ptLongestData, data && exists && p.what.Bytes > 0 && p.what.Bytes == dataBytes)
	g.hit(ptLongSIM, sim && exists && p.what.Bytes == simBytes+1)
	g.hit(ptLongData, data && exists && p.what.Bytes == dataBytes+1)
	g.hit(ptSIMLimit, sim && exists && p.what.Bytes > simBytes && p.what.Bytes <= dataBytes)
	g.hit(ptTwoWrong, p.verdict != model.Good && !exists && (p.what.Bytes == 0 || p.verdict == model.BadClass))
}

func (g *golden) coverSIMAck(offered, taken bool) {
	s := &g.s
	g.hit(ptSIMRow, taken && g.cov.simTaken)
	g.hit(ptSIMWaits, offered && !taken)
	g.hit(ptSIMLast, len(s.simAcks.words) == s.simAcks.depth-1 && s.p1.valid && s.p1.verdict == model.Good && s.p1.what.Class == params.SIM)
	g.hit(ptSIMEmpty, taken && !s.simAcks.offered)
	g.cov.simTaken = taken
}

func (g *golden) coverData(n *bench.Now, p *packet, waiting int, ok bool) {
	s, c := &g.s, &g.cov
	f := s.m.Flow(p.what.Flow)
	same := c.data == n.Cycle && c.dataFlow == p.what.Flow
	if c.row++; !same {
		c.row = 1
	}
	g.hit(ptDataRow, ok && same)
	g.hit(ptDataRows, ok && same && c.row >= 16)
	g.hit(ptDataMissed, !ok)
	g.hit(ptDataLast, ok && len(f.Tags) == int(g.p.Places))
	reads := s.now != nil && s.now.flow == p.what.Flow && s.held < params.OutWords
	g.hit(ptDataFreed, !ok && reads)
	g.hit(ptDataRead, ok && reads)
	if ok {
		c.data, c.dataFlow = n.Cycle+1, p.what.Flow
	}
}

func (g *golden) coverBell(over int, room bool) {
	g.hit(ptBell, over == 0)
	g.hit(ptBellAgain, over == 1)
	g.hit(ptBellFull, !room)
}

func (g *golden) coverVisit(n *bench.Now, every int, wants, timed, free bool) {
	s, c, v := &g.s, &g.cov, g.s.view
	stamp := s.m.Flow(v.Flow).Stamp
	age := (v.Count - stamp) % (1 << params.StampBits)
	g.hit(ptVisitWaits, wants && !free)
	if wants && !free {
		return
	}
	made := wants && !timed
	g.hit(ptDataAfter, wants && c.data == n.Cycle+1 && c.dataFlow == v.Flow)
	g.hit(ptAck16, made && v.Waiting == 16)
	g.hit(ptAck1, wants && timed && v.Waiting == 1)
	g.hit(ptAckTimed, wants && timed && v.Waiting > 1 && v.Waiting < 15)
	g.hit(ptAckTimedLess, wants && timed && v.Waiting == every-1)
	g.hit(ptAckOne, made && every == 1 && v.Waiting == 1)
	g.hit(ptAckShared, made && v.Waiting > every)
	g.hit(ptAckMore, wants && v.Waiting > params.MostTags)
	g.hit(ptAckNone, v.Waiting == 0)
	g.hit(ptAckJust, !wants && v.Waiting == every-1 && v.Waiting > 0)
	g.hit(ptBellVoid, s.byBell && !wants)
	g.hit(ptScanEnough, !s.byBell && made)
	g.hit(ptVisitSame, c.visited && c.lastVisit == v.Flow && g.p.Flows > 1 || g.p.Flows == 1)
	g.hit(ptBellTurn, s.bells.any(n.Cycle) && !s.scanned)
	g.hit(ptOverExact, v.Over && v.Waiting > 0 && age == params.Ticks)
	g.hit(ptOverNot, !v.Over && v.Waiting > 0 && age == params.Ticks-1)
	g.hit(ptOverLater, v.Over && v.Waiting > 0 && s.count != v.Count)
	g.hit(ptOverMore, v.Over && v.Waiting > 0 && age > params.Ticks && age < params.RestAge)
	g.hit(ptOverWraps, v.Over && v.Waiting > 0 && v.Count < stamp)
	g.hit(ptOverLaps, v.Over && v.Waiting > 0 && !c.rest[v.Flow] && age >= params.RestAge)
	g.hit(ptRestLater, wants && c.rest[v.Flow] && age > params.RestAge)
	g.hit(ptRest, wants && timed && c.rest[v.Flow])
	c.rest[v.Flow] = wants && v.Waiting > params.MostTags
	c.visited, c.lastVisit = true, v.Flow
}

func (g *golden) coverSend(offered, taken, goes, free bool) {
	s, c := &g.s, &g.cov
	g.hit(ptSendWaits, offered && !taken)
	g.hit(ptTagRow, taken && c.tagTaken)
	g.hit(ptSendStops, s.now != nil && !goes)
	ends := goes && s.now.left == 0
	g.hit(ptSendRow, ends && !free)
	g.hit(ptSendOne, ends && c.ended)
	c.tagTaken, c.ended = taken, ends
}
