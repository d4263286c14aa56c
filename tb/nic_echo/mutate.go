// SPDX-License-Identifier: Apache-2.0

package nicecho

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
		{Name: "small", Settings: "connections=3 conn_bits=3 ring=16 psn_bits=16 tag_bits=3 ev_bits=8 list=4 shim_bits=16 ring_memory=uram timer_bits=16 counter_bits=8",
			Mutants: 300, Sample: 8, Steps: bench.Steps, Long: bench.LongWide, Why: "few connections, short rings and lists, counters and a time that wrap"},
		{Name: "plain", Settings: "connections=3 conn_bits=2 ring=16 psn_bits=16 tag_bits=3 ev_bits=4 list=0 shim_bits=0 ring_memory=bram ring_latency=3 counter_bits=8",
			Mutants: 150, Sample: 8, Steps: bench.Steps, Long: bench.LongWide, Why: "neither lists nor telemetry"},
	},
}
