// SPDX-License-Identifier: Apache-2.0

package lapsrate

import (
	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/laps_rate"
	"github.com/nicgen/nicgen/tb/bench"
)

// The limits of the rates during upsets.
const (
	upsetMinRate = 40
	upsetMaxRate = 100_000
)

// Upset defines the legal behaviour of rate control after a bit of its state changed: it
// may give other rates within the limits. There is no repair by openings.
var Upset = &bench.Upset{
	Settings: []string{"flows=8 paths=4", "flows=8 paths=4 operands=extremes state_memory=lutram"},
	Hold:     map[string]uint64{"cfg_min_rate": upsetMinRate, "cfg_max_rate": upsetMaxRate},
	Quiet:    []string{"s_open_valid"},
	Lifetime: `**The bound.** Rates stay within their limits and every ACK is answered in its cycle. A wrong rate of a flow stays until
its next decrease or increase and is then corrected as any rate is; rates of 0 until its next decrease, as an increase goes half
of the way to 0 or doubles 0; a wrong time of the last decrease or increase holds
the next one back for up to half the range of the time, 2^(time_bits-1) ns.`,
	Law:    newLaw,
	Sample: 1024,
}

// newLaw demands that every ACK is answered in its cycle, with a cause that exists and
// rates within the limits.
func newLaw(cfg gen.Config, l *cosim.Layout) (bench.Law, error) {
	p, err := Unit.Params(cfg)
	if err != nil {
		return nil, err
	}
	var x wires
	err = x.bind(p, l)
	const illegal = 6 // the cause of a flow that does not exist
	return bench.Laws{
		bench.NewSame(l, "m_rate_valid"),
		&bench.Ready{Pin: x.ready, Max: uint64(p.Flows) + 8},
		bench.Check(func(_, _, _, got []uint64) bool {
			var a params.Rate
			if !x.rates.Read(got, &a) || a.Cause == illegal {
				return true
			}
			return a.Cause < illegal && a.Current >= upsetMinRate && a.Current <= upsetMaxRate && a.Expected >= upsetMinRate && a.Expected <= upsetMaxRate
		}),
	}, err
}
