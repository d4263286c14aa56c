// SPDX-License-Identifier: Apache-2.0

package nicqueue

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
		{Name: "small", Settings: "kib=64 connections=5 conn_bits=3 meta_bits=8 max_frame=1024 ram_latency=1 counter_bits=8", Mutants: 250, Sample: 6,
			Steps: bench.Steps, Long: bench.LongWide, Why: "few connections and cells, counters that wrap"},
	},
}
