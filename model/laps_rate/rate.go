// SPDX-License-Identifier: Apache-2.0

// Package lapsrate is the golden model of LAPS rate control: Algorithm 2 of Wan et al., "LAPS:
// Latency Aware Packet Spraying", one method per event. docs/units/laps_rate.md has the decisions
// where the paper leaves a choice.
package lapsrate

import (
	"fmt"

	params "github.com/nicgen/nicgen/gen/laps_rate"
)

// Cause is an event that changed a flow's rates.
type Cause uint8

const (
	Held     Cause = iota // nothing: the last change is too recent
	Decrease              // the current rate was halved
	Increase              // the current rate went half of the way to the expected rate
	Hyper                 // the same, after the expected rate was doubled
	Opened                // the flow was opened
	NoPath                // nothing: no path is valid
	None                  // no such flow
)

// String names the cause.
func (c Cause) String() string {
	return [...]string{"held", "decrease", "increase", "hyper", "opened", "no path", "none"}[c]
}

// Settings are the run-time settings. They are read with each event. Both rates are in the same
// unit, which is arbitrary:
//   - Max is the rate of a flow that is opened, and the cap of both its rates;
//   - no decrease leads below Min;
//   - Stages is N, the number of increases after a decrease, or an opening, before each
//     further one doubles the expected rate.
type Settings = params.Settings

// Extremes are the latencies of a destination's valid paths, in ns.
type Extremes struct {
	Any   bool   // there is a valid path; else the rest means nothing
	Least uint64 // t: the least realVal
	Most  uint64 // the largest realVal
	Base  uint64 // T: the largest baseVal
}

// Congested reports whether every path is slower than the slowest without congestion.
func (e Extremes) Congested() bool { return e.Least > e.Base }

// Path is an ACK's information about a path.
type Path struct {
	Valid   bool
	RealVal uint64 // measured latency, ns
	BaseVal uint64 // latency without congestion, ns
}

// Reduce finds the extremes of paths: lines 3 to 5 of Algorithm 2.
func Reduce(paths []Path) Extremes {
	var e Extremes
	for _, p := range paths {
		if !p.Valid {
			continue
		}
		if !e.Any {
			e = Extremes{Any: true, Least: p.RealVal}
		}
		e.Least = min(e.Least, p.RealVal)
		e.Most = max(e.Most, p.RealVal)
		e.Base = max(e.Base, p.BaseVal)
	}
	return e
}

// Counters count events since the last reset; they do not wrap here.
type Counters struct {
	ACK         uint64 // ACKs of flows that exist
	Congested   uint64 // of these, ACKs that found all paths congested
	Decrease    uint64 // decreases
	Increase    uint64 // increases, with or without doubling
	Hyper       uint64 // of these, with doubling
	NoPath      uint64 // ACKs without a valid path
	Open        uint64 // flows opened
	IllegalFlow uint64 // events for a flow that does not exist
}

// State is the state of a flow.
type State struct {
	Current, Expected uint64 // rates
	Left              uint8  // increases before the expected rate is doubled: N - incStage, at least 0
	NextDecrease      uint64 // no decrease up to this time, ns
	NextIncrease      uint64 // no increase up to this time, ns
}

// String describes the state for people.
func (s State) String() string {
	return fmt.Sprintf("rate %d, expected %d, %d increases before it is doubled, no decrease up to %d ns, no increase up to %d ns",
		s.Current, s.Expected, s.Left, s.NextDecrease, s.NextIncrease)
}

// Result is the answer to an event. Rates are in the unit of the settings.
type Result struct {
	Cause             Cause
	Current, Expected uint64 // rates from now on; 0 if there is no such flow
}

// Limiter is the unit's state: all flows and the counters. New makes one. Between events, Settings
// may be changed and Count read.
type Limiter struct {
	Settings Settings
	Count    Counters

	flows []State
	time  uint64 // mask of the time
	near  uint64 // a time to wait for is less than that ahead
	most  bool   // decreases wait for the largest realVal
	base  bool   // increases wait for T
	step  uint64 // least step of an increase; 0: none
}

