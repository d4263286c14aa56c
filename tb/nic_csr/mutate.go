// SPDX-License-Identifier: Apache-2.0

package niccsr

import (
	_ "embed"

	"github.com/nicgen/nicgen/tb/bench"
)

//go:embed survivors.yaml
var survivors string

// mutation says in which configurations the bench is graded.
var mutation = &bench.Mutation{
	Survivors: survivors,
	Targets: []bench.Target{
		{Name: "small", Settings: "window=none addr_bits=14 counter_bits=8", Mutants: 300, Sample: 8, Steps: bench.Steps, Long: bench.LongWide,
			Why: "REPS and its failure detector, a counter that wraps"},
		{Name: "window", Settings: "path=none addr_bits=13 counter_bits=8", Mutants: 150, Steps: bench.Steps, Long: bench.LongWide,
			Why: "PowerTCP alone"},
	},
}
