// SPDX-License-Identifier: Apache-2.0

package lapsloss

import model "github.com/nicgen/nicgen/model/laps_loss"

// coverSend looks at a send on a path that exists, before which n segments were
// outstanding and the timer, if armed, was at was.
func (r *predictor) coverSend(e *event, stored bool, n int, armed bool, was uint64) {
	h := r.Reached
	if !stored {
		h[ptFull]++
		if n < int(r.p.Depth) {
			h[ptFullHeld]++
		}
		r.full[e.path] = true
		return
	}
	h[ptStored]++
	if r.full[e.path] {
		h[ptFullFreed]++
	}
	r.full[e.path] = false
	for i := range r.slots {
		if v := &r.slots[i]; v.on && v.path == e.path && v != r.entry && v != r.read {
			if v.timer {
				if len(v.lost) > 0 {
					h[ptExpiredSend]++
				}
			} else {
				h[ptSendBehind]++
			}
		}
	}
	if armed {
		r.coverSet(e.path, e.latency, e.rtoMin, was)
	}
	r.acked[e.path] = false
}

// coverSet looks at a timer that was at was and is set anew.
func (r *predictor) coverSet(path uint32, latency, rtoMin, was uint64) {
	h := r.Reached
	if 2*latency > rtoMin {
		h[ptByLatency]++
	} else {
		h[ptByMinimum]++
	}
	half := uint64(1) << (r.p.TimeBits - 1)
	if moved := r.m.Deadline(path) - was; moved&half != 0 {
		h[ptAckShortens]++
	}
}

// coverAck looks at an ACK of a path that exists, at the end of its first pass; out is
// what it sees outstanding there, the first in a lane.
func (r *predictor) coverAck(v *visit, out []model.Segment, lane int) {
	h, lanes, n := r.Reached, int(r.p.Lanes), len(out)
	at := 0
	for at < n && out[at] != v.seg {
		at++
	}
	passes := (lane+at)/lanes + 1
	if passes > 1 && at < n {
		h[ptLaterRow]++
	}
	if passes == int(r.p.Depth)/lanes+1 {
		h[ptMostPasses]++
	}
	if int(r.begin[v.path])+min(at, n-1) >= int(r.p.Depth) {
		h[ptWrap]++
	}
	if later := len(r.m.Outstanding(v.path)) - n; later > 0 {
		h[ptSendFirst]++
		for _, s := range r.m.Outstanding(v.path)[n:] {
			if at == n && s == v.seg {
				h[ptTooEarly]++
				break
			}
		}
	}
	if v.apart > 0 && at == n {
		if n == 0 {
			h[ptBehindLast]++
		}
		h[ptFollowIgnored]++
	}
	if v.apart > 0 && at == 0 && n > 0 {
		h[ptFollow+v.apart-1]++
		if n == 1 {
			h[ptFollowLast]++
		}
		if lane == 0 {
			h[ptFollowRow]++
		}
	}
	if at == n {
		switch n {
		case 0:
			h[ptIgnoredEmpty]++
		case int(r.p.Depth):
			h[ptIgnored]++
			h[ptIgnoredFull]++
		default:
			h[ptIgnored]++
		}
		if n > 0 && (lane+n)%lanes == 0 {
			h[ptEmptyRow]++
		}
		for _, s := range out {
			if s.Seq == v.seg.Seq {
				h[ptOtherFlow]++
				break
			}
		}
		return
	}
	switch {
	case at == 0:
		h[ptOrder]++
	case at == 1:
		h[ptSkipOne]++
	}
	if at >= lanes {
		h[ptSkipRow]++
	}
	if at == int(r.p.Depth)-1 {
		h[ptSkipAll]++
	}
	for _, s := range out[at+1:] {
		if s == v.seg {
			h[ptTwice]++
			break
		}
	}
}

// coverReport looks at a lost segment of visit v.
func (r *predictor) coverReport(v *visit) {
	for i := range r.slots {
		if o := &r.slots[i]; o.busy() && o != v && o.passes == 0 && o != r.entry && o != r.read {
			r.Reached[ptTwoReports]++
			return
		}
	}
}

// coverReplay looks at ACKs that go back behind visit v, which is not in order.
func (r *predictor) coverReplay(v *visit) {
	h := r.Reached
	switch {
	case v.cause == model.Skip:
		h[ptReplaySkip]++
	case v.on:
		h[ptReplaySearch]++
	default:
		h[ptReplayIgnored]++
	}
	if v.apart > 0 {
		h[ptReplayTwice]++
	}
}

// coverBack looks at an ACK that goes back to its queue before it has entered, because
// of visit v in stage n.
func (r *predictor) coverBack(v *visit, n int) {
	switch {
	case v.timer && len(v.lost) > 0:
		r.Reached[ptBackExpired]++
	case v.timer:
		r.Reached[ptBackTimer]++
	case v.cause == model.Skip && v.passes == 0:
		r.Reached[ptBackReport]++
	default:
		r.Reached[ptBackSearch]++
	}
	r.Reached[ptBackStage(r.p)+n]++
}

// coverTimer covers a timer that is read.
func (r *predictor) coverTimer(path uint32, now uint64) {
	h := r.Reached
	n := len(r.m.Outstanding(path))
	if n == 0 {
		return
	}
	mask := ^uint64(0) >> (64 - r.p.TimeBits)
	switch late := (now - r.m.Deadline(path)) & mask; {
	case late == 0:
		h[ptExact]++
	case late == 1:
		h[ptNext]++
	case late > mask>>1 && late <= mask>>1+mask>>2:
		h[ptHalf]++
	}
	switch {
	case r.acked[path]:
		h[ptByAck]++
	case r.ever[path]:
		h[ptBySend]++
	}
}

// coverTimerCheck covers a timer check.
func (r *predictor) coverTimerCheck(path uint32, now uint64) {
	h := r.Reached
	switch {
	case !r.m.Expired(path, now):
		h[ptRenewed]++
	case len(r.m.Outstanding(path)) == int(r.p.Depth):
		h[ptExpired]++
		h[ptExpiredFull]++
	default:
		h[ptExpired]++
	}
}