// New returns the unit with the run-time settings of p and every flow opened at time 0.
func New(p *params.Params) *Limiter {
	l := &Limiter{
		Settings: Settings{Max: uint64(p.MaxRate), Min: uint64(p.MinRate), Stages: uint8(p.Stages)},
		flows:    make([]State, p.Flows),
		time:     ^uint64(0) >> (64 - p.TimeBits),
		near:     1 << (p.LatBits + 1),
		most:     p.Decrease == params.Most,
		base:     p.Increase == params.Base,
		step:     uint64(p.Least),
	}
	for i := range l.flows {
		l.Start(uint32(i), 0)
	}
	return l
}

// Start makes the existing flow c a new one at time now (ns), without counting, as the unit does
// with each flow after a reset.
func (l *Limiter) Start(c uint32, now uint64) {
	before := (now - 1) & l.time
	l.flows[c] = State{
		Current: l.Settings.Max, Expected: l.Settings.Max, Left: l.Settings.Stages,
		NextDecrease: before, NextIncrease: before,
	}
}

// ClearCounters sets the counters to zero, as a reset does.
func (l *Limiter) ClearCounters() { l.Count = Counters{} }

// Legal reports whether flow c exists.
func (l *Limiter) Legal(c uint32) bool { return uint64(c) < uint64(len(l.flows)) }

// Open makes flow c a new one at time now (ns).
func (l *Limiter) Open(c uint32, now uint64) Result {
	if !l.Legal(c) {
		l.Count.IllegalFlow++
		return Result{Cause: None}
	}
	l.Count.Open++
	l.Start(c, now)
	return l.result(c, Opened)
}

// ACK takes an ACK of flow c at time now (ns), where e are the extremes of the destination's paths.
func (l *Limiter) ACK(c uint32, now uint64, e Extremes) Result {
	if !l.Legal(c) {
		l.Count.IllegalFlow++
		return Result{Cause: None}
	}
	l.Count.ACK++
	if !e.Any {
		l.Count.NoPath++
		return l.result(c, NoPath)
	}
	s, set := &l.flows[c], &l.Settings
	if e.Congested() {
		l.Count.Congested++
		if l.Waits(s.NextDecrease, now) {
			return l.result(c, Held)
		}
		l.Count.Decrease++
		s.Expected = min(s.Current, set.Max)
		s.Current = max(s.Expected>>1, set.Min)
		s.Left = set.Stages
		span := e.Least
		if l.most {
			span = e.Most
		}
		s.NextDecrease = (now + 2*span) & l.time
		return l.result(c, Decrease)
	}
	if l.Waits(s.NextIncrease, now) {
		return l.result(c, Held)
	}
	l.Count.Increase++
	cause := Increase
	if s.Left == 0 {
		l.Count.Hyper++
		cause = Hyper
		s.Expected *= 2
	} else {
		s.Left--
	}
	s.Expected = min(s.Expected, set.Max)
	mean := (s.Expected + s.Current) >> 1
	switch {
	case s.Current > set.Max:
		s.Current = set.Max
	case l.step > 0:
		s.Current = min(max(mean, s.Current+l.step), set.Max)
	default:
		s.Current = mean
	}
	if l.step > 0 {
		s.Expected = max(s.Expected, s.Current)
	}
	span := e.Least
	if l.base {
		span = e.Base
	}
	s.NextIncrease = (now + 2*span) & l.time
	return l.result(c, cause)
}

// Waits reports whether a change waits at time now for time next (ns), which is less than
// 2^(lat_bits+1) ns ahead of the change before. A time that seems further ahead is in the past,
// across the wrap of the time's range.
func (l *Limiter) Waits(next, now uint64) bool { return (next-now)&l.time < l.near }

func (l *Limiter) result(c uint32, cause Cause) Result {
	s := &l.flows[c]
	return Result{Cause: cause, Current: s.Current, Expected: s.Expected}
}

// State returns the state of flow c; ok is false if the flow does not exist.
func (l *Limiter) State(c uint32) (s State, ok bool) {
	if !l.Legal(c) {
		return State{}, false
	}
	return l.flows[c], true
}
