// SPDX-License-Identifier: Apache-2.0

package nictransport

import (
	_ "embed"

	"github.com/nicgen/nicgen/tb/bench"
)

//go:embed survivors.yaml
var survivors string

// mutation grades the block's bench with mutants of the modules that belong to no unit. One of its cycles takes as long as a hundred of a
// small unit's, so stimuli are few.
var mutation = &bench.Mutation{
	Survivors: survivors,
	NoModel:   true, // the bench composes the models of the parts
	Targets: []bench.Target{
		{Name: "own", Own: true, Inner: true, Mutants: 24, Sample: 2, Settings: small,
			Steps: []bench.Step{{Seed: 1, Cycles: 20_000}, {Seed: 2, Cycles: 60_000}}, Long: []bench.Step{{Seed: 3, Cycles: 200_000}},
			Why: "the block's wiring, intake, frames, way out and rates, and not its parts, which have their own scores; small tables"},
	},
}
