// SPDX-License-Identifier: Apache-2.0

package reps

import (
	params "github.com/nicgen/nicgen/gen/reps"
	model "github.com/nicgen/nicgen/model/reps"
)

// coverAck looks at the connection before an ACK.
func (r *predictor) coverAck(c uint32, ev uint16, ecn bool, now uint64) {
	s, ok := r.m.State(c)
	h := r.hits
	if !ok {
		h[ptIllegalAck]++
		return
	}
	if int64(ev-r.m.Settings.EVBase) >= 1<<r.p.EVSBits {
		h[ptIllegalEV]++
		return
	}
	late := (now - s.Exit) & (1<<(r.p.TimerBits-1)<<1 - 1)
	if ecn {
		h[ptAckECN]++
		if s.Frozen && late == 1 {
			h[ptThawECN]++
		}
		return
	}
	h[ptAckGood]++
	depth := uint8(r.p.BufferDepth)
	if s.Valid == depth {
		h[ptAckOverwrite]++
		if r.reused[c] != 0 {
			h[ptReuseRenew]++
			r.reused[c] = 0
		}
	}
	if s.Filled == depth-1 {
		h[ptAckFill]++
	}
	if r.burst[c] < 255 {
		if r.burst[c]++; r.burst[c] == depth+1 {
			h[ptAckBurst]++
		}
	}
	if s.Frozen {
		switch {
		case late == 0:
			h[ptThawExact]++
		case late == 1:
			h[ptThawNext]++
		case late > r.maxT+1:
			h[ptThawEarly]++
		default:
			h[ptThaw]++
		}
	}
}

// coverNum looks at NUM_PKTS_CWND when freezing has ended.
func (r *predictor) coverNum() {
	n, d := int64(r.m.Settings.NumPkts), r.p.BufferDepth
	h := r.hits
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

func (r *predictor) coverFail(c uint32) {
	s, ok := r.m.State(c)
	switch {
	case !ok:
		r.hits[ptIllegalFail]++
	case !r.m.Settings.Freezing:
		r.hits[ptFailOff]++
	case s.Frozen:
		r.hits[ptFailFrozen]++
	case s.Explore != 0 || s.Begin:
		r.hits[ptFailExploring]++
	default:
		r.hits[ptFailFreeze]++
	}
}

func (r *predictor) coverFreeze(now uint64) {
	t := r.m.Settings.Timeout
	if t == 0 {
		r.hits[ptTimeout0]++
	}
	if t == r.maxT {
		r.hits[ptTimeoutMax]++
	}
	if mask := r.maxT<<1 | 1; (now+t)&mask < now {
		r.hits[ptExitWrap]++
	}
}

func (r *predictor) coverFlush(c uint32) {
	s, ok := r.m.State(c)
	switch {
	case !ok:
		r.hits[ptIllegalFlush]++
		return
	case s.Frozen:
		r.hits[ptFlushFrozen]++
	case s.Explore != 0 || s.Begin:
		r.hits[ptFlushExploring]++
	}
	if s.Valid != 0 {
		r.hits[ptFlushFilled]++
	}
	r.burst[c], r.reused[c] = 0, 0
}

// before is what coverSend needs to know of a connection before a SEND.
type before struct {
	ok                            bool
	valid, filled, reuse, explore uint8
	frozen, begin                 bool
}

func (r *predictor) coverBefore(c uint32) before {
	s, ok := r.m.State(c)
	return before{ok, s.Valid, s.Filled, s.Reuse, s.Explore, s.Frozen, s.Begin}
}

func (r *predictor) coverSend(c uint32, port int, b before, src model.Source) {
	h := r.hits
	switch {
	case src == model.None:
		if b.ok {
			h[ptIllegalPort]++
		} else {
			h[ptIllegalSend]++
		}
		return
	case src == model.Oblivious:
		h[ptModeOPS]++
		return
	case src == model.Fixed:
		h[ptModeECMP]++
		return
	}
	r.burst[c] = 0
	exploring := b.explore > 0 || b.begin && r.m.Settings.NumPkts != 0
	if exploring {
		if s, _ := r.m.State(c); s.Explore == 0 {
			h[ptExploreEnd]++
		}
	}
	switch src {
	case model.Cached:
		h[ptSendCached]++
		if b.frozen {
			h[ptSendFrozenFresh]++
		}
		if exploring {
			h[ptExploreMiss]++
		}
		if r.p.Coalescing == params.Reuse {
			if s, _ := r.m.State(c); s.Valid == b.valid {
				r.reused[c]++
				h[ptReuseAgain]++
			} else {
				r.reused[c] = 0
			}
		}
	case model.Frozen:
		if b.filled == uint8(r.p.BufferDepth) {
			h[ptSendFrozenFull]++
			break
		}
		h[ptSendFrozenPart]++
		if b.reuse+1 == b.filled {
			h[ptSendFrozenWrap]++
		}
	case model.Explored:
		switch {
		case exploring && (b.valid > 0 || b.frozen):
			h[ptExploreHit]++
		case b.filled == 0 && b.frozen:
			h[ptSendFrozenNever]++
		case b.filled == 0:
			h[ptSendNever]++
		case b.valid == 0 && !b.frozen:
			h[ptSendDrained]++
		}
	}
}

// coverPairs counts events on one connection in one cycle, and their distances.
func (r *predictor) coverPairs(ack, flush, fail, send, thaw, freeze bool, a, f, s uint32) {
	h := r.hits
	n := uint32(r.p.Connections)
	if (ack || flush) && send && a == s && a < n {
		if flush {
			h[ptSameFlushSend]++
		} else {
			h[ptSameAckSend]++
		}
		if thaw {
			h[ptSameThawSend]++
		}
	}
	if (ack || flush) && fail && a == f && a < n {
		if flush {
			h[ptSameFlushFail]++
		} else {
			h[ptSameAckFail]++
			if send && s == f {
				h[ptSameAll]++
			}
		}
		if thaw {
			h[ptSameThawFail]++
		}
	}
	if fail && send && f == s && f < n {
		h[ptSameFailSend]++
		if freeze {
			h[ptSameFreezeSend]++
		}
	}
	if ack && a < n {
		r.distance(kindAck, a)
	}
	if fail && f < n {
		r.distance(kindFail, f)
	}
	if send && s < n {
		r.distance(kindSend, s)
	}
	if ack && a < n {
		r.last[3*a+kindAck] = r.cycle + 1
	}
	if fail && f < n {
		r.last[3*f+kindFail] = r.cycle + 1
	}
	if send && s < n {
		r.last[3*s+kindSend] = r.cycle + 1
	}
}

// distance counts how far back the last events of each kind on connection c lie.
func (r *predictor) distance(kind int, c uint32) {
	for from, l := range r.last[3*c : 3*c+3] {
		if d := r.cycle + 1 - l; l != 0 && d-1 < distances {
			r.hits[ptDistance+(3*from+kind)*distances+int(d)-1]++
		}
	}
}
