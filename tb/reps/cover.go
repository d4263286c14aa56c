// SPDX-License-Identifier: Apache-2.0

package reps

import (
	params "github.com/nicgen/nicgen/gen/reps"
	model "github.com/nicgen/nicgen/model/reps"
)

// coverCycle counts the points of events in the same cycle.
func (r *predictor) coverCycle(in []uint64, ack bool) {
	x, h := r.pins, r.Reached
	now := x.now.Get(in)
	if now < r.lastNow {
		h[ptTimeWrap]++
	}
	r.lastNow = now
	if x.seedValid.On(in) {
		h[ptSeed]++
		if x.sendValid.On(in) {
			h[ptSeedSend]++
		}
	}
	if x.sendValid.On(in) && x.sendInject.On(in) {
		h[ptInject]++
	}
	if ack && x.flushValid.On(in) {
		h[ptFlushWaits]++
	}
}

// coverAck counts the points of an ACK from the connection's state before it.
func (r *predictor) coverAck(a returned, now uint64) {
	s, h := r.m.Conn(a.conn, a.port), r.Reached
	if r.m.Settings.EVBase != 0 {
		h[ptBase]++
	}
	if s == nil {
		r.coverIllegal(ptIllegalAck, a.conn)
		return
	}
	if int64((a.ev-r.m.Settings.EVBase)&(1<<r.p.WireBits()-1)) >= 1<<r.p.EVSBits {
		h[ptIllegalEV]++
		return
	}
	if a.ecn {
		h[ptAckECN]++
		if s.Frozen && (now-s.Exit)&r.mask == 1 {
			h[ptThawECN]++
		}
		return
	}
	h[ptAckGood]++
	depth := uint8(r.p.BufferDepth)
	seen := &r.seen[r.row(a.conn, a.port)]
	if s.Valid == depth {
		h[ptAckOverwrite]++
		if seen.reused != 0 {
			h[ptReuseRenew]++
			seen.reused = 0
		}
	}
	if s.Filled == depth-1 {
		h[ptAckFill]++
	}
	if seen.burst < 255 {
		if seen.burst++; seen.burst == depth+1 {
			h[ptAckBurst]++
		}
	}
	if s.Frozen {
		switch late := (now - s.Exit) & r.mask; {
		case late == 0:
			h[ptThawExact]++
		case late > r.top+1:
			h[ptThawEarly]++
		case late == 1:
			h[ptThawNext]++
			r.coverNum()
		default:
			h[ptThaw]++
			r.coverNum()
		}
	}
}

// coverNum counts the points of NUM_PKTS_CWND at the end of freezing.
func (r *predictor) coverNum() {
	n, d := int64(r.m.Settings.NumPkts), r.p.BufferDepth
	h := r.Reached
	if n == d-1 {
		h[ptNumDepthLess]++
	}
	if n == d {
		h[ptNumDepth]++
	}
	switch {
	case n == 0:
		h[ptNum0]++
	case n == 1:
		h[ptNum1]++
	case n == params.ExploreMax:
		h[ptNum255]++
	case n > params.ExploreMax:
		h[ptNumAbove]++
	}
}

// coverFail counts the points of a failure at time now, from the state before it.
func (r *predictor) coverFail(c uint32, port int, now uint64) {
	s := r.m.Conn(c, port)
	switch {
	case s == nil:
		r.coverIllegal(ptIllegalFail, c)
	case !r.m.Settings.Freezing:
		r.Reached[ptFailOff]++
	case s.Frozen:
		r.Reached[ptFailFrozen]++
	case s.Explore != 0 || s.Begin:
		r.Reached[ptFailExploring]++
	default:
		r.Reached[ptFailFreeze]++
		r.coverFreeze(now)
	}
}

// coverFreeze counts the points of the timeout of a freezing that starts at time now.
func (r *predictor) coverFreeze(now uint64) {
	t := r.m.Settings.Timeout
	if t == 0 {
		r.Reached[ptTimeout0]++
	}
	if t == r.top {
		r.Reached[ptTimeoutMax]++
	}
	if (now+t)&r.mask < now {
		r.Reached[ptExitWrap]++
	}
}

