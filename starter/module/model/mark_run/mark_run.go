// SPDX-License-Identifier: Apache-2.0

// Package markrun is the golden model of the ECN run counter: one method per event, as in
// docs/units/mark_run.md.
package markrun

import params "github.com/nicgen/nicgen/starter/module/gen/mark_run"

// Counter is the unit's state: the runs of all connections.
type Counter struct {
	runs []uint64
	max  uint64
}

// New returns the counter in its state after reset.
func New(p *params.Params) *Counter {
	return &Counter{runs: make([]uint64, p.Connections), max: 1<<p.RunBits - 1}
}

// Reset clears every run.
func (c *Counter) Reset() { clear(c.runs) }

// Run returns the run of a connection; ok is false if the connection does not exist.
func (c *Counter) Run(conn uint64) (run uint64, ok bool) {
	if ok = conn < uint64(len(c.runs)); ok {
		run = c.runs[conn]
	}
	return run, ok
}

// ACK takes an acknowledgement and returns the resulting run, and whether it has reached the
// threshold; ok is false, and nothing changes, if the connection does not exist.
func (c *Counter) ACK(conn uint64, marked bool, threshold uint64) (run uint64, hot, ok bool) {
	if run, ok = c.Run(conn); !ok {
		return run, hot, ok
	}
	if !marked {
		run = 0
	} else if run < c.max {
		run++
	}
	c.runs[conn] = run
	return run, run >= threshold, ok
}
