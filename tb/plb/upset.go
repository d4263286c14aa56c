// SPDX-License-Identifier: Apache-2.0

package plb

import (
	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/plb"
	model "github.com/nicgen/nicgen/model/plb"
	"github.com/nicgen/nicgen/tb/bench"
)

// upset defines the unit's legal behaviour after a bit of its state changed: it may give
// another label, or a new one earlier or later.
var upset = &bench.Upset{
	Settings: []string{"connections=8 state_memory=bram", "connections=8 state_memory=lutram"},
	Lifetime: "**The bound.** A wrong bit of a round ends with the next round, one of `rounds` with the next clean round or new label, one of a pause with the " +
		"pause, which is never longer than 2^(pause_bits+1) ns, or with the next RTO. A wrong bit of a label stays until the next new label. " +
		"The random generator stays elsewhere in its sequence until it is seeded. Nothing stops the unit: every SEND is answered after its cycles; an upset of the ready flag " +
		"makes it open its connections again.",
	Sample: 1024,
	Law:    newLaw,
}

// newLaw demands that every SEND is answered in its cycle, with a cause that exists, which makes
// the label new, and a port in its range.
func newLaw(cfg gen.Config, l *cosim.Layout) (bench.Law, error) {
	p := cfg.(*params.Params)
	var x wires
	err := x.bind(p, l)
	return bench.Laws{
		bench.NewSame(l, "m_send_valid"),
		&bench.Ready{Pin: x.ready, Max: uint64(p.Connections) + 8},
		bench.Check(func(_, _, _, got []uint64) bool {
			var a params.Label
			if !x.labels.Read(got, &a) {
				return true
			}
			if a.Cause == uint8(model.Illegal) { // label and port mean nothing
				return !a.New
			}
			return a.Cause <= uint8(model.Spray) && a.New == (a.Cause != 0) && a.Port == model.Port(p, a.Label)
		}),
	}, err
}
