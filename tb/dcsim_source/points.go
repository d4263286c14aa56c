// SPDX-License-Identifier: Apache-2.0

package dcsimsource

import (
	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/dcsim_source"
	"github.com/nicgen/nicgen/tb/bench"
)

// Coverage points, by index, in the order of the table in points.
const (
	ptOfferWaits = iota
	ptBurst
	ptNoToken
	ptLongBlock
	ptQueueFull
	ptQueue32
	ptSlotsFull
	ptTurns
	ptAlone
	ptAckSoon
	ptAckLast
	ptAckLate
	ptAckTwice
	ptAckNext
	ptAckQueued
	ptAckRandom
	ptAckBehind
	ptDueBoth
	ptDueRow
	ptTimeout
	ptShorter
	ptDataExact
	ptDataWaits
	ptDataNoRoom
	ptDataUnmatched
	ptDataAgain
	ptDataAgainTwice
	ptSeqWrap
	ptSlotOldest
	ptDataAck
	ptDataAckOrder
	ptDataAckTwice
	ptDataAckOld
	ptDataAckLast
	ptDataTimeout
	ptTagWrap
	ptHeadTwo
	ptNoSpace
	ptHeadWaits
	ptAckWaits
	ptWantLate
	ptWantServe
	ptNewLate
	ptNewServe
	ptNewFlow
	ptNewNone
	ptNewMany
	ptNewMost
	ptNewWaits
	ptSeed
	ptSeedStep
	ptReset
	ptResetQueue
	ptNotReady
	ptBothNotReady
)

// points lists the coverage points; those that a configuration cannot reach are not required.
func points(p *params.Params) []cosim.Point {
	small := p.SweepBits() <= 10         // an episode is as long as the sweep
	few := p.Outstanding <= 256          // SIMs of one RTTmax fill the slots
	illegal := p.Flows != 1<<p.FlowBits  // a flow that does not exist
	copies := p.Copies <= 64             // DATAs of one timeout fill them
	repeats := p.Repeats <= 16 && copies // and one more timeout these
	var list bench.Points
	add := list.Add
	add("sim/waits", "an offered SIM that is not taken at once", true)
	add("sim/burst", "two SIMs two cycles apart", p.Bucket > 1)
	add("sim/no_token", "SIMs wait and there is no token", true)
	add("sim/blocked", "a SIM was offered for so long that the bucket is full again", true)
	add("queue/full", "the queue has cfg_sim_queue SIMs, and a flow wants one", true)
	add("queue/32", "the queue has 32 SIMs", few && p.Outstanding > 32)
	add("slots/full", "a flow wants a SIM, the queue has room, and there is no slot", few)
	add("turn/two", "a flow is served with another one in the list", p.Flows > 1)
	add("turn/alone", "a flow that is served wants another SIM and is alone", true)
	add("sim_ack/soon", "a SIM-ACK in the cycle after its SIM", true)
	add("sim_ack/last", "a SIM-ACK RTTmax after its SIM", true)
	add("sim_ack/late", "a SIM-ACK one cycle later than RTTmax", true)
	add("sim_ack/twice", "a SIM-ACK of an acknowledged SIM", true)
	add("sim_ack/next", "two SIM-ACKs of one port in consecutive cycles", true)
	add("sim_ack/queued", "a SIM-ACK of a SIM that is still in the queue", true)
	add("sim_ack/random", "a SIM-ACK of a slot in flight with other random bits", true)
	add("sim_ack/behind", "a SIM-ACK with an older SIM in flight that has none", true)
	add("due/both", "of two packets that fall due one after the other, one is acknowledged", true)
	add("due/row", "packets leave the ring two cycles apart", true)
	add("due/timeout", "a SIM times out", true)
	add("due/shorter", "RTTmax was lowered, and a packet is late", true)
	add("data/exact", "a DATA is offered RTTmax and the unit's latency after its SIM", true)
	add("data/waits", "an offered DATA that is not taken at once", true)
	add("data/no_room", "a DATA waits for one that is not acknowledged", copies)
	add("data/unmatched", "a DATA is at the head of its queue and has no number yet", true)
	add("data/again", "a DATA that timed out is sent again", true)
	add("data/again_twice", "two of one flow, the last one first", true)
	add("data/seq_wrap", "the numbers of a flow wrap", p.SeqBits <= 8 && p.Flows <= 16)
	add("data/oldest", "a DATA is sent with SIMs that timed out behind it", true)
	add("data_ack/first", "a DATA-ACK of the oldest DATA", true)
	add("data_ack/order", "a DATA-ACK with an older DATA that has none", true)
	add("data_ack/twice", "a DATA-ACK of an acknowledged DATA that is still in the ring", true)
	add("data_ack/old", "a DATA-ACK of a tag that is not in use", true)
	add("data_ack/last", "a DATA-ACK in the cycle in which its DATA leaves the ring", true)
	add("data/timeout", "a DATA times out", true)
	add("data/tag_wrap", "tags wrap", p.TagBits <= 8)
	add("head/two", "a DATA that timed out goes before another one", true)
	add("head/no_space", "a DATA timed out and is given back", repeats)
	add("head/waits", "a DATA that timed out waits for SIM-ACKs to be matched", true)
	add("head/first", "a SIM-ACK waits for a DATA that timed out", true)
	add("want/late", "a SIM and a DATA that timed out in one cycle", true)
	add("want/serve", "a SIM times out in a cycle in which a flow could be served", true)
	add("new/late", "new DATAs wait for a SIM or DATA that timed out", true)
	add("new/serve", "new DATAs wait for a SIM", true)
	add("new/flow", "new DATAs of a flow that does not exist", illegal)
	add("new/none", "a count of 0", true)
	add("new/many", "new DATAs of a flow with too many", p.WantBits <= 16)
	add("new/most", "the largest count", true)
	add("new/waits", "new DATAs are offered in a cycle in which none are taken", true)
	add("seed", "a seed", true)
	add("seed/step", "a seed in the cycle in which a SIM gets its port", true)
	add("reset", "a reset with packets in flight", small)
	add("reset/queue", "a reset with a SIM or a DATA offered", small)
	add("not_ready", "a SIM-ACK or DATA-ACK while memories are cleared", true)
	add("not_ready/both", "both in one cycle", true)
	return list
}

