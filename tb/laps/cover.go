// SPDX-License-Identifier: Apache-2.0

package laps

import (
	params "github.com/nicgen/nicgen/gen/laps"
	lapsloss "github.com/nicgen/nicgen/gen/laps_loss"
	lapspaths "github.com/nicgen/nicgen/gen/laps_paths"
	lapsrate "github.com/nicgen/nicgen/gen/laps_rate"
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

// reset forgets events in progress.
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

// cycle looks at a cycle's inputs, and at a copy of the unit's state in it.
func (c *cover) cycle(r *golden, in, want []uint64, ready, rst, room bool) {
	x := &r.x
	packet, ack, answer := x.packets.On(in), x.acks.On(in), x.answers.On(in)
	if rst {
		c.hit(ptReset, ready && packet)
		c.reset()
		return
	}
	if !ready {
		c.hit(ptNotReady, packet || ack || answer || x.changes.On(in))
		return
	}
	shared := r.p.Tables.AckLookup == lapspaths.Shared
	slot := !shared || !packet
	acked := ack && x.ackReady.On(want)
	var shown lapspaths.Path
	path := x.paths.Read(want, &shown)
	none := path && shown.None
	pid := uint64(shown.PID)
	cfg := x.changes.On(in)

	c.hit(ptPath, path && !none)
	c.hit(ptNone, none)
	c.hit(ptBackToBack, packet && c.packets)
	c.packets = packet
	c.hit(ptAckPacket, ack && !slot)
	c.hit(ptAckAnswer, ack && slot && answer && room)
	c.hit(ptAnswerPacket, answer && !slot)
	c.hit(ptSamePacketAck, packet && acked)
	c.hit(ptOpenWaits, x.opens.On(in) && !x.openReady.On(want))
	c.hit(ptRouteWaits, x.routes.On(in) && !x.routeReady.On(want))
	c.hit(ptCfgWaits, cfg && !x.changeReady.On(want))
	if cfg && packet && x.changeReady.On(want) {
		var to params.Packet
		var change lapspaths.Change
		x.packets.Read(in, &to)
		x.changes.Read(in, &change)
		c.hit(ptCommitPacket, change.Op == lapspaths.OpCommit && change.Dst == to.Dst)
	}
	var told lapsrate.Rate
	rate := x.rates.Read(want, &told)
	c.hit(ptRateHeld, rate && told.Cause == 0)
	c.hit(ptRateBackToBack, rate && c.rates)
	c.rates = rate
	c.hit(ptSeed, x.seeds.On(in))
	if path && !none {
		c.hits[c.banks+int(pid>>c.rowBits)]++
	}
	if r.loss != nil {
		c.loss(r, in, want, acked, path && !none, none, pid)
		c.hit(ptAckQueue, ack && slot && !answer && !room)
		c.hit(ptQueueCfg, ack && slot && !answer && !room && cfg && x.changeReady.On(want))
	}
	c.measured[c.at%uint64(len(c.measured))] = nobody
	var measured params.ACK
	var answered params.Answer
	switch {
	case acked:
		x.acks.Read(in, &measured)
		c.measured[c.at%uint64(len(c.measured))] = uint64(measured.PID)
	case answer && slot:
		x.answers.Read(in, &answered)
		c.measured[c.at%uint64(len(c.measured))] = uint64(answered.PID)
	}
	c.count(r, want)
	c.at++
}

// loss looks at what concerns the loss detector.
func (c *cover) loss(r *golden, in, want []uint64, acked, path, none bool, pid uint64) {
	x := &r.x
	carried := r.paths.want
	tracked := r.pTracked.Pin.Bits(carried, r.pTracked.first, 1) == 1
	c.hit(ptTrackedNone, none && tracked)
	c.hit(ptUntracked, path && !tracked)
	var sent lapsloss.Sent
	if x.sent.Read(want, &sent) {
		c.hit(ptStored, sent.Stored)
		c.hit(ptFull, !sent.Stored)
	}
	c.hit(ptLostWaits, x.losses.On(want) && !x.lostReady.On(in))
	var a params.ACK
	x.acks.Read(in, &a)
	s := segment{uint64(a.PID), uint64(a.Flow), a.Seq}
	c.hit(ptPathAck, path && tracked && acked)
	c.hit(ptPathAckSame, path && tracked && acked && s.pid == pid)
	if acked {
		for n := 1; n <= early; n++ {
			c.hit(ptEarly+n-1, c.shown[(c.at+early-uint64(n))%early] == s)
		}
	}
	shown := &c.shown[c.at%early]
	shown.pid = nobody
	if path && tracked {
		*shown = segment{pid: pid}
		r.lSegment(shown)
		n := uint64(len(c.measured))
		for back := c.since; back < n && back <= c.at; back++ {
			c.hit(ptSamePathMeasured, c.measured[(c.at-back)%n] == pid)
		}
	}
}

// lSegment reads the flow and the sequence number of the segment that is shown to the
// loss detector.
func (r *golden) lSegment(s *segment) {
	s.flow, s.seq = r.lFlow.Get(r.loss.in), r.lSeq.Get(r.loss.in)
}

// count looks for counters that have counted.
func (c *cover) count(r *golden, want []uint64) {
	for i := range r.counters {
		if v := r.counters[i].Get(want); v != c.last[i] {
			c.last[i] = v
			c.hits[ptCounter+i]++
		}
	}
}
