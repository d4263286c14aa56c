// SPDX-License-Identifier: Apache-2.0

package lapspick

import (
	_ "embed"

	"github.com/nicgen/nicgen/tb/bench"
)

//go:embed survivors.yaml
var survivors string

// Mutation says in which configurations the bench of the path picker is graded.
var Mutation = &bench.Mutation{
	Survivors:  survivors,
	ModelFiles: []string{"lookup.go", "noise.go", "pick.go", "random.go"}, // without the exact distributions
	Targets: []bench.Target{
		{Name: "default", Settings: "counter_bits=8", Mutants: 1000, Steps: bench.Steps, Long: bench.LongWide,
			Why: "the default with counters that wrap"},
		{Name: "lut", Mutants: 300, Sample: 6, Steps: bench.Steps, Long: bench.LongWide,
			Settings: "counter_bits=8 paths=3 noise_memory=lut inject=true tag_bits=4",
			Why:      "noise in LUTs, a number of paths that is not a power of two, random bits from a port"},
		{Name: "lookup", Mutants: 400, Steps: bench.Steps, Long: bench.LongWide,
			Settings: "counter_bits=8 paths=5 picker=lookup inject=true tag_bits=4",
			Why:      "the lookup picker: weights from a table"},
	},
}
