// SPDX-License-Identifier: Apache-2.0

package laps

import model "github.com/nicgen/nicgen/model/laps"

// PerByte is a byte per ns in the unit of the device's rates, 1/256 Mb/s.
const PerByte = 8000 * 256

// Packet is a data segment that needs a path. Times do not wrap: the device truncates them to its width.
type Packet struct {
	model.Segment
	Pair  int    // the pair whose paths it may take
	Track bool   // report it if it is lost
	Now   uint64 // ns
}

// Choice is the answer to a packet.
type Choice struct {
	Path  int    // -1: no path
	Probe int    // the path to probe; -1: none
	Lost  []Lost // as in Reaction
}

// Feedback is an acknowledgement as it reaches the sender.
type Feedback struct {
	model.Segment
	Path  int
	Delay uint64 // of the segment, one way, in ns
	Now   uint64 // ns
}

// Cause is the effect of an acknowledgement on its flow's rate, by the number that the unit gives it.
type Cause uint8

// Causes of rates.
const (
	Held      Cause = iota // unchanged
	Decreased              // halved: every path is slower than the longest baseline
	Increased              // raised by half of the difference to the expected rate
	Doubled                // as increased, after the expected rate was doubled
	Opened                 // initial rate of an opened flow
)

// Skipped is the cause of the loss detector's answer to an ACK that skips segments.
const Skipped = 1

// Reaction is the answer to an acknowledgement.
type Reaction struct {
	Rate  float64 // of the flow from now on, in bytes per ns
	Cause Cause
	Lost  []Lost // in the order of detection; valid until the next call
}

// Answer is the answer to a probe as it reaches the sender.
type Answer struct {
	Path  int
	Delay uint64 // of the probe, one way, in ns
	Now   uint64 // ns
}

// Lost is a segment that is declared lost.
type Lost struct {
	model.Segment
	Path  int  // the path that it was sent on
	Timer bool // found by a timer, not by the ACK of a later segment
}
