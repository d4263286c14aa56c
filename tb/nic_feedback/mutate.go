// SPDX-License-Identifier: Apache-2.0

package nicfeedback

import (
	_ "embed"

	"github.com/nicgen/nicgen/tb/bench"
)

//go:embed survivors.yaml
var survivors string

// mutation says in which configuration the bench is graded.
var mutation = &bench.Mutation{
	Survivors: survivors,
	Targets: []bench.Target{
		{Name: "small", Settings: "connections=3 conn_bits=3 list=5 counter_bits=8", Mutants: 300, Sample: 6,
			Steps: bench.Steps, Long: bench.LongWide, Why: "few connections, a short list, counters that wrap"},
	},
}
