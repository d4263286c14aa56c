// SPDX-License-Identifier: Apache-2.0

package dcsimport

import params "github.com/nicgen/nicgen/gen/dcsim_port"

// Line is the time of frames on the line. Lengths are in bytes, rates in bytes a clock, both
// times 2^FractionBits. The zero Line is free.
//
// A frame that is picked in a clock begins in the next one, or later if the line pauses. If the
// line falls free within two clocks before that, and is not idle meanwhile, the frame's time
// counts from then; else it counts from the clock in which it begins.
type Line struct {
	credit int64 // what the line could have sent since it fell free, up to the next clock
}

// Free reports whether a frame may be picked in this clock, if none is that has not begun.
func (l *Line) Free() bool { return l.credit >= 0 }

// Idle ends a clock in which no frame is picked or begins.
func (l *Line) Idle(rate int64) {
	if l.Free() {
		l.credit = 0
	} else {
		l.credit += rate
	}
}

// Pick ends a clock in which a frame is picked.
func (l *Line) Pick(rate, gap int64) {
	if l.Late(rate) {
		l.credit = 0
	}
	l.credit += 2*rate - gap<<params.FractionBits
}

// Pause ends a clock in which the frame that was picked does not begin.
func (l *Line) Pause() {}

// Begin ends the clock in which it begins, with its length.
func (l *Line) Begin(length int64) {
	l.credit -= length << params.FractionBits
}

// Late reports whether the line has been free for two clocks or more when the next one begins.
func (l *Line) Late(rate int64) bool { return l.credit >= 2*rate }

// Credit is what the line could have sent since it fell free; below 0, what it still has to send.
func (l *Line) Credit() int64 { return l.credit }
