// SPDX-License-Identifier: Apache-2.0

// Package repsdetector is the golden model of the REPS failure detector: §2.1 and
// Appendix A of Bonato et al., "REPS: Recycled Entropy Packet Spraying", one
// method per event. docs/units/reps_detector.md has the decisions where the paper
// leaves a choice.
package repsdetector

import (
	"fmt"

	params "github.com/nicgen/nicgen/gen/reps_detector"
)

// Cause is the cause of a timeout.
type Cause uint8

const (
	Failure    Cause = iota // a failed path: the REPS buffer has to freeze
	Congestion              // a full queue
	None                    // no such connection
)

// String names the cause.
func (c Cause) String() string { return [...]string{"failure", "congestion", "none"}[c] }

// Settings are the run-time settings. Each event reads those that it needs.
type Settings = params.Settings

// Counters count events since the last reset; they do not wrap here.
type Counters struct {
	RTT         uint64 // RTT samples
	High        uint64 // RTT samples at or above the threshold
	Timeout     uint64 // timeouts
	Fail        uint64 // timeouts that are failures
	Congestion  uint64 // timeouts that are congestion
	Flush       uint64 // connections emptied
	IllegalConn uint64 // events for a connection that does not exist
}

// State is the state of a connection.
type State struct {
	Seen bool   // there has been a high RTT since the flush
	When uint64 // time of the last one, ns
}

// String describes the state for people.
func (s State) String() string {
	if !s.Seen {
		return "no RTT at or above the threshold since the flush"
	}
	return fmt.Sprintf("last RTT at or above the threshold at %d ns", s.When)
}

// Detector is the unit's state: all connections and the counters.
type Detector struct {
	Settings Settings
	Count    Counters

	conns []State
	time  uint64 // mask of the timer
}

// New returns the detector in its state after reset, with the run-time settings of p.
func New(p *params.Params) *Detector {
	return &Detector{
		Settings: Settings{Trimming: p.Trimming, Threshold: uint64(p.RTTThresholdNS), Window: uint64(p.WindowNS)},
		conns:    make([]State, p.Connections),
		time:     ^uint64(0) >> (64 - p.TimerBits),
	}
}

// Reset returns every connection and the counters to their state after reset.
// Settings stay.
func (d *Detector) Reset() {
	clear(d.conns)
	d.Count = Counters{}
}

// Legal reports whether connection c exists.
func (d *Detector) Legal(c uint32) bool { return uint64(c) < uint64(len(d.conns)) }

// RTT takes a sample of rtt ns on connection c at time now (ns). It reports
// whether the RTT was high: at or above the threshold.
func (d *Detector) RTT(c uint32, rtt, now uint64) (high bool) {
	if !d.Legal(c) {
		d.Count.IllegalConn++
		return false
	}
	d.Count.RTT++
	if rtt < d.Settings.Threshold {
		return false
	}
	d.Count.High++
	d.conns[c] = State{Seen: true, When: now}
	return true
}

// Timeout judges a timeout of connection c at time now (ns): it is a failure if
// switches trim, or if no RTT of the last Window ns was high.
func (d *Detector) Timeout(c uint32, now uint64) Cause {
	if !d.Legal(c) {
		d.Count.IllegalConn++
		return None
	}
	d.Count.Timeout++
	s := &d.conns[c]
	if !d.Settings.Trimming && s.Seen && d.Age(s.When, now) <= d.Settings.Window {
		d.Count.Congestion++
		return Congestion
	}
	d.Count.Fail++
	return Failure
}

// Age returns the time from then to now in ns, modulo the timer's range.
func (d *Detector) Age(then, now uint64) uint64 { return (now - then) & d.time }

// Flush empties connection c: it is then as after reset.
func (d *Detector) Flush(c uint32) {
	if !d.Legal(c) {
		d.Count.IllegalConn++
		return
	}
	d.Count.Flush++
	d.conns[c] = State{}
}

// State returns the state of connection c; ok is false if the connection does not exist.
func (d *Detector) State(c uint32) (s State, ok bool) {
	if !d.Legal(c) {
		return State{}, false
	}
	return d.conns[c], true
}
