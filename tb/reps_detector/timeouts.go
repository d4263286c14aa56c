// SPDX-License-Identifier: Apache-2.0

package repsdetector

import (
	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/reps_detector"
	"github.com/nicgen/nicgen/tb/bench"
)

// Timeouts drives the ports of the unit for another bench that judges time-outs by it.
type Timeouts struct{ pins *pins }

// NewTimeouts finds the ports.
func NewTimeouts(l *cosim.Layout) (*Timeouts, error) {
	x, err := newPins(l)
	return &Timeouts{x}, err
}

// Reset is the port of the reset.
func (t *Timeouts) Reset() *bench.Pin { return &t.pins.rst }

// Ready is the port that says that the unit takes events.
func (t *Timeouts) Ready() *bench.Pin { return &t.pins.ready }

// Set puts the settings of a configuration into the inputs of a cycle.
func (t *Timeouts) Set(in []uint64, p *params.Params) {
	if p.Trimming {
		t.pins.trimming.Raise(in)
	}
	t.pins.threshold.Put(in, uint64(p.RTTThresholdNS))
	t.pins.window.Put(in, uint64(p.WindowNS))
}

// RTT drives a sample. Times are in ns.
func (t *Timeouts) RTT(in []uint64, conn int, rtt, now uint64) {
	t.pins.now.Put(in, now)
	t.pins.rttValid.Raise(in)
	t.pins.rttConn.Put(in, uint64(conn))
	t.pins.rtt.Put(in, rtt)
}

// Timeout drives a time-out. The time is in ns.
func (t *Timeouts) Timeout(in []uint64, conn int, now uint64) {
	t.pins.now.Put(in, now)
	t.pins.timeoutValid.Raise(in)
	t.pins.timeoutConn.Put(in, uint64(conn))
}

// Failed reads the verdict: whether there is one, and whether it is a failed path.
func (t *Timeouts) Failed(out []uint64) (failed, answered bool) {
	return t.pins.failValid.On(out), t.pins.valid.On(out)
}
