// SPDX-License-Identifier: Apache-2.0

package repsdetector

import (
	model "github.com/nicgen/nicgen/model/reps_detector"
)

// coverRTT counts the points of an RTT sample, with or without a flush waiting for it.
func (r *predictor) coverRTT(c uint32, rtt uint64, high, flush bool) {
	h := r.Reached
	if flush {
		h[ptFlushWaits]++
	}
	if !r.m.Legal(c) {
		h[ptIllegalRTT]++
		return
	}
	r.low[c] = !high
	if high {
		r.note(c)
	}
	t := r.m.Settings.Threshold
	switch {
	case rtt == t:
		h[ptRTTExact]++
	case rtt > t:
		h[ptRTTHigh]++
	case rtt+1 == t:
		h[ptRTTBelow]++
	default:
		h[ptRTTLow]++
	}
	if rtt == r.maxRTT {
		h[ptRTTMax]++
	}
	switch t {
	case 0:
		h[ptThreshold0]++
	case r.maxRTT:
		h[ptThresholdMax]++
	}
}

// coverFlush counts the points of a flush from the state that it empties.
func (r *predictor) coverFlush(c uint32) {
	s, ok := r.m.State(c)
	if !ok {
		r.Reached[ptIllegalFlush]++
		return
	}
	if s.Seen {
		r.Reached[ptFlushSeen]++
	}
	r.low[c] = false
	r.forget(c)
}

// coverTimeout counts the points of a timeout from the connection's state.
func (r *predictor) coverTimeout(c uint32, now uint64) {
	h, m := r.Reached, r.m
	s, ok := m.State(c)
	if !ok {
		h[ptIllegalTimeout]++
		return
	}
	age, w := m.Age(s.When, now), m.Settings.Window
	if m.Settings.Trimming {
		if s.Seen && age <= w {
			h[ptTrimming]++
		}
		return
	}
	if !s.Seen {
		h[ptNever]++
		return
	}
	old := age > r.max>>1
	if age <= w {
		h[ptRecent]++
		if old {
			h[ptOldHigh]++
		}
		if r.low[c] {
			h[ptLow]++
		}
		if now < s.When {
			h[ptAgeWrap]++
		}
		if r.p.Connections > 1 && !r.alone[c] {
			h[ptFlushOther]++
		}
	} else {
		h[ptStale]++
		if old {
			h[ptOldStale]++
		}
	}
	switch {
	case age == w:
		h[ptExact]++
	case age == w+1:
		h[ptNext]++
	}
	if age == 0 {
		h[ptAge0]++
	}
	switch w {
	case 0:
		h[ptWindow0]++
	case r.max:
		h[ptWindowMax]++
	}
}

// coverSame counts the points of an RTT sample or a flush in the cycle of a timeout;
// was is the state before that.
func (r *predictor) coverSame(rtt, high, flushed bool, c, t uint32, was model.State, now uint64) {
	h, m := r.Reached, r.m
	if !m.Legal(t) || !m.Legal(c) || m.Settings.Trimming {
		return
	}
	recent := was.Seen && m.Age(was.When, now) <= m.Settings.Window
	switch {
	case c != t:
		if high {
			h[ptSameOther]++
		}
	case high:
		h[ptSameHigh]++
	case rtt:
		if was.Seen {
			h[ptSameLow]++
		}
	case flushed:
		if recent {
			h[ptSameFlush]++
		}
	}
}

// note begins to watch whether other connections are flushed.
func (r *predictor) note(c uint32) {
	if !r.alone[c] {
		r.alone[c] = true
		r.fresh = append(r.fresh, c)
	}
}

// forget records that connection c was flushed, which for all others is a flush of
// another connection.
func (r *predictor) forget(c uint32) {
	keep := false
	for _, f := range r.fresh {
		if f == c {
			keep = true
			continue
		}
		r.alone[f] = false
	}
	r.fresh = r.fresh[:0]
	if keep {
		r.fresh = append(r.fresh, c)
	}
}
