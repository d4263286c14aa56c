// SPDX-License-Identifier: Apache-2.0

package dcsimport

import params "github.com/nicgen/nicgen/gen/dcsim_port"

// Line is the time of frames on the line. Lengths are in bytes, rates in bytes per clock, both
// multiplied by 2^FractionBits.
//
// A frame picked in a clock begins in the next one, or later if the line pauses. While frames wait,
// the time of a frame counts from the end of the one before: later frames make up for delay, which
// arises as a frame may be shorter than the two clocks that each frame needs. The delay is bounded
// by params.MostLate. An idle line saves nothing up.
type Line struct {
	most   int64 // clocks that it may be late
	credit int64 // bytes that it could have sent since it became idle, up to the next clock
}

// NewLine returns a line that is free.
func NewLine(p *params.Params) Line { return Line{most: p.MostLate()} }

// Free reports whether a frame may be picked in this clock, if no picked frame is yet to begin.
func (l *Line) Free() bool { return l.credit >= 0 }

// Idle ends a clock in which no frame is picked or begins.
func (l *Line) Idle(rate int64) {
	if l.Free() {
		l.credit = 0
	} else {
		l.credit += rate
	}
}

// Pick ends a clock in which a frame is picked. That clock and the one in which the frame begins
// advance the line, and the frame's gap consumes part of this, unless the line is as late as it may
// be.
func (l *Line) Pick(rate, gap int64) {
	if !l.Most(rate) {
		l.credit += 2*rate - gap<<params.FractionBits
	}
}

// Pause ends a clock in which the frame that was picked does not begin.
func (l *Line) Pause() {}

// Begin ends the clock in which it begins, with its length.
func (l *Line) Begin(length int64) {
	l.credit -= length << params.FractionBits
}

// Most reports whether the line is as late as it may be, or later. The rate is rounded up to
// the next whole bytes.
func (l *Line) Most(rate int64) bool {
	return l.credit>>params.FractionBits >= l.most*(rate>>params.FractionBits+1)
}

// Credit returns the amount that the line could have sent since it became idle; if negative, the amount
// that it still has to send.
func (l *Line) Credit() int64 { return l.credit }
