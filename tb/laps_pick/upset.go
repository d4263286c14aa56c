// SPDX-License-Identifier: Apache-2.0

package lapspick

import (
	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/laps_pick"
	"github.com/nicgen/nicgen/tb/bench"
)

// Upset defines the picker's legal behaviour after a bit of its state changed: it may pick
// other usable paths. There is no repair by seeds.
var Upset = &bench.Upset{
	Settings: []string{"paths=8", "paths=8 noise_memory=lut", "paths=8 picker=lookup"},
	Quiet:    []string{"s_seed_valid"},
	Lifetime: `**The bound.** All registers but the random generator's and the counters are written anew in every cycle: an upset is
gone after the 7 cycles of a request. The generator goes on with another random sequence, whose picks are as likely as
before. A pick is never a path that is not usable for longer than those cycles.`,
	Law: newLaw,
}

// newLaw demands that every request is answered in its cycle, with a path that is
// usable if there is one.
func newLaw(cfg gen.Config, l *cosim.Layout) (bench.Law, error) {
	p, err := Unit.Params(cfg)
	if err != nil {
		return nil, err
	}
	var x wires
	err = x.bind(p, l)
	return bench.Laws{
		bench.NewSame(l, "m_pick_valid"),
		&bench.Delayed{Cycles: p.PickLatency(), Words: l.InWords, Check: func(in, got []uint64) bool {
			var asked params.Pick
			var told params.Choice
			if !x.choices.Read(got, &told) {
				return true
			}
			x.picks.Read(in, &asked)
			if told.None {
				return asked.Usable == 0
			}
			return asked.Usable>>told.Index&1 != 0
		}},
	}, err
}
