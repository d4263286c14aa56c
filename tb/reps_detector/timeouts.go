// SPDX-License-Identifier: Apache-2.0

package repsdetector

import (
	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/reps_detector"
	"github.com/nicgen/nicgen/tb/bench"
)

// Timeouts drives the ports of the unit for another bench that judges time-outs by it.
type Timeouts struct{ x wires }

// NewTimeouts finds the ports.
func NewTimeouts(l *cosim.Layout) (*Timeouts, error) {
	t := &Timeouts{}
	return t, t.x.bind(params.Default(), l)
}

// Reset is the port of the reset.
func (t *Timeouts) Reset() *bench.Pin { return &t.x.rst }

// Ready is the port that says that the unit takes events.
func (t *Timeouts) Ready() *bench.Pin { return &t.x.ready }

// Set puts the settings of a configuration into the inputs of a cycle.
func (t *Timeouts) Set(in []uint64, p *params.Params) {
	t.x.set.Drive(in, &params.Settings{Trimming: p.Trimming, Threshold: uint64(p.RTTThresholdNS), Window: uint64(p.WindowNS)})
}

// RTT drives a sample. Times are in ns.
func (t *Timeouts) RTT(in []uint64, conn int, rtt, now uint64) {
	t.x.time.Drive(in, &params.Time{Now: now})
	t.x.rtts.Drive(in, &params.RTT{Conn: uint32(conn), NS: rtt})
}

// Timeout drives a time-out. The time is in ns.
func (t *Timeouts) Timeout(in []uint64, conn int, now uint64) {
	t.x.time.Drive(in, &params.Time{Now: now})
	t.x.timeouts.Drive(in, &params.Timeout{Conn: uint32(conn)})
}

// Failed reads the verdict: whether there is one, and whether it is a failed path.
func (t *Timeouts) Failed(out []uint64) (failed, answered bool) {
	var a params.Verdict
	var f params.Fail
	return t.x.fails.Read(out, &f), t.x.verdicts.Read(out, &a)
}
