// SPDX-License-Identifier: Apache-2.0

package spray

import (
	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/spray"
	"github.com/nicgen/nicgen/tb/bench"
)

// upset defines the unit's legal behaviour after a bit of its state changed: it may give
// other EVs.
var upset = &bench.Upset{
	Settings: []string{"connections=4 conn_bits=3 evs_bits=4 timer_bits=12 evs=10 flowlet_timeout_ns=100"},
	Lifetime: "**The bound.** A wrong EV of a flowlet lasts until the next gap above the timeout, a wrong time or bit of the aging for two " +
		"quarters of the time at most. A turn goes on from a wrong EV: no packet can tell. A wrong bit of the random generator gives other " +
		"random words until it is seeded again, or reset. An upset of the ready flag makes the unit clear all entries again.",
	Sample: 1024,
	Law:    newLaw,
}

// newLaw demands that the unit becomes ready, that every SEND has its answer in its cycle, with a
// source that exists.
func newLaw(cfg gen.Config, l *cosim.Layout) (bench.Law, error) {
	p := cfg.(*params.Params)
	var x wires
	err := x.bind(p, l)
	return bench.Laws{
		bench.NewSame(l, "m_ev_valid"),
		&bench.Ready{Pin: x.ready, Max: uint64(p.Entries()) + 8},
		bench.Check(func(_, _, _, got []uint64) bool {
			var a params.Answer
			return !x.answers.Read(got, &a) || a.Source != 1 && a.Source != 7
		}),
	}, err
}
