// SPDX-License-Identifier: Apache-2.0

package device

import (
	params "github.com/nicgen/nicgen/gen/nic_transport"
	"github.com/nicgen/nicgen/sim/agenda"
)

// Pauses controls how time passes while nothing moves: a block's timers must act at their times, and state that scans
// keep young must stay young. The zero value skips every idle time.
type Pauses struct {
	Calm  uint64 // cycles without a move before time jumps, in which the last timer runs out; at least 512
	Scans []Scan
}

// Scan is a part of a block that has to be at each of its entries before times that it compares are too far apart.
type Scan struct {
	Cycles uint64         // of a pass
	Most   agenda.Instant // that time may jump between two passes
	Last   agenda.Instant // a longer jump is made in two, with a pass before the last one, of so much; 0: it is made in steps of Most
	Range  agenda.Instant // of the part's times: it sees nothing of jumps by whole ranges; 0: it sees all

	jumped agenda.Instant // since its last pass
}

// The pacer's times have a range of 2^30 ns at least. Of a jump by more than a quarter of that, the last part comes after a
// scan, and is longer than any time is ahead, 2^27 ns: what looks as one to come at the scan has passed afterwards.
const (
	unscanned = agenda.Instant(1<<28) * agenda.PS
	scanAhead = agenda.Instant(1<<27+1<<20) * agenda.PS
)

// PausesOf returns the pauses of a block with a clock period and the settings that it has after a
// reset.
func PausesOf(p *params.Params, period agenda.Instant) *Pauses {
	x := &Pauses{Scans: []Scan{{Cycles: uint64(p.Pace().ScanCycles()), Most: unscanned, Last: scanAhead + agenda.Instant(p.Pace().ScanCycles())*period}}}
	if p.List > 0 { // lists of feedback leave by time
		e := p.Echo()
		x.Calm = calm + uint64((agenda.At(uint64(e.FeedbackNS))+period-1)/period) + uint64(e.Connections)
	}
	switch p.Path {
	case params.Spray: // half of a quarter: no two begin within a pass
		s := p.Spray()
		x.Scans = append(x.Scans, Scan{Cycles: uint64(s.Entries() + 16), Most: agenda.At(1 << (s.TimerBits - 3)), Range: agenda.At(1 << s.TimerBits)})
	case params.PLB:
		x.Scans = append(x.Scans, Scan{Cycles: 1, Most: agenda.At(1<<p.PLB().StepBits()) - period})
	}
	return x
}

// walked is the number of ranges of a part's times that pass at most; after that, all state of the part is as old as
// possible.
const walked = 2

// jump returns how much of by time may jump now. It returns 0 if a part has to complete a
// scan first.
func (x *Pauses) jump(by agenda.Instant) agenda.Instant {
	for i := range x.Scans {
		switch s := &x.Scans[i]; {
		case s.Range > 0 && by > (walked+1)*s.Range:
			by = (by/s.Range - walked) * s.Range
		case s.jumped+by <= s.Most:
		case s.Last > 0 && s.jumped < s.Most && by > s.Last:
			by -= s.Last
		case s.Last > 0:
			return 0
		default:
			by = min(by, s.Most-s.jumped)
		}
	}
	return max(by, 0)
}

// jumps notes that time jumped.
func (x *Pauses) jumps(by agenda.Instant) {
	for i := range x.Scans {
		s := &x.Scans[i]
		if s.jumped += by; s.Range > 0 && by%s.Range == 0 {
			s.jumped -= by
		}
	}
}

// ran notes how many cycles there were since the last jump.
func (x *Pauses) ran(cycles uint64) {
	for i := range x.Scans {
		if s := &x.Scans[i]; cycles >= s.Cycles {
			s.jumped = 0
		}
	}
}
