// SPDX-License-Identifier: Apache-2.0

package nicpace

import (
	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/tb/bench"
)

// upset defines the pacer's legal behaviour after a bit of its state changed.
var upset = &bench.Upset{
	Settings: []string{"connections=32 conn_bits=6 slots=16"},
	Hold:     map[string]uint64{"cfg_flush_force": 0}, // the traffic takes every reset for given
	Lifetime: "**The bound.** A wrong bit of a rate stays until the next one, one of a departure time until the next DONE, or until the scan raises it. A wrong " +
		"bit of where a connection is, of a slot, a successor or the queue of turns can take a connection out of its list, or put it into two: its turns may " +
		"then not come, or come twice, and its events be illegal, which `evt_illegal` tells, until it is flushed, with " +
		"`cfg_flush_force` where it does not have its turn any longer. Other connections go on: a list " +
		"ends after as many connections as there are, slots are taken, and what the lane waits for follows from what is in it.",
	Sample: 4096,
	Law:    newLaw,
}

// behind is the number of turns that an undisturbed unit gives in the time in which the unit gives one.
const behind = 4096

// newLaw demands that turns go on.
func newLaw(cfg gen.Config, l *cosim.Layout) (bench.Law, error) {
	p, err := Unit.Params(cfg)
	if err != nil {
		return nil, err
	}
	var x wires
	err = x.bind(p, l)
	return bench.Laws{
		&bench.Ready{Pin: x.ready, Max: 2*uint64(p.Sweep()) + 8},
		&bench.Ready{Pin: x.pushReady, Max: 4096},
		&bench.Progress{Valid: x.due, Ready: x.dueReady, Most: behind},
	}, err
}
