// SPDX-License-Identifier: Apache-2.0

package laps

import (
	params "github.com/nicgen/nicgen/gen/laps"
	lapspaths "github.com/nicgen/nicgen/gen/laps_paths"
)

// segment is a tracked segment, or an ACK of one.
type segment struct {
	pid, flow, seq uint64
}

// cover counts the coverage points.
type cover struct {
	hits    []uint64
	rowBits int
	banks   int // index of the first bank's point
	last    []uint64
	packets bool // there was one in the cycle before
	rates   bool
	shown   [early]segment // tracked, by cycle modulo early
	// The paths that were measured, by cycle modulo the length: the cycles before a path is
	// shown within which a measurement that is taken may not be in the latency shown with it.
	measured []uint64
	since    uint64 // the first of these cycles that is too late for that latency
	at       uint64
}

// nobody is a path that does not exist.
const nobody = ^uint64(0)

func newCover(p *params.Params, hits []uint64) *cover {
	n := len(p.Counters())
	c := &cover{hits: hits, rowBits: p.Tables.RowBits(), banks: ptCounter + n, last: make([]uint64, n)}
	d := p.Delays()
	c.measured, c.since = make([]uint64, d.Path+d.Window), uint64(d.Path)+1
	c.reset()
	return c
}

// reset forgets what is under way.
func (c *cover) reset() {
	clear(c.last)
	c.packets, c.rates = false, false
	for i := range c.shown {
		c.shown[i].pid = nobody
	}
	for i := range c.measured {
		c.measured[i] = nobody
	}
}

// hit counts a point if on.
func (c *cover) hit(point int, on bool) {
	if on {
		c.hits[point]++
	}
}

// cycle looks at a cycle's inputs, and at what the unit shows in it.
func (c *cover) cycle(r *predictor, in, want []uint64, ready, rst, room bool) {
	x := r.pins
	packet, ack, answer := x.packet.On(in), x.ack.On(in), x.answer.On(in)
	if rst {
		c.hit(ptReset, ready && packet)
		c.reset()
		return
	}
	if !ready {
		c.hit(ptNotReady, packet || ack || answer || x.cfg.On(in))
		return
	}
	shared := r.p.Tables.AckLookup == lapspaths.Shared
	slot := !shared || !packet
	acked := ack && x.ackReady.On(want)
	path := x.path.On(want)
	none := path && x.pathNone.On(want)
	pid := x.pathPid.Get(want)
	cfg := x.cfg.On(in)

	c.hit(ptPath, path && !none)
	c.hit(ptNone, none)
	c.hit(ptBackToBack, packet && c.packets)
	c.packets = packet
	c.hit(ptAckPacket, ack && !slot)
	c.hit(ptAckAnswer, ack && slot && answer && room)
	c.hit(ptAnswerPacket, answer && !slot)
	c.hit(ptSamePacketAck, packet && acked)
	c.hit(ptOpenWaits, x.open.On(in) && !x.openReady.On(want))
	c.hit(ptRouteWaits, x.route.On(in) && !x.routeReady.On(want))
	c.hit(ptCfgWaits, cfg && !x.cfgReady.On(want))
	c.hit(ptCommitPacket, packet && cfg && x.cfgReady.On(want) && x.cfgOp.Get(in) == lapspaths.OpCommit &&
		x.cfgDst.Get(in) == x.packetDst.Get(in))
	rate := x.rate.On(want)
	c.hit(ptRateHeld, rate && x.rateCause.Get(want) == 0)
	c.hit(ptRateBackToBack, rate && c.rates)
	c.rates = rate
	c.hit(ptSeed, x.seed.On(in))
	if path && !none {
		c.hits[c.banks+int(pid>>c.rowBits)]++
	}
	if r.loss != nil {
		c.loss(r, in, want, acked, path && !none, none, pid)
		c.hit(ptAckQueue, ack && slot && !answer && !room)
		c.hit(ptQueueCfg, ack && slot && !answer && !room && cfg && x.cfgReady.On(want))
	}
	c.measured[c.at%uint64(len(c.measured))] = nobody
	switch {
	case acked:
		c.measured[c.at%uint64(len(c.measured))] = x.ackPid.Get(in)
	case answer && slot:
		c.measured[c.at%uint64(len(c.measured))] = x.answerPid.Get(in)
	}
	c.count(r, want)
	c.at++
}

// loss looks at what concerns the loss detector.
func (c *cover) loss(r *predictor, in, want []uint64, acked, path, none bool, pid uint64) {
	x := r.pins
	carried := r.paths.want
	tracked := r.pTracked.Pin.Bits(carried, r.pTracked.first, 1) == 1
	c.hit(ptTrackedNone, none && tracked)
	c.hit(ptUntracked, path && !tracked)
	c.hit(ptStored, x.sent.On(want) && x.stored.On(want))
	c.hit(ptFull, x.sent.On(want) && !x.stored.On(want))
	c.hit(ptLostWaits, x.lost.On(want) && !x.lostReady.On(in))
	s := segment{x.ackPid.Get(in), x.ackFlow.Get(in), x.ackSeq.Get(in)}
	c.hit(ptPathAck, path && tracked && acked)
	c.hit(ptPathAckSame, path && tracked && acked && s.pid == pid)
	if acked {
		for n := 1; n <= early; n++ {
			c.hit(ptEarly+n-1, c.shown[(c.at+early-uint64(n))%early] == s)
		}
	}
	sent := &c.shown[c.at%early]
	sent.pid = nobody
	if path && tracked {
		*sent = segment{pid: pid}
		r.lSegment(sent)
		n := uint64(len(c.measured))
		for back := c.since; back < n && back <= c.at; back++ {
			c.hit(ptSamePathMeasured, c.measured[(c.at-back)%n] == pid)
		}
	}
}

// lSegment reads the flow and the sequence number of the segment that is shown to the
// loss detector.
func (r *predictor) lSegment(s *segment) {
	s.flow, s.seq = r.lFlow.Get(r.loss.in), r.lSeq.Get(r.loss.in)
}

// count looks for counters that have counted.
func (c *cover) count(r *predictor, want []uint64) {
	for i := range r.counters {
		if v := r.counters[i].Get(want); v != c.last[i] {
			c.last[i] = v
			c.hits[ptCounter+i]++
		}
	}
}