// coverIllegal counts an event of a connection or NIC port that does not exist.
func (r *predictor) coverIllegal(point int, c uint32) {
	if int64(c) < r.p.Connections {
		point = ptIllegalPort
	}
	r.Reached[point]++
}

// coverFlush counts the points of a flush, from the state before it.
func (r *predictor) coverFlush(c uint32, port int) {
	s := r.m.Conn(c, port)
	switch {
	case s == nil:
		r.coverIllegal(ptIllegalFlush, c)
		return
	case s.Frozen:
		r.Reached[ptFlushFrozen]++
	case s.Explore != 0 || s.Begin:
		r.Reached[ptFlushExploring]++
	}
	if s.Valid != 0 {
		r.Reached[ptFlushFilled]++
	}
	r.seen[r.row(c, port)] = tracked{}
}

// coverSend counts the points of a SEND; was is the state before it.
func (r *predictor) coverSend(c uint32, port int, was *model.Conn, src model.Source) {
	h := r.Reached
	switch src {
	case model.None:
		r.coverIllegal(ptIllegalSend, c)
		return
	case model.Oblivious:
		h[ptModeOPS]++
		return
	case model.Fixed:
		h[ptModeECMP]++
		return
	}
	seen := &r.seen[r.row(c, port)]
	seen.burst = 0
	exploring := was.Explore > 0 || was.Begin && r.m.Settings.NumPkts != 0
	if exploring && r.m.Conn(c, port).Explore == 0 {
		h[ptExploreEnd]++
	}
	switch src {
	case model.Cached:
		h[ptSendCached]++
		if was.Frozen {
			h[ptSendFrozenFresh]++
		}
		if exploring {
			h[ptExploreMiss]++
		}
		if r.p.Coalescing == params.Reuse {
			if r.m.Conn(c, port).Valid == was.Valid {
				seen.reused++
				h[ptReuseAgain]++
			} else {
				seen.reused = 0
			}
		}
	case model.Frozen:
		if was.Filled == uint8(r.p.BufferDepth) {
			h[ptSendFrozenFull]++
			break
		}
		h[ptSendFrozenPart]++
		if was.Reuse+1 == was.Filled {
			h[ptSendFrozenWrap]++
		}
	case model.Explored:
		for other := range int(r.p.NICPorts) {
			if was.Valid == 0 && r.m.Conn(c, other).Valid > 0 {
				h[ptPortsApart]++
				break
			}
		}
		switch {
		case exploring && (was.Valid > 0 || was.Frozen):
			h[ptExploreHit]++
		case was.Filled == 0 && was.Frozen:
			h[ptSendFrozenNever]++
		case was.Filled == 0:
			h[ptSendNever]++
		case was.Valid == 0 && !was.Frozen:
			h[ptSendDrained]++
		}
	}
}

// coverPairs counts events on one connection and NIC port in one cycle, and their
// distances; a, f and s are the rows, -1 where there is none.
func (r *predictor) coverPairs(ack, flush, fail, send bool, e model.Events, a, f, s int) {
	thaw, freeze := e&model.EvThaw != 0, e&model.EvFreeze != 0
	h := r.Reached
	if (ack || flush) && a >= 0 {
		if send && a == s {
			switch {
			case flush:
				h[ptSameFlushSend]++
			case fail && f == s:
				h[ptSameAll]++
				fallthrough
			default:
				h[ptSameAckSend]++
			}
			if thaw {
				h[ptSameThawSend]++
			}
		}
		if fail && a == f {
			if flush {
				h[ptSameFlushFail]++
			} else {
				h[ptSameAckFail]++
			}
			if thaw {
				h[ptSameThawFail]++
			}
		}
	}
	if fail && send && f == s && f >= 0 {
		h[ptSameFailSend]++
		if freeze {
			h[ptSameFreezeSend]++
		}
	}
	on := [kinds]bool{kindAck: ack && a >= 0, kindFail: fail && f >= 0, kindSend: send && s >= 0}
	r.apart.Cycle(r.Cycle, on[:], []uint32{kindAck: uint32(a), kindFail: uint32(f), kindSend: uint32(s)})
}
