// SPDX-License-Identifier: Apache-2.0

package repsdetector

import (
	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/reps_detector"
	"github.com/nicgen/nicgen/tb/bench"
)

// Upset has the effects that an upset of a state bit may have: other causes of timeouts.
// No flush restores the state.
var Upset = &bench.Upset{
	Settings: []string{"connections=8 state_memory=bram", "connections=8 state_memory=lutram"},
	Quiet:    []string{"s_flush_valid"},
	Lifetime: `**The bound.** A wrong bit in the memory of a connection stays until the next RTT sample or flush that writes it; until
then its timeouts may be put down to the other cause. Nothing stops the unit: every timeout is answered after its
6 cycles; an upset of the ready flag makes it go through its connections again.`,
	Law:    newLaw,
	Sample: 1024,
}

// newLaw demands that every timeout is answered in its cycle, with a cause that exists
// and a failure exactly if that is the cause.
func newLaw(cfg gen.Config, l *cosim.Layout) (bench.Law, error) {
	p, err := Unit.Params(cfg)
	if err != nil {
		return nil, err
	}
	var x wires
	if err := x.bind(p, l); err != nil {
		return nil, err
	}
	return bench.Laws{
		bench.NewSame(l, "m_timeout_valid"),
		&bench.Ready{Pin: x.ready, Max: uint64(p.Connections) + 8},
		bench.Check(func(_, _, _, got []uint64) bool {
			var a params.Verdict
			var f params.Fail
			return !x.verdicts.Read(got, &a) || a.Cause <= 2 && x.fails.Read(got, &f) == (a.Cause == 0)
		}),
	}, nil
}
