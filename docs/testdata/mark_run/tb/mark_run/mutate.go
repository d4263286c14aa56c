// SPDX-License-Identifier: Apache-2.0

package markrun

import (
	_ "embed"

	"github.com/nicgen/nicgen/tb/bench"
)

//go:embed survivors.yaml
var survivors string

// mutation says in which configurations the bench is graded.
var mutation = &bench.Mutation{
	Survivors: survivors,
	Targets: []bench.Target{{
		Name: "small", Settings: "connections=3 conn_bits=2 run_bits=3 threshold=2 counter_bits=8", Mutants: 300, Sample: 12,
		Steps: bench.Steps, Long: bench.Long, Why: "few connections and short runs",
	}},
}
