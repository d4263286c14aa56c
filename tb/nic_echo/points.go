// SPDX-License-Identifier: Apache-2.0

package nicecho

import (
	"fmt"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/nic_echo"
	model "github.com/nicgen/nicgen/model/nic_echo"
	"github.com/nicgen/nicgen/tb/bench"
)

// Coverage points, by index, in the order of the table in points.
const (
	ptSame = iota
	ptNext
	ptHit
	ptMiss
	ptTag
	ptMarked
	ptOr
	ptOrMiss
	ptFresh
	ptFreshSame
	ptStale
	ptSameConn
	ptFlush
	ptFlushed
	ptIllegalData
	ptIllegalAck
	ptIllegalFlush
	ptEarly
	ptReset
	ptDuplicate
	ptAgain
	ptByNumber
	ptByScan
	ptByTime
	ptLost
	ptEmpty
	ptFull
	ptStall
	ptGrows
	ptList
)

// points lists the coverage points; those that a configuration cannot reach are not required.
func points(p *params.Params) []cosim.Point {
	var list bench.Points
	add := list.Add
	shims, lists := p.ShimBits > 0, p.List > 0
	add("ack/same", "an ACK of the packet that comes in its own cycle", true)
	add("ack/next", "an ACK of the packet of the cycle after it: it is not known yet", true)
	add("ack/hit", "an ACK whose packet is known", true)
	add("ack/miss", "one whose packet is not", true)
	add("ack/tag", "one whose place has another packet", true)
	add("mark/own", "the mark of the ACK's own packet", true)
	add("mark/or", "a mark since the last ACK, of another packet", true)
	add("mark/or_miss", "the same without a hit", true)
	add("shim/fresh", "an ACK gets a shim", shims)
	add("shim/same", "that of its own cycle", shims)
	add("shim/stale", "an ACK finds the shim gone", shims)
	add("same_conn", "packet and ACK of one connection in a cycle, of other PSNs", true)
	add("flush", "a flush is done", true)
	add("flush/waits", "a flush waits for a packet", true)
	add("illegal/data", "a packet of a connection that does not exist", p.ConnBits > 0 && p.Connections < 1<<p.ConnBits)
	add("illegal/ack", "an ACK of one", p.Connections < 1<<p.ConnBits)
	add("illegal/flush", "a flush of one", p.Connections < 1<<p.ConnBits)
	add("early", "a packet or an ACK before the unit is ready", true)
	add("reset", "a reset while packets and ACKs are inside", true)
	add("list/duplicate", "a packet that has come before", lists)
	add("list/again", "the list says so", lists)
	add("list/number", "a list is due by its number of packets", lists)
	add("list/scan", "the scan finds one that is", lists)
	add("list/time", "a list is due by time", p.List > 1)
	add("list/lost", "a full list loses its oldest packet", lists)
	add("list/empty", "a list that waited is empty", lists)
	add("list/full", "no more lists can wait", lists && p.Connections >= params.FIFO)
	add("list/stall", "a list waits for m_fb_ready", lists)
	add("list/grows", "packets of its connection come while a list goes out", lists)
	for i := range p.List {
		add(fmt.Sprintf("list/%d", i+1), fmt.Sprintf("a list of %d goes out", i+1), true)
	}
	return list
}

// coverage holds the memory of the coverage points.
type coverage struct {
	conn, psn uint64 // of the ACK of the cycle before
	had       bool
}

// hit counts a point.
func (r *golden) hit(point int, is bool) {
	if is {
		r.f.Reached[point]++
	}
}

// coverReset looks at a reset.
func (r *golden) coverReset() {
	for k := range uint64(2) {
		if e := &r.events[(r.f.Cycle-1-k)%window]; e.op == data || e.ack {
			r.f.Reached[ptReset]++
			return
		}
	}
}

// cover looks at what the lane did, with the counters from before.
func (r *golden) cover(cycle uint64, e *event, before *model.Counters, due bool) {
	hit, lists := r.hit, r.p.List > 0
	v := &r.cov
	hit(ptEarly, e.early > 0)
	hit(ptFlush, e.op == emptying)
	hit(ptFlushed, r.flushed > 0 && e.op == data)
	hit(ptIllegalData, e.wrong == data)
	hit(ptIllegalAck, e.illegal > 0 && e.answer && !e.ack)
	hit(ptIllegalFlush, e.wrong == emptying)
	if e.op == data {
		hit(ptNext, v.had && v.conn == uint64(e.conn) && v.psn == e.packet.PSN)
		hit(ptSame, e.ack && e.ackConn == e.conn && e.ackPSN == e.packet.PSN)
		hit(ptSameConn, e.ack && e.ackConn == e.conn && e.ackPSN != e.packet.PSN)
	}
	v.had, v.conn, v.psn = e.ack, uint64(e.ackConn), e.ackPSN
	if !lists {
		return
	}
	if e.op == data {
		hit(ptDuplicate, r.unit.Count.Duplicate > before.Duplicate)
		hit(ptByNumber, due)
		hit(ptLost, r.unit.Count.Lost > before.Lost)
		hit(ptGrows, r.fbAt != 0 && e.conn == r.fbConn && e.packet.Feedback)
	}
	if e.op == scanning && due {
		number := r.unit.Settings
		number.FeedbackTime = 1<<(r.p.TimerBits-1) - 1
		was := r.unit.Settings
		r.unit.Settings = number
		byNumber := r.unit.Scan(e.conn, e.now)
		r.unit.Settings = was
		hit(ptByScan, byNumber)
		hit(ptByTime, !byNumber)
	}
	if e.op == taking {
		taken := r.unit.Count.Feedback > before.Feedback
		hit(ptEmpty, !taken)
		if taken {
			hit(ptList+len(r.fb.Seen)-1, true)
			hit(ptAgain, r.fb.Again)
		}
	}
	hit(ptStall, r.fbAt != 0 && cycle > r.fbAt)
}

// coverAck looks at an echo.
func (r *golden) coverAck(e *event, echo *model.Echo) {
	hit := r.hit
	hit(ptHit, echo.Hit)
	hit(ptMiss, !echo.Hit)
	hit(ptTag, !echo.Hit && r.unit.Occupied(e.ackConn, e.ackPSN))
	hit(ptMarked, echo.Hit && echo.Mark && !e.or)
	hit(ptOr, echo.Hit && echo.Mark && e.or)
	hit(ptOrMiss, !echo.Hit && echo.Mark && e.or)
	hit(ptFresh, echo.Fresh)
	hit(ptFreshSame, echo.Fresh && e.op == data && e.conn == e.ackConn && e.packet.Shim != nil)
	hit(ptStale, !echo.Fresh)
}
