// SPDX-License-Identifier: Apache-2.0

package lapspick

import (
	params "github.com/nicgen/nicgen/gen/laps_pick"
	"github.com/nicgen/nicgen/tb/bench"
)

// Entry is the unit for the registry.
var Entry = bench.Entry{
	New:       params.New,
	Bench:     New,
	Measure:   Measure,
	Published: Published,
	Mutation:  Mutation,
	Proofs:    Proofs,
	Upset:     Upset,
	Evidence: bench.Evidence{
		Configurations:  []string{"picker=lookup"},
		Small:           "paths=4",
		Syntheses:       []bench.Synthesis{{Name: "lut", Settings: "noise_memory=lut"}, {Name: "lookup", Settings: "picker=lookup"}},
		SimulatorCycles: 5_000,
	},
}
