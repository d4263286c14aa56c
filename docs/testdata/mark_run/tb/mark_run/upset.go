// SPDX-License-Identifier: Apache-2.0

package markrun

import (
	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/mark_run"
	"github.com/nicgen/nicgen/tb/bench"
)

// upset is what the counter may do after a bit of its state changed.
var upset = &bench.Upset{
	Settings: []string{"connections=4 conn_bits=3 run_bits=3 threshold=2 state_memory=bram"},
	Lifetime: "**The bound.** A wrong bit of a run stays until the connection's next unmarked ACK; an upset of the ready flag " +
		"makes the unit clear all runs again.",
	Sample: 1024,
	Law:    newLaw,
}

// newLaw demands an answer to every ACK in its cycle, which is hot exactly if its run has
// reached the threshold of the ACK.
func newLaw(cfg gen.Config, l *cosim.Layout) (bench.Law, error) {
	x, err := newPins(l)
	return bench.Laws{
		bench.NewSame(l, "m_ack_valid"),
		&bench.Ready{Pin: x.ready, Max: uint64(cfg.(*params.Params).Connections) + 8},
		&bench.Delayed{Cycles: params.Latency, Words: l.InWords, Check: func(in, got []uint64) bool {
			return !x.mValid.On(got) || x.mHot.On(got) == (x.mRun.Get(got) >= x.threshold.Get(in))
		}},
	}, err
}
