// SPDX-License-Identifier: Apache-2.0

package lapsloss

import (
	model "github.com/nicgen/nicgen/model/laps_loss"
	"github.com/nicgen/nicgen/tb/bench"
)

// coverTaken covers the events of a cycle.
func (g *golden) coverTaken(n *bench.Now) {
	h := g.f.Reached
	if n.Rst || !n.Ready {
		if !n.Rst && n.Offered != 0 {
			h[ptNotReady]++
		}
		return
	}
	now := g.time.Now
	if now < g.lastNow {
		h[ptTimeWrap]++
	}
	g.lastNow = now
	const ack = 2 // the bit of ACKs
	if n.Offered&ack != 0 && !g.pushed {
		h[ptAckFull]++
	}
	if g.f.Bare || n.On == 0 {
		return
	}
	var on [kinds]bool
	var path [kinds]uint32
	if e := &g.sends[n.Cycle&7]; e.on {
		on[kindSend], path[kindSend] = g.m.Legal(e.path), e.path
	}
	if g.pushed {
		to := uint32(g.ackPath.Get(n.In))
		on[kindAck], path[kindAck] = g.m.Legal(to), to
	}
	g.apart.Cycle(n.Cycle, on[:], path[:])
}

// coverSend looks at a send on a path that exists, before which n segments were
// outstanding and the timer, if armed, was at was.
func (g *golden) coverSend(e *event, stored bool, n int, armed bool, was uint64) {
	h := g.f.Reached
	if !stored {
		h[ptFull]++
		if n < int(g.p.Depth) {
			h[ptFullHeld]++
		}
		g.full[e.path] = true
		return
	}
	h[ptStored]++
	if g.full[e.path] {
		h[ptFullFreed]++
	}
	g.full[e.path] = false
	for i := range g.slots {
		if v := &g.slots[i]; v.on && v.path == e.path && v != g.entry && v != g.read {
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
		g.coverSet(e.path, e.latency, e.rtoMin, was)
	}
	g.acked[e.path] = false
}

// coverSet looks at a timer that was at was and is set anew.
func (g *golden) coverSet(path uint32, latency, rtoMin, was uint64) {
	h := g.f.Reached
	if 2*latency > rtoMin {
		h[ptByLatency]++
	} else {
		h[ptByMinimum]++
	}
	half := uint64(1) << (g.p.TimeBits - 1)
	if moved := g.m.Deadline(path) - was; moved&half != 0 {
		h[ptAckShortens]++
	}
}

// coverAck looks at an ACK of a path that exists, at the end of its first pass; out is
// what it sees outstanding there, the first in a lane.
func (g *golden) coverAck(v *visit, out []model.Segment, lane int) {
	h, lanes, n := g.f.Reached, int(g.p.Lanes), len(out)
	at := 0
	for at < n && out[at] != v.seg {
		at++
	}
	passes := (lane+at)/lanes + 1
	if passes > 1 && at < n {
		h[ptLaterRow]++
	}
	if passes == int(g.p.Depth)/lanes+1 {
		h[ptMostPasses]++
	}
	if int(g.begin[v.path])+min(at, n-1) >= int(g.p.Depth) {
		h[ptWrap]++
	}
	if later := len(g.m.Outstanding(v.path)) - n; later > 0 {
		h[ptSendFirst]++
		for _, s := range g.m.Outstanding(v.path)[n:] {
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
		case int(g.p.Depth):
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
	if at == int(g.p.Depth)-1 {
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
func (g *golden) coverReport(v *visit) {
	for i := range g.slots {
		if o := &g.slots[i]; o.busy() && o != v && o.passes == 0 && o != g.entry && o != g.read {
			g.f.Reached[ptTwoReports]++
			return
		}
	}
}

// coverReplay looks at ACKs that go back behind visit v, which is not in order.
func (g *golden) coverReplay(v *visit) {
	h := g.f.Reached
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
func (g *golden) coverBack(v *visit, n int) {
	switch {
	case v.timer && len(v.lost) > 0:
		g.f.Reached[ptBackExpired]++
	case v.timer:
		g.f.Reached[ptBackTimer]++
	case v.cause == model.Skip && v.passes == 0:
		g.f.Reached[ptBackReport]++
	default:
		g.f.Reached[ptBackSearch]++
	}
	g.f.Reached[ptBackStage(g.p)+n]++
}

// coverTimer covers a timer that is read.
func (g *golden) coverTimer(path uint32, now uint64) {
	h := g.f.Reached
	n := len(g.m.Outstanding(path))
	if n == 0 {
		return
	}
	mask := ^uint64(0) >> (64 - g.p.TimeBits)
	switch late := (now - g.m.Deadline(path)) & mask; {
	case late == 0:
		h[ptExact]++
	case late == 1:
		h[ptNext]++
	case late > mask>>1 && late <= mask>>1+mask>>2:
		h[ptHalf]++
	}
	switch {
	case g.acked[path]:
		h[ptByAck]++
	case g.ever[path]:
		h[ptBySend]++
	}
}

// coverTimerCheck covers a timer check.
func (g *golden) coverTimerCheck(path uint32, now uint64) {
	h := g.f.Reached
	switch {
	case !g.m.Expired(path, now):
		h[ptRenewed]++
	case len(g.m.Outstanding(path)) == int(g.p.Depth):
		h[ptExpired]++
		h[ptExpiredFull]++
	default:
		h[ptExpired]++
	}
}
