// SPDX-License-Identifier: Apache-2.0

package nicgate

import (
	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/tb/bench"
)

// upset is what the gate may do after a bit of its state changed.
var upset = &bench.Upset{
	Settings: []string{"connections=8 conn_bits=4 ring=16 ring_latency=3"},
	Lifetime: "**The bound.** A wrong bit of a window stays until the next one, one of bytes or PSNs in flight until nothing is or until a flush, one of an " +
		"entry until the next packet with its PSN. A wrong bit of whether a connection has its turns, or of how many packets it has, can take it out of the " +
		"pacer or put it there twice, until its flush; its events may be illegal, which `evt_illegal` tells. Other connections go on: the scan visits each, " +
		"and what lanes do follows from the events that come. A flush that lost its place in the sequence asks again, or is over.",
	Sample: 4096,
	Law:    newLaw,
}

// behind is the number of samples and turns that an undisturbed unit gives in the time in which the unit gives one.
const behind = 4096

// newLaw demands that each ACK has a sample and each DUE of the ready unit is taken, and that turns go on.
func newLaw(cfg gen.Config, l *cosim.Layout) (bench.Law, error) {
	p, err := Unit.Params(cfg)
	if err != nil {
		return nil, err
	}
	x, err := newPins(l)
	if err != nil {
		return nil, err
	}
	return bench.Laws{
		bench.NewSame(l, "m_sample_valid"),
		&bench.Ready{Pin: x.ready, Max: 2*uint64(p.Sweep()) + 8},
		&bench.Ready{Pin: x.dueReady, Max: behind},
		&bench.Progress{Valid: x.over, Most: behind},
	}, nil
}