// coverage holds the memory of the coverage points.
type coverage struct {
	lastSIM   uint64 // the cycle in which one was taken
	offeredAt uint64
	lastPort  uint64
	acked     bool // the packet that fell due last
	dueAt     uint64
	oldAgain  bool // the last DATA was one that timed out
	lastSeq   uint64
	lastFlow  uint32
}

// cover looks at what a cycle brings and decides, before it changes anything.
func (g *golden) cover(n *bench.Now, d *decisions) {
	s, c, v := &g.s, n.Cycle, &g.cov
	hit := func(point int, when bool) {
		if when {
			g.f.Reached[point]++
		}
	}
	_, queued := s.sims.head(c)
	flow, listed := s.list.head(c)
	size := g.set.SIMQueue
	room := s.queued < size && s.queued < 32
	hit(ptOfferWaits, s.offered != nil && !d.simTake)
	hit(ptNoToken, queued && s.offered == nil && !d.simLoad)
	hit(ptLongBlock, s.offered != nil && s.bucket.Have() == g.p.Bucket && c > v.offeredAt+2)
	hit(ptQueueFull, listed && s.queued == size)
	hit(ptQueue32, s.queued == 32)
	hit(ptSlotsFull, listed && room && !s.slotRoom)
	hit(ptTurns, d.serve && s.list.len() > 1)
	hit(ptAlone, d.serve && s.list.len() == 1 && s.m.Flow(flow).Wants() > 1)
	if d.simLoad {
		v.offeredAt = c
	}
	if d.simTake {
		hit(ptBurst, c == v.lastSIM+2)
		v.lastSIM = c
	}
	g.coverSIMAck(n, hit)
	g.coverDue(n, hit, d)
	g.coverData(n, hit, d)
	g.coverDataAck(n, hit, d)

	hit(ptHeadWaits, s.againHead && !d.matchAgain)
	if _, any := s.acks.head(c); any {
		hit(ptAckWaits, s.againHead && d.matchAgain)
	}
	if s.step[2] && s.matching == nil {
		hit(ptHeadTwo, len(s.m.Flow(s.again.flow).Again) > 0)
	}
	hit(ptWantLate, d.late && s.againWant)
	hit(ptWantServe, d.late && listed && room && s.slotRoom)
	f := &s.fresh
	hit(ptNewLate, f.valid && (d.late || d.again))
	hit(ptNewServe, f.valid && d.serve)
	hit(ptNewFlow, f.valid && f.what.Flow >= uint64(g.p.Flows))
	hit(ptNewNone, f.valid && f.what.Count == 0)
	if d.fresh {
		hit(ptNewMany, s.m.Flow(uint32(f.what.Flow)).Wants() >= 1<<(g.p.WantBits-1))
		hit(ptNewMost, f.what.Count == 1<<params.CountBits-1)
	}
	hit(ptNewWaits, g.news.On(n.In) && n.Ready && f.valid)
	hit(ptSeed, g.seeds.On(n.In))
	hit(ptSeedStep, g.seeds.On(n.In) && s.served != nil)
	early := !n.Ready
	hit(ptNotReady, early && (g.simAcks.On(n.In) || g.dataAcks.On(n.In)))
	hit(ptBothNotReady, early && g.simAcks.On(n.In) && g.dataAcks.On(n.In))
}

