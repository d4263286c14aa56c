// SPDX-License-Identifier: Apache-2.0

package spray

import (
	_ "embed"

	"github.com/nicgen/nicgen/tb/bench"
)

//go:embed survivors.yaml
var survivors string

// mutation says in which configuration the bench is graded.
var mutation = &bench.Mutation{
	Survivors: survivors,
	Targets: []bench.Target{{
		Name: "small", Settings: "connections=3 conn_bits=2 evs_bits=4 timer_bits=10 evs=10 flowlet_timeout_ns=100 counter_bits=8", Mutants: 300, Sample: 12,
		Steps: bench.Steps, Long: bench.Long, Why: "few entries, all modes, counters that wrap",
	}},
}
