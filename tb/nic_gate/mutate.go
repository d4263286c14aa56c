// SPDX-License-Identifier: Apache-2.0

package nicgate

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
		{Name: "few", Settings: "connections=8 conn_bits=4 ring=16 ring_latency=3 counter_bits=8", Mutants: 300, Sample: 8,
			Steps: bench.Steps, Long: bench.LongWide, Why: "few connections and small rings, counters that wrap"},
		{Name: "block", Settings: "connections=300 conn_bits=9 ring=16 ring_latency=8 ev_latency=20 counter_bits=8", Mutants: 100,
			Steps: bench.Steps, Long: bench.LongWide, Why: "bits of connections in block RAM, an entropy value that comes late"},
	},
}
