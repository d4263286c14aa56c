// SPDX-License-Identifier: Apache-2.0

package nicshim

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
		{Name: "default", Settings: "counter_bits=8", Mutants: 200, Sample: 6, Steps: bench.Steps, Long: bench.LongWide, Why: "both formats, counters that wrap"},
		{Name: "laps", Settings: "formats=laps counter_bits=8", Mutants: 100, Steps: bench.Steps, Long: bench.LongWide, Why: "shims of LAPS only"},
		{Name: "int", Settings: "formats=int counter_bits=8", Mutants: 100, Steps: bench.Steps, Long: bench.LongWide, Why: "shims of INT only"},
	},
}