func (g *golden) coverSIMAck(n *bench.Now, hit func(int, bool)) {
	s, c, v := &g.s, n.Cycle, &g.cov
	if !s.ack {
		v.lastPort = ^uint64(0)
		return
	}
	hit(ptAckNext, s.ackPort == v.lastPort)
	v.lastPort = s.ackPort
	if sim := s.m.InFlight(s.ackPort); sim != nil {
		hit(ptAckTwice, sim.Acked)
		hit(ptAckSoon, !sim.Acked && c-1 == sim.Sent+1)
		hit(ptAckLast, !sim.Acked && c-1 == sim.Sent+g.was.RTTMax)
		if len(s.flight.words) > 0 {
			oldest := s.flight.words[0].sim
			hit(ptAckBehind, !sim.Acked && oldest != sim && !oldest.Acked)
		}
		return
	}
	for _, sim := range s.leaving {
		hit(ptAckLate, sim != nil && !sim.Acked && s.m.Port(sim) == s.ackPort && c-1 == sim.Sent+g.was.RTTMax+1)
	}
	if s.offered != nil {
		hit(ptAckQueued, s.m.Port(s.offered) == s.ackPort)
	}
	for i := range s.flight.words {
		sim := s.flight.words[i].sim
		hit(ptAckRandom, sim.Slot == s.m.Slot(s.ackPort))
	}
}

func (g *golden) coverDue(n *bench.Now, hit func(int, bool), d *decisions) {
	s, c, v := &g.s, n.Cycle, &g.cov
	if !d.due {
		return
	}
	f, _ := s.flight.head(c)
	hit(ptDueRow, v.dueAt == c-2)
	hit(ptDueBoth, c-v.dueAt < 16 && v.acked != f.sim.Acked)
	hit(ptTimeout, !f.sim.Acked)
	hit(ptShorter, c-f.stamp > g.was.RTTMax)
	v.dueAt, v.acked = c, f.sim.Acked
}

func (g *golden) coverData(n *bench.Now, hit func(int, bool), d *decisions) {
	s, c, v := &g.s, n.Cycle, &g.cov
	hit(ptDataWaits, s.data != nil && !d.dataTake)
	hit(ptDataNoRoom, s.found && s.data == nil && !s.copyRoom)
	if head, any := s.datas.head(c); any {
		hit(ptDataUnmatched, s.look && head.Matched == 0)
		hit(ptDataExact, d.dataLoad && c+1 == head.Sent+g.was.RTTMax+params.Release)
	}
	if !d.dataTake {
		return
	}
	f := s.data
	hit(ptDataAgain, f.Again)
	hit(ptDataAgainTwice, f.Again && v.oldAgain && f.Flow == v.lastFlow && f.Seq < v.lastSeq)
	hit(ptSeqWrap, f.Seq == 1<<g.p.SeqBits-1)
	hit(ptSlotOldest, s.coming == 1 && s.after != (f.Slot+1)%uint64(g.p.Outstanding))
	hit(ptTagWrap, s.tail == 1<<g.p.TagBits-1)
	v.oldAgain, v.lastFlow, v.lastSeq = f.Again, f.Flow, f.Seq
}

func (g *golden) coverDataAck(n *bench.Now, hit func(int, bool), d *decisions) {
	s, c := &g.s, n.Cycle
	if f := s.left[1]; f != nil && f.acked == 0 {
		hit(ptDataTimeout, s.space)
		hit(ptNoSpace, !s.space)
	}
	if !s.dataAck {
		return
	}
	f := s.live[s.dataTag]
	hit(ptDataAckOld, f == nil)
	if f == nil {
		return
	}
	head, any := s.copies.head(c)
	hit(ptDataAckTwice, f.acked != 0)
	hit(ptDataAck, f.acked == 0 && any && f == head)
	hit(ptDataAckOrder, f.acked == 0 && any && f != head && head.acked == 0)
	hit(ptDataAckLast, f.acked == 0 && d.copyLeaves && f == head)
}

// coverReset looks at what a reset clears.
func (g *golden) coverReset() {
	s := &g.s
	if s.flight.len() > 0 {
		g.f.Reached[ptReset]++
	}
	if s.offered != nil || s.data != nil {
		g.f.Reached[ptResetQueue]++
	}
}
