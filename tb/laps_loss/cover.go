// SPDX-License-Identifier: Apache-2.0

package lapsloss

// coverSend looks at a send on a path that exists, before which n segments were
// outstanding and the timer, if armed, was at was.
func (r *predictor) coverSend(e *event, stored bool, n int, armed bool, was uint64) {
	h := r.hits
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
		if v := &r.slots[i]; v.on && v.path == e.path && v != r.entry {
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
	h := r.hits
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

// coverAck looks at an ACK of a path that exists; n segments are outstanding there,
// and its own is at place at, or n if it is not among them.
func (r *predictor) coverAck(v *visit, at, n int) {
	h, lanes := r.hits, int(r.p.Lanes)
	out := r.m.Outstanding(v.path)
	if v.passes > 1 && at < n {
		h[ptLaterRow]++
	}
	if v.passes == int(r.p.Depth)/lanes+1 {
		h[ptMostPasses]++
	}
	if int(r.begin[v.path])+min(at, n-1) >= int(r.p.Depth) {
		h[ptWrap]++
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
		if n > 0 && (r.lane(v.path)+n)%lanes == 0 {
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
		if o := &r.slots[i]; o.on && o != v && o.passes == 0 && o != r.entry {
			r.hits[ptTwoReports]++
			return
		}
	}
}

// coverTimer looks at a look at a timer.
func (r *predictor) coverTimer(path uint32, now uint64) {
	h := r.hits
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
	if r.m.Expired(path, now) {
		h[ptExpired]++
		if n == int(r.p.Depth) {
			h[ptExpiredFull]++
		}
	}
}
