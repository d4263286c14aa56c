// SPDX-License-Identifier: Apache-2.0

package nicgate

import (
	params "github.com/nicgen/nicgen/gen/nic_gate"
	"github.com/nicgen/nicgen/tb/bench"
)

// The states of a flush.
const (
	flRest = iota
	flWant
	flAsked
	flVisit
	flClear
	flEnd
	flEnded
)

// flush is the unit's flush.
type flush struct {
	state       int
	ready       bool
	mine, quiet bool
	left        int64
	last        bool
	clear       int
	forced      bool // the setting, a cycle before
	flushCycle
}

// flushCycle holds the events of one cycle of a flush.
type flushCycle struct {
	taken           bool
	wrong, pops     bool
	forces          bool // its turn is not waited for
	idle, moves     bool
	stored          bool
	discarded       bool
	endTaken, ended bool
	entered         bool // a packet of its connection is stored
	anew            bool // it begins again
	slot            bool // an entry is cleared
}

// flushes is the end of a cycle for a flush.
func (g *golden) flushes(n *bench.Now) {
	f := &g.flush
	wasReady, quiet := f.ready, f.quiet
	f.ready = false
	clear := f.clear
	f.clear &^= g.back(0).clear & clearAll
	if f.entered {
		f.quiet = false
	}
	force := g.set.FlushForce
	f.anew = force && !f.forced && (f.state == flAsked || f.state == flVisit || f.state == flEnded)
	f.forced = force
	switch f.state {
	case flRest:
		f.mine = false
		if g.wires.flushes.On(n.In) && n.Ready && !wasReady {
			f.state = flWant
		}
	case flWant:
		if f.taken {
			f.state = flAsked
		}
	case flAsked:
		f.left, f.last = g.p.Ring+g.p.Drain()-1, false
		switch {
		case f.wrong:
			f.ready, f.state = true, flRest
		case f.pops:
			f.mine, f.quiet, f.state = true, true, flVisit
		case f.idle:
			f.clear, f.state = clearAll, flClear
		case f.moves, f.anew:
			f.state = flWant
		}
	case flVisit:
		if f.discarded {
			f.clear, f.state = clearAll, flClear
		} else if f.anew {
			f.state = flWant
		}
	case flClear:
		over := f.last && clear == 0
		if f.left >= g.p.Ring || f.slot {
			if f.left == 0 {
				f.last = true
			}
			f.left--
		}
		if over {
			if f.mine {
				f.state = flEnd
			} else {
				f.state = flRest
				f.ready = true
				n.Count(params.CountFlush, true)
			}
		}
	case flEnd:
		if f.endTaken {
			f.state = flEnded
		}
	case flEnded:
		if f.ended {
			if quiet && !f.stored {
				f.state, f.ready = flRest, true
				n.Count(params.CountFlush, true)
			} else {
				f.state = flWant
			}
		} else if f.anew {
			f.state = flWant
		}
	}
}
