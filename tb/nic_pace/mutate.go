// SPDX-License-Identifier: Apache-2.0

package nicpace

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
		{Name: "small", Settings: "connections=8 conn_bits=4 slots=16 slot_ns=64 timer_bits=30 frac_bits=8 counter_bits=8", Mutants: 300, Sample: 8,
			Steps: bench.Steps, Long: bench.LongWide, Why: "few connections and slots, a time and counters that wrap"},
		{Name: "block", Settings: "connections=300 conn_bits=9 slots=64 slot_ns=256 counter_bits=8", Mutants: 100,
			Steps: bench.Steps, Long: bench.LongWide, Why: "places in block RAM"},
	},
}
